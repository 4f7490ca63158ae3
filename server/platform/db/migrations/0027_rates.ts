import { type Kysely, sql } from 'kysely'

/**
 * `count_rate` counts a call as `count_rate_hit` did, which stays for nodes of an earlier version, and tells what is left. Its
 * commit does not wait for the disk: after a crash of PostgreSQL itself, the last half second of calls may be forgotten.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Sliding and exact: the row lock makes parallel calls take turns, whichever node they reach. `hits` is in the order of time.
  await sql`
    create function count_rate(
      who text, most integer, out is_allowed boolean, out remaining integer, out seconds integer
    ) language plpgsql as $$
    declare recent timestamptz[]; moment timestamptz; oldest integer := 1; newest integer;
    begin
      perform set_config('synchronous_commit', 'off', true);
      loop
        select hits into recent from rate_hits where key = who for update;
        exit when found; -- The clean-up may have removed the row between the two.
        insert into rate_hits values (who, '{}') on conflict do nothing;
      end loop;
      moment := clock_timestamp();
      newest := cardinality(recent);
      if newest > 0 and recent[newest] > moment then
        -- The clock was set back. Such calls count as calls of this moment, so that nobody waits for longer than a minute.
        recent := array(select least(hit, moment) from unnest(recent) with ordinality as one (hit, place) order by place);
        update rate_hits set hits = recent where key = who;
      end if;
      while oldest <= newest and recent[oldest] <= moment - interval '1 minute' loop oldest := oldest + 1; end loop;
      recent := recent[oldest:newest];
      is_allowed := cardinality(recent) < most;
      if is_allowed then
        recent := recent || moment;
        update rate_hits set hits = recent where key = who;
      end if;
      remaining := greatest(0, most - cardinality(recent));
      -- Until one more call is allowed than now.
      seconds := greatest(1, ceil(extract(epoch from
        recent[greatest(1, cardinality(recent) - most + 1)] + interval '1 minute' - moment)));
    end $$`.execute(db)
}
