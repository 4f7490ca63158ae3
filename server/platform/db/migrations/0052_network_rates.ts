import { type Kysely, sql } from 'kysely'

/**
 * `count_rates` counts one call with several counters by `count_rate`, until one refuses it; `refused` is the place of that one, from
 * 1, and null when all allow it. `remaining` is the least.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function count_rates(
      who text[], most integer[], out is_allowed boolean, out remaining integer, out seconds integer, out refused integer
    ) language plpgsql as $$
    declare counted record;
    begin
      for place in 1 .. cardinality(who) loop
        counted := count_rate(who[place], most[place]);
        is_allowed := counted.is_allowed;
        if not is_allowed then
          remaining := counted.remaining;
          seconds := counted.seconds;
          refused := place;
          return;
        end if;
        if remaining is null or counted.remaining < remaining then
          remaining := counted.remaining;
          seconds := counted.seconds;
        end if;
      end loop;
    end $$`.execute(db)
}
