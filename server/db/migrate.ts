import { runMigrations } from 'graphile-worker'
import { Migrator } from 'kysely/migration'
import type { Pool } from 'pg'
import type { Db } from './connect.ts'
import { migrations } from './migrations/all.ts'

/** Brings the database to today's shape: ours first, then the job queue's. Safe to run from several nodes at once. */
export async function migrate(db: Db, pool: Pool): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw new Error('the database could not be migrated', { cause: error })
  await runMigrations({ pgPool: pool })
  return (results ?? []).map(({ migrationName }) => migrationName)
}
