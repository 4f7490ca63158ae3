import { sql } from 'kysely'
import { availabilityTarget, health as healthEndpoint, ready } from '@keepsnap/contract/site.ts'
import { type OperatorHealth, operatorHealth } from '@keepsnap/contract/operators.ts'
import type { Reply } from '@keepsnap/contract/endpoint.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { ApiDependencies, Dependencies } from '../../dependencies.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { queueStates } from '../../platform/jobs/queue.ts'
import { isPrivateUrl } from '../../lib/private-url.ts'
import { isMailOff, sampleSettings } from '../../ports/mail/mail-settings.ts'
import { isAnyAwaitingRoom } from '../emails/send-email.ts'
import { Fault } from '../../faults.ts'
import { cacheSlowReads } from './statistics.ts'
import { billingHealth } from '../plans/billing-health.ts'
import { waitingRemovals } from '../plans/keeping.ts'
import { currentPaidPlans } from '../plans/plans.ts'

/** The state of queues, emails, payments, the store and backups, for operators. */
export function operatorHealthRoutes(serve: Serve, deps: ApiDependencies): void {
  const health = cacheSlowReads(() => readHealth(deps), deps.slowReadMs)
  serve(operatorHealth, async () => health())
}

async function readHealth({ config, db, mail, payments }: Dependencies): Promise<OperatorHealth> {
  const asOf = new Date().toISOString()
  const [queues, processing, email, billing, pastDue, store, backup, removals, uptime] = await Promise.all([
    queueStates(db),
    processingHealth(db),
    emailHealth(db),
    billingHealth(db),
    countPastDue(db),
    newestStorageCheck(db),
    lastBackup(db),
    waitingRemovals(db),
    availability(db, availabilityTarget.percent),
  ])
  return {
    as_of: asOf,
    queues: queues.map(({ oldestWaitingSeconds, ...queue }) => ({
      ...queue,
      oldest_waiting_seconds: oldestWaitingSeconds,
    })),
    processing,
    email: { kind: isMailOff(config) ? 'off' : mail.kind, ...email },
    billing: {
      payments: payments?.kind ?? 'off',
      refused_because: billing.refusedBecause,
      check_warning: billing.checkWarning,
      unreachable_because: billing.unreachableBecause,
      open_disputes: billing.openDisputes,
      compared_at: billing.comparedAt?.toISOString() ?? null,
      mismatches: billing.mismatches,
      last_webhook_at: billing.lastWebhookAt?.toISOString() ?? null,
      unprocessed_events: billing.unprocessedEvents,
      past_due: pastDue,
      open_refunds: billing.unfinishedRefunds,
    },
    integrity: store,
    backup,
    removals,
    operator: { sample_settings: sampleSettings(config), is_public: !isPrivateUrl(config.publicUrl) },
    availability: uptime,
  }
}

const startOfToday = sql`date_trunc('day', now() at time zone 'utc') at time zone 'utc'`

/** The minimum number of measured minutes: with fewer, one missed minute would be many percent. */
const minutesMin = 5

