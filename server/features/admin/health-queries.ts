import { sql } from 'kysely'
import { availabilityTarget } from '@keepsnap/contract/legal.ts'
import type { OperatorHealth } from '@keepsnap/contract/operator.ts'
import type { Db } from '../../db/connect.ts'
import { currentPaidPlans } from './account-queries.ts'

const startOfToday = sql`date_trunc('day', now() at time zone 'utc') at time zone 'utc'`
/** The minimum number of measured minutes: with fewer, one missed minute would be many percent. */
const minutesMin = 5

/** How long processing took, of photos that were uploaded within the last hour. */
export async function processingHealth(db: Db): Promise<OperatorHealth['processing']> {
  const { rows } = await sql<OperatorHealth['processing']>`
    with ended as (
      select extract(epoch from finished_at - created_at)::float8 as seconds from photos
      where created_at > now() - interval '1 hour' and state in ('ready', 'failed') and finished_at is not null
    )
    select count(*) as photos, percentile_cont(0.5) within group (order by seconds) as median_seconds,
      max(seconds) as slowest_seconds
    from ended`.execute(db)
  return rows[0] ?? { photos: 0, median_seconds: null, slowest_seconds: null }
}

interface WaitingEmails {
  waiting: number
  since: Date | null
  lastError: string | null
}

/** Waiting emails, and the outcomes of today's emails. */
export async function emailHealth(db: Db): Promise<Omit<OperatorHealth['email'], 'kind'>> {
  const { rows: waiting } = await sql<WaitingEmails>`
    select count(*) as waiting, min(created_at) as since,
      (array_agg(failure order by due_at desc) filter (where failure is not null))[1] as "lastError"
    from emails
    where state = 'queued' and not awaits_verification and (due_at <= now() or failure is not null)`.execute(db)
  // For sent and failed emails, `due_at` is the time of the last attempt.
  const { rows: ended } = await sql<{ state: string; count: number; failure: string | null }>`
    select state, count(*) as count,
      (array_agg(failure order by due_at desc) filter (where failure is not null))[1] as failure
    from emails where state <> 'queued' and due_at >= ${startOfToday} group by state`.execute(db)
  const countOf = (state: string): number => ended.find((row) => row.state === state)?.count ?? 0
  const [row] = waiting
  const lastFailure = row?.waiting ? null : ended.find(({ state }) => state === 'failed')?.failure
  return {
    waiting: row?.waiting ?? 0,
    waiting_since: row?.since?.toISOString() ?? null,
    sent_today: countOf('sent'),
    failed_today: countOf('failed'),
    last_error: row?.lastError ?? lastFailure ?? null,
  }
}

/** How many accounts have a past-due payment. */
export async function countPastDue(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${currentPaidPlans}) as paid where status = 'past_due'`.execute(db)
  return rows[0]?.count ?? 0
}

/** The result of the newest comparison of the database with the store. */
export async function newestStorageCheck(db: Db): Promise<OperatorHealth['integrity']> {
  const check = await db
    .selectFrom('storage_checks')
    .selectAll()
    .orderBy('checked_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return {
    checked_at: check?.checked_at.toISOString() ?? null,
    objects: check?.objects ?? null,
    missing: check?.missing ?? null,
    unknown: check?.unknown ?? null,
  }
}

/** The last backup that the database knows of. */
export async function lastBackup(db: Db): Promise<OperatorHealth['backup']> {
  const { since, finished_at, seconds, damaged } = await db
    .selectFrom('backup_state')
    .selectAll()
    .executeTakeFirstOrThrow()
  return { finished_at: finished_at?.toISOString() ?? null, seconds, since: since.toISOString(), damaged }
}

/** The share of minutes in which the program was available. The current minute is not counted. */
export async function availability(db: Db, targetPercent: number): Promise<OperatorHealth['availability']> {
  const { rows } = await sql<{ since: Date | null; measured: number; answered: number }>`
    with measured as (
      select greatest(min(first_minute), ${startOfToday} - make_interval(days => ${availabilityTarget.days - 1})) as since
      from availability_days having count(*) > 0
    )
    select since, floor(extract(epoch from date_trunc('minute', now()) - since) / 60)::int as measured,
      (select coalesce(sum(minutes), 0) - count(*) filter (where last_minute >= date_trunc('minute', now()))
        from availability_days where day >= (since at time zone 'utc')::date)::int as answered
    from measured`.execute(db)
  const [row] = rows
  if (!row?.since || row.measured < minutesMin) return { since: null, percent: null, target_percent: targetPercent }
  const percent = Math.min(100, (100 * row.answered) / row.measured)
  return { since: row.since.toISOString(), percent: Math.round(percent * 1000) / 1000, target_percent: targetPercent }
}
