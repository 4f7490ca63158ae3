import { type Kysely, sql } from 'kysely'

/**
 * Files that were chosen together get times in the chosen order, at least a millisecond apart per position, whichever row
 * is made first. `chosen_order_time` runs while the row of the owner's month is locked, so it sees all earlier rows. After an
 * hour a file is a new photo.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table photos add selection text, add selection_position integer`.execute(db)
  await sql`create index photos_by_selection on photos (user_id, selection) where selection is not null`.execute(db)
  await sql`
    create function chosen_order_time(owner text, chosen text, place integer) returns timestamptz language plpgsql volatile as $$
    declare
      made timestamptz := clock_timestamp();
      earliest timestamptz;
      latest timestamptz;
    begin
      if chosen is null or place is null then return made; end if;
      select max(created_at + (place - selection_position) * interval '1 millisecond') filter (where selection_position < place),
        min(created_at - (selection_position - place) * interval '1 millisecond') filter (where selection_position > place)
      into earliest, latest from photos
      where user_id = owner and selection = chosen and created_at > made - interval '1 hour';
      return least(greatest(made, earliest), latest);
    end $$`.execute(db)
}
