import { type Kysely, sql } from 'kysely'

/**
 * The picture of a photo for screens, which is made when it is first asked for, and the full image that it was made from: of another
 * one, which an older version may have written meanwhile, it is out of date. And an index of what operators hid, to count it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table photos add screen_key text, add screen_bytes bigint, add screen_of text,
      add check ((screen_key is null) = (screen_bytes is null) and (screen_key is null) = (screen_of is null))`.execute(
    db,
  )
  await sql`create index photos_hidden_by_operators on photos (user_id) where operator_decision = 'hide'`.execute(db)
}
