import { type Kysely, sql } from 'kysely'

/**
 * `erasures`: which accounts and photos were deleted, without anything about them, so that a backup from before does not
 * bring them back. Triggers write it, so no deletion is forgotten. Photos that are removed after the end of a plan can be
 * put back, and are removed again by the same rule; they are not in it. `restores`: the restore that is not finished.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table erasures (
      kind text not null check (kind in ('account', 'photo')),
      id text not null,
      at timestamptz not null default now(),
      primary key (kind, id)
    )`.execute(db)
  await sql`create index erasures_by_time on erasures (at, kind, id)`.execute(db)
  await sql`
    create function record_erased_account() returns trigger language plpgsql as $$
    begin
      insert into erasures (kind, id) values ('account', old.id) on conflict do nothing;
      return null;
    end $$`.execute(db)
  await sql`create trigger record_erasure after delete on users for each row execute function record_erased_account()`.execute(
    db,
  )
  await sql`
    create function record_erased_photo() returns trigger language plpgsql as $$
    begin
      insert into erasures (kind, id)
      select 'photo', new.id where not exists (select from photo_removals where photo_id = new.id)
      on conflict do nothing;
      return null;
    end $$`.execute(db)
  // At the end of the transaction it is known whether the photo can be put back.
  await sql`
    create constraint trigger record_erasure after update of deleted_at on photos deferrable initially deferred
    for each row when (old.deleted_at is null and new.deleted_at is not null) execute function record_erased_photo()`.execute(
    db,
  )
  await sql`
    create table restores (
      is_only boolean primary key default true check (is_only),
      backup text not null,
      started_at timestamptz not null default now()
    )`.execute(db)
}
