import { type Kysely, sql } from 'kysely'

/**
 * `stored_objects.sha256`: the checksum of the bytes; null for what earlier versions stored. `storage_checks.report`: what the
 * check has found, by kind; null for the checks of earlier versions.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table stored_objects add sha256 bytea check (octet_length(sha256) = 32)`.execute(db)
  await sql`alter table storage_checks add report jsonb`.execute(db)
}
