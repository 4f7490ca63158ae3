import { type Kysely, sql } from 'kysely'

/**
 * When the password of an account was last changed, and when before that: what was created since then is examined first when
 * it has leaked. By a trigger, since older versions that run beside this one change passwords too. Null: not changed since this
 * migration. `url_set_at`: null for a webhook that has the URL it was created with. `networks` are keyed hashes of the networks that a key was used from, the newest first.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add password_changed_at timestamptz, add password_changed_before timestamptz`.execute(db)
  await sql`
    create function note_password_change() returns trigger language plpgsql as $$
    begin
      new.password_changed_before := old.password_changed_at;
      new.password_changed_at := now();
      return new;
    end $$`.execute(db)
  await sql`
    create trigger password_changes before update of password_hash on users for each row
    when (old.password_hash is distinct from new.password_hash) execute function note_password_change()`.execute(db)
  await sql`alter table webhooks add url_set_at timestamptz`.execute(db)
  await sql`alter table api_keys add networks bytea[] not null default '{}'`.execute(db)
  await sql`alter table admin_keys add networks bytea[] not null default '{}'`.execute(db)
}
