import { type Kysely, sql } from 'kysely'

/**
 * Which transaction last changed a photo as its owner sees it; null: none since this migration. By a trigger, since older versions
 * that run beside this one change photos too. Other columns are left out, and so is an upload that is not accepted: they change
 * several times for each photo. The index is empty at first, so that making it only reads the table once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table photos add changed_by xid8`.execute(db)
  await sql`create index photos_changed on photos (user_id, changed_by) where changed_by is not null`.execute(db)
  await sql`
    create function note_photo_change() returns trigger language plpgsql as $$
    begin
      new.changed_by := pg_current_xact_id();
      return new;
    end $$`.execute(db)
  await sql`
    create trigger photo_changes before insert or update of
      code, filename, state, created_at, deleted_at, error_message, retry_helps, original_key, full_key, full_bytes, full_type, thumb_key,
      width, height, thumbhash, hidden_at, operator_decision, operator_decided_at, operator_message
    on photos for each row when (new.state <> 'receiving') execute function note_photo_change()`.execute(db)
}
