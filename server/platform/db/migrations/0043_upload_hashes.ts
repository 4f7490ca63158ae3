import { type Kysely, sql } from 'kysely'

/**
 * The SHA-256 of an upload with an Idempotency-Key, of the bytes as they arrived: the key names these bytes and no others. It is null
 * without a key, and for uploads from before, whose keys name whatever is sent.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table photos add upload_sha256 bytea`.execute(db)
}