/** How long processing took, of photos that were uploaded within the last hour. */
async function processingHealth(db: Db): Promise<OperatorHealth['processing']> {
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

/** Waiting emails, and the outcomes of today's emails. */
async function emailHealth(db: Db): Promise<Omit<OperatorHealth['email'], 'kind'>> {
  const { rows: waiting } = await sql<{ waiting: number; since: Date | null; lastError: string | null }>`
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
async function countPastDue(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${currentPaidPlans}) as paid where status = 'past_due'`.execute(db)
  return rows[0]?.count ?? 0
}

/** The result of the newest comparison of the database with the store. */
async function newestStorageCheck(db: Db): Promise<OperatorHealth['integrity']> {
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
async function lastBackup(db: Db): Promise<OperatorHealth['backup']> {
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

/** Several times a minute, so that none is missed. */
const measureEveryMs = 20_000

const keepDays = 400

/** Counts the current minute as available, once across all nodes. */
export async function recordMinute(db: Db): Promise<void> {
  await sql`
    insert into availability_days as days (day, first_minute, last_minute, minutes)
    select (minute at time zone 'utc')::date, minute, minute, 1 from (select date_trunc('minute', now()) as minute) as now
    on conflict (day) do update set last_minute = excluded.last_minute, minutes = days.minutes + 1
      where days.last_minute < excluded.last_minute`.execute(db)
}

/** Records the minutes in which this node serves requests while the database and the store respond. */
export function createAvailabilityMeter({ db, storage, log }: Pick<Dependencies, 'db' | 'storage' | 'log'>) {
  let timer: NodeJS.Timeout | undefined
  const check = async (): Promise<void> => {
    try {
      await storage.check()
      await recordMinute(db)
    } catch (error) {
      log.debug({ err: error }, 'this minute does not count as available')
    }
  }
  return {
    /** Call it when requests are accepted. */
    start(): void {
      void check()
      timer ??= setInterval(() => void check(), measureEveryMs).unref()
    },
    close(): void {
      clearInterval(timer)
    },
  }
}

export async function deleteOldAvailability(db: Db): Promise<void> {
  await sql`delete from availability_days where day < (now() at time zone 'utc')::date - ${keepDays}::int`.execute(db)
}

const healthCheckTimeoutMs = 2_000

const checkEveryMs = 1_000

/** Longer, because this check queries the email queue. */
const mailCheckEveryMs = 10_000

/** Whether a check succeeds in time. */
async function succeedsInTime(check: Promise<unknown>): Promise<boolean> {
  let checkTimer: NodeJS.Timeout | undefined
  const checkTimedOut = new Promise<false>(
    (resolve) => (checkTimer = setTimeout(() => resolve(false), healthCheckTimeoutMs)),
  )
  try {
    return await Promise.race([check.then(() => true), checkTimedOut])
  } catch {
    return false
  } finally {
    clearTimeout(checkTimer)
  }
}

type MailState = Reply<typeof ready>['mail']

/** Returns whether emails wait for space in the outbox folder; the last known state if the database is slow. */
function createMailCheck({ db, mail }: Pick<Dependencies, 'db' | 'mail'>): () => Promise<MailState> {
  let state: MailState = 'on'
  let startedAtMs = -Infinity
  let check: Promise<unknown> | undefined
  return async () => {
    if (mail.kind !== 'outbox') return 'on'
    // One at a time, however long it takes.
    if (!check && performance.now() - startedAtMs > mailCheckEveryMs) {
      startedAtMs = performance.now()
      check = isAnyAwaitingRoom(db)
        .then((isWaiting) => (state = isWaiting ? 'waiting' : 'on'))
        .finally(() => (check = undefined))
    }
    if (check) await succeedsInTime(check)
    return state
  }
}

/**
 * Whether the program runs, and whether it is ready for requests. Reveals no internals except what every guest page
 * shows, whether email is set up, whether emails wait for space, and which of database and store is down.
 */
export function healthRoutes(
  serve: Serve,
  { config, db, storage, mail }: Dependencies,
  isStopping: () => boolean,
): void {
  let lastCheck: { startedAtMs: number; problem: Promise<string | undefined> } | undefined
  const findProblem = async (): Promise<string | undefined> => {
    const healthChecks = [succeedsInTime(sql`select 1`.execute(db)), succeedsInTime(storage.check())]
    const [isDatabaseUp, isStoreUp] = await Promise.all(healthChecks)
    if (!isDatabaseUp) return 'Not ready: the database is down. It is tried again until it is back.'
    return isStoreUp ? undefined : 'Not ready: photos cannot be stored or read.'
  }
  // Anybody may call this as often as they like, so the checks themselves are made once a second.
  const currentProblem = (): Promise<string | undefined> => {
    if (!lastCheck || performance.now() - lastCheck.startedAtMs > checkEveryMs)
      lastCheck = { startedAtMs: performance.now(), problem: findProblem() }
    return lastCheck.problem
  }
  const currentMailState = createMailCheck({ db, mail })

  serve(healthEndpoint, async () => ({
    status: (await currentProblem()) === undefined ? ('ok' as const) : ('degraded' as const),
    timestamp: new Date().toISOString(),
  }))

  serve(ready, async () => {
    const problem = isStopping() ? 'Not ready: stopping.' : await currentProblem()
    if (problem !== undefined) throw new Fault('unavailable', problem, 2)
    return {
      status: 'ready' as const,
      mail: isMailOff(config) ? ('off' as const) : await currentMailState(),
      timestamp: new Date().toISOString(),
    }
  })
}
