import { runMigrations } from 'graphile-worker'
import { Migrator } from 'kysely/migration'
import type { Pool } from 'pg'
import type { Db } from './connect.ts'
import { migrations } from './migrations/all.ts'

/** Migrates our schema, then the job queue's; returns the names of the migrations run. Several nodes may call it at once. */
export async function migrate(db: Db, pool: Pool): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw new Error('the database could not be migrated', { cause: error })
  await runMigrations({ pgPool: pool })
  return (results ?? []).map(({ migrationName }) => migrationName)
}
