import { sql } from 'kysely'
import { runMigrations } from 'graphile-worker'
import { type Migration, Migrator } from 'kysely/migration'
import type { Pool } from 'pg'
import { planIds, plans } from '@keepsnap/contract/plans.ts'
import { StartupError } from '../../faults.ts'
import type { Db } from './connect.ts'
import { migrations } from './migrations/all.ts'

/** Large tables can exceed the statement timeout. `set local` works because migrations run in a transaction. */
const withoutTimeLimit = (migration: Migration): Migration => ({
  async up(db) {
    await sql`set local statement_timeout = 0`.execute(db)
    await migration.up(db)
  },
})

/** The names of the migrations that have been run on a database, including those that only a newer version has. */
async function executedMigrations(db: Db): Promise<string[]> {
  const { rows: tables } = await sql<{
    found: boolean
  }>`select to_regclass('kysely_migration') is not null as found`.execute(db)
  if (!tables[0]?.found) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** The migrations that a newer version has run. */
export const newerMigrations = async (db: Db, all: Record<string, Migration> = migrations): Promise<string[]> =>
  (await executedMigrations(db)).filter((name) => !Object.hasOwn(all, name))

async function migrateSchema(db: Db, all: Record<string, Migration>): Promise<string[]> {
  // At nearly every start there is nothing to do. The migrator would still read the columns of all tables.
  const executed = new Set(await executedMigrations(db))
  if (Object.keys(all).every((name) => executed.has(name))) return []
  const migrator = new Migrator({
    db,
    provider: {
      // Empty ones in place of those that a newer version has run. Migrations are backward compatible, so nodes of both versions
      // can run at the same time.
      async getMigrations() {
        const own = Object.entries(all).map(([name, migration]) => [name, withoutTimeLimit(migration)] as const)
        const newer = (await newerMigrations(db, all)).map((name) => [name, { up: async () => {} }] as const)
        return Object.fromEntries<Migration>([...own, ...newer])
      },
    },
    // Two migrations were merged in the reverse order of their numbers: some databases have only the later one.
    allowUnorderedMigrations: true,
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw new Error('the database could not be migrated', { cause: error })
  return (results ?? []).map(({ migrationName }) => migrationName)
}

/** Migrates our schema, then the job queue's; returns the names of the migrations run. Several nodes may call it at once. */
export async function migrate(db: Db, pool: Pool, all: Record<string, Migration> = migrations): Promise<string[]> {
  const names = await migrateSchema(db, all)
  await seedPlans(db)
  await runMigrations({ pgPool: pool })
  return names
}

/** Brings an empty database to an earlier version, without what later ones write into it. */
export async function migrateSchemaTo(db: Db, pool: Pool, names: readonly string[]): Promise<void> {
  const wanted = new Set(names)
  await migrateSchema(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => wanted.has(name))))
  await runMigrations({ pgPool: pool })
}

export async function countMigrations(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from kysely_migration`.execute(db)
  return rows[0]?.count ?? 0
}

/** @throws StartupError when a restore into the database was begun and not finished: files are missing. */
export async function refuseUnfinishedRestore(db: Db): Promise<void> {
  const { rows } = await sql<{ backup: string }>`select backup from restores`.execute(db)
  const backup = rows[0]?.backup
  if (backup !== undefined)
    throw new StartupError(
      `The restore of the backup ${backup} is not finished: files are missing. Run "restore DIR --from ${backup}" again; it continues.`,
    )
}

/** Writes the plans of the contract into the database, where they differ. */
async function seedPlans(db: Db): Promise<void> {
  const rows = planIds.map((id, position) => {
    const { name, description, price_cents, interval_type, features } = plans[id]
    return sql`(${id}, ${name}, ${description}, ${price_cents}::integer, ${interval_type}, ${JSON.stringify(features)}::jsonb, ${position}::smallint)`
  })
  await sql`
    insert into plans (id, name, description, price_cents, interval_type, features, position) values ${sql.join(rows)}
    on conflict (id) do update set name = excluded.name, description = excluded.description,
      price_cents = excluded.price_cents, interval_type = excluded.interval_type, features = excluded.features,
      position = excluded.position
    where (plans.name, plans.description, plans.price_cents, plans.interval_type, plans.features, plans.position)
      is distinct from (excluded.name, excluded.description, excluded.price_cents, excluded.interval_type,
        excluded.features, excluded.position)`.execute(db)
}
