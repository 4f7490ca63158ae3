import { type Kysely, sql } from 'kysely'

/**
 * How many photos exist for each account, as the API returns it, kept by triggers: programs of earlier versions may write beside
 * this one. The number is null, or the row of an account that an earlier version registers is missing, until the account is first
 * read and its photos are counted, so that the migration locks `photos` for no longer than the triggers take. A change adds to the
 * number after it has locked its row, and counting locks the row first: it sees every change that was added before, and later ones
 * are added to its result.
 *
 * The triggers run once for each statement, because hundreds of photos of one account change in some.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table photo_counts (
      user_id text primary key references users on delete cascade,
      photos integer
    )`.execute(db)
  // Locked, so that an account that is deleted meanwhile is left out.
  await sql`insert into photo_counts (user_id) select id from users for key share`.execute(db)
  await sql`
    create function add_to_photo_count(account text, change bigint) returns void language plpgsql as $$
    begin
      insert into photo_counts (user_id) values (account) on conflict do nothing;
      update photo_counts set photos = photos + change where user_id = account;
    end $$`.execute(db)
  await sql`
    create function count_added_photos() returns trigger language plpgsql as $$
    begin
      perform add_to_photo_count(user_id, change) from (
        select user_id, count(*) as change from added where deleted_at is null and state <> 'receiving' group by user_id order by user_id
      ) as changes;
      return null;
    end $$`.execute(db)
  await sql`
    create function count_changed_photos() returns trigger language plpgsql as $$
    begin
      perform add_to_photo_count(user_id, change) from (
        select user_id, sum(photos) as change from (
          select user_id, 1 as photos from added where deleted_at is null and state <> 'receiving'
          union all select user_id, -1 from removed where deleted_at is null and state <> 'receiving'
        ) as both_versions group by user_id having sum(photos) <> 0 order by user_id
      ) as changes;
      return null;
    end $$`.execute(db)
  // Rows are deleted when their account is, which has no number any more then.
  await sql`
    create function count_removed_photos() returns trigger language plpgsql as $$
    begin
      update photo_counts set photos = photo_counts.photos - changes.photos from (
        select user_id, count(*) as photos from removed where deleted_at is null and state <> 'receiving' group by user_id order by user_id
      ) as changes where photo_counts.user_id = changes.user_id;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger count_added_photos after insert on photos referencing new table as added
      for each statement execute function count_added_photos()`.execute(db)
  await sql`
    create trigger count_changed_photos after update on photos referencing old table as removed new table as added
      for each statement execute function count_changed_photos()`.execute(db)
  await sql`
    create trigger count_removed_photos after delete on photos referencing old table as removed
      for each statement execute function count_removed_photos()`.execute(db)
}
