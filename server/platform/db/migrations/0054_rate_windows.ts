import { type Kysely, sql } from 'kysely'

/**
 * `count_rates` and `count_rate` with a window: in any so many seconds. Those without one count in any 60, and stay for nodes of an
 * earlier version.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // As in 0027_rates.ts and 0052_network_rates.ts, but for the window.
  await sql`
    create function count_rate(
      who text, most integer, span integer, out is_allowed boolean, out remaining integer, out seconds integer
    ) language plpgsql as $$
    declare recent timestamptz[]; moment timestamptz; oldest integer := 1; newest integer;
      time_span interval := make_interval(secs => span);
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
        -- The clock was set back. Such calls count as calls of this moment, so that nobody waits for longer than the window.
        recent := array(select least(hit, moment) from unnest(recent) with ordinality as one (hit, place) order by place);
        update rate_hits set hits = recent where key = who;
      end if;
      while oldest <= newest and recent[oldest] <= moment - time_span loop oldest := oldest + 1; end loop;
      recent := recent[oldest:newest];
      is_allowed := cardinality(recent) < most;
      if is_allowed then
        recent := recent || moment;
        update rate_hits set hits = recent where key = who;
      end if;
      remaining := greatest(0, most - cardinality(recent));
      -- Until one more call is allowed than now.
      seconds := greatest(1, ceil(extract(epoch from
        recent[greatest(1, cardinality(recent) - most + 1)] + time_span - moment)));
    end $$`.execute(db)
  await sql`
    create function count_rates(
      who text[], most integer[], span integer,
      out is_allowed boolean, out remaining integer, out seconds integer, out refused integer
    ) language plpgsql as $$
    declare counted record;
    begin
      for place in 1 .. cardinality(who) loop
        counted := count_rate(who[place], most[place], span);
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
