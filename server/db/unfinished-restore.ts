import { sql } from 'kysely'
import type { Db } from './connect.ts'

/** The backup whose restore into this database was begun and not finished; undefined without one. */
export async function unfinishedRestore(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ backup: string }>`select backup from restores`.execute(db)
  return rows[0]?.backup
}
