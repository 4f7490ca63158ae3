import { sql } from 'kysely'
import type { Client } from 'pg'
import type { Db } from '../db/connect.ts'

/** Notes that a good backup was finished now, by the clock of the database, for /admin and the metrics. */
export async function recordBackup(client: Client, seconds: number): Promise<void> {
  await client.query(
    `insert into backup_state (finished_at, seconds) values (now(), $1)
     on conflict (only_row) do update set finished_at = excluded.finished_at, seconds = excluded.seconds`,
    [seconds],
  )
}

/** Once a week, and after damage was found until it is gone. Half a day less: a daily backup does not always begin at the same second. */
export async function isCheckDue(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from backup_state where checked_at < now() - interval '156 hours' or damaged > 0`.execute(db)
  return rows.length > 0
}

/** Notes that the newest backup was compared with its checksums now, and how many of its files were not as they were written. */
export async function recordCheck(db: Db, damaged: number): Promise<void> {
  await sql`update backup_state set checked_at = now(), damaged = ${damaged}`.execute(db)
}

/** Clears the recorded time of the last backup: a restored database has no backup of its own yet. */
export async function forgetBackups(client: Client): Promise<void> {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('public.backup_state') is not null as found`,
  )
  // Absent at the schema of an older backup: the migration that follows creates it.
  if (rows[0]?.found) await client.query('truncate backup_state; insert into backup_state default values')
}
