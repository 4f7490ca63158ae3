import { type Kysely, sql } from 'kysely'

/** Size, corner and strength of the watermark. Existing accounts and photos keep theirs; new accounts get a larger one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users
      add watermark_size text not null default 'small' check (watermark_size in ('small', 'medium', 'large')),
      add watermark_corner text not null default 'bottom-right'
        check (watermark_corner in ('top-left', 'top-right', 'center', 'bottom-left', 'bottom-right')),
      add watermark_strength text not null default 'medium' check (watermark_strength in ('light', 'medium', 'strong'))`.execute(
    db,
  )
  await sql`alter table users alter watermark_size set default 'medium'`.execute(db)
  await sql`alter table photos add watermark_layout text`.execute(db)
  await sql`update photos set watermark_layout = 'small bottom-right medium' where watermark_key is not null`.execute(
    db,
  )
}
