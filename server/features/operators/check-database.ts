import { type RawBuilder, sql } from 'kysely'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import { type FindingKind, findingKinds, type IntegrityFinding } from '@keepsnap/contract/operators.ts'
import type { Db } from '../../platform/db/connect.ts'

/** More than this many of a kind are not counted. */
const countMax = 100_000
const examplesMax = 20

const isRestorable = sql`exists (select from photo_removals where photo_removals.photo_id = photos.id)`

/** Real payments always matter; unfinished demo payments do not once payments are real or off. */
const isRelevantProvider = sql`(billing_customers.provider = 'stripe'
  or billing_customers.provider = (select provider from payment_settings))`

const isComparisonLate = sql`provider is not null and compared_at < now() - interval '2 days'`

/** Accounts whose paid plan differs from our copy of the provider's state, unless events are still unprocessed. */
const mismatchedPlans = sql`
select 'account ' || paid_plans.user_id as name, null::timestamptz as since
from paid_plans join payment_settings on payment_settings.provider = paid_plans.provider
  left join subscriptions on subscriptions.id = paid_plans.subscription_id
  left join billing_customers on billing_customers.customer_id = subscriptions.customer_id
where (billing_customers.user_id is distinct from paid_plans.user_id
    or subscriptions.plan is distinct from paid_plans.plan
    or subscriptions.status <> paid_plans.status
    or subscriptions.cancel_at_period_end <> paid_plans.cancel_at_period_end
    or subscriptions.current_period_end <> paid_plans.current_period_end
    or paid_plans.until > paid_plans.current_period_end + make_interval(days => ${sql.lit(billingLimits.graceDays)})
    or paid_plans.until < billing_now() - interval '2 hours')
  and not exists (select from payment_events
    where payment_events.customer_id = subscriptions.customer_id and processed_at is null)
union all
select 'account ' || users.id, null
from subscriptions join billing_customers using (customer_id)
  join payment_settings on payment_settings.provider = billing_customers.provider
  join users on users.id = billing_customers.user_id
where subscriptions.status = 'active' and subscriptions.plan is not null and users.is_active
  and billing_customers.replaced_at is null and subscriptions.current_period_end > billing_now()
  and not exists (select from paid_plans where paid_plans.user_id = users.id
    and paid_plans.provider = billing_customers.provider)
  and not exists (select from payment_events
    where payment_events.customer_id = subscriptions.customer_id and processed_at is null)`

/** Queries for overdue work: the name of each item and since when it is overdue. */
const lateWork: Partial<Record<FindingKind, RawBuilder<unknown>>> = {
  photos: sql`
    select 'photo ' || id as name, created_at as since from photos
    where state = 'queued' and deleted_at is null
      and created_at < now() - case when slow_ms is null then interval '15 minutes' else interval '1 hour' end
    union all
    select 'upload ' || id, created_at from photos where state = 'receiving' and expires_at < now() - interval '15 minutes'`,
  'jobs-failed': sql`
    select task_identifier || ' (job ' || id || ')', updated_at from graphile_worker.jobs
    where attempts >= max_attempts and locked_at is null`,
  // Slow photos have times in the past by versions before 0045.
  'jobs-waiting': sql`
    select task_identifier || ' (job ' || id || ')', greatest(run_at, created_at) from graphile_worker.jobs
    where locked_at is null and attempts < max_attempts and greatest(run_at, created_at) < now() - interval '15 minutes'
      and task_identifier not in ('process-slow-photo', 'process-long-photo')
    union all
    select task_identifier || ' (job ' || id || ')', locked_at from graphile_worker.jobs
    where locked_at < now() - interval '1 minute'
      and locked_by not in (select id from workers where heartbeat_at > now() - interval '30 seconds')`,
  deletions: sql`
    select 'photo ' || id, deleted_at from photos
    where deleted_at < now() - interval '1 day' and not ${isRestorable}
      and exists (select from stored_objects where stored_objects.photo_id = photos.id)`,
  emails: sql`
    select 'email ' || id || ' (' || kind || ')', created_at from emails
    where state = 'queued' and not awaits_verification and (due_at < now() - interval '15 minutes'
      or failure is not null and created_at < now() - interval '1 hour')`,
  payments: sql`
    select 'event ' || id, received_at from payment_events join payment_settings using (provider)
    where processed_at is null and received_at < now() - interval '15 minutes'
    union all
    select 'refund ' || refunds.id, requested_at from refunds join billing_customers using (customer_id)
    where done_at is null and requested_at < now() - interval '1 day' and ${isRelevantProvider}
    union all
    select 'withdrawal ' || withdrawals.id, decided_at from withdrawals join billing_customers using (customer_id)
    where state = 'accepted' and decided_at < billing_now() - interval '1 day' and ${isRelevantProvider}
    union all
    select 'customer ' || customer_id || ' to close', close_since from billing_customers
      left join users on users.id = user_id
    where users.is_active is not true and closed_at is null and ${isRelevantProvider} and (close_since < billing_now() - interval '1 day'
      or close_since is null and not exists (select from graphile_worker.jobs
        where key = 'close:' || customer_id and attempts < max_attempts))
    union all
    select 'comparison with the payment provider', compared_at from payment_settings where ${isComparisonLate}`,
  plans: mismatchedPlans,
  webhooks: sql`
    select 'delivery ' || webhook_deliveries.id, next_attempt_at
    from webhook_deliveries join webhooks on webhooks.id = webhook_id
    where state = 'waiting' and next_attempt_at < now() - interval '1 hour' and disabled_at is null`,
  expired: sql`
    select 'archive ' || id, expires_at from archives where expires_at < now() - interval '1 day'
    union all
    select 'photo ' || id, deleted_at from photos
    where deleted_at < now() - interval '3 days' and not ${isRestorable}
      and not exists (select from stored_objects where stored_objects.photo_id = photos.id)
    union all
    select 'photo ' || photo_id || ' that can be put back', restorable_until from photo_removals
    where restorable_until < now() - interval '2 days'
    union all
    select 'live ticket', expires_at from ws_tickets where expires_at < now() - interval '1 day'`,
}

interface Overdue {
  count: number
  since: Date | null
  examples: string[] | null
}

/** Finds overdue jobs, emails, payments and deliveries, and expired rows. */
export async function checkOverdueWork(db: Db, found: FindingList): Promise<void> {
  for (const [kind, query] of Object.entries(lateWork)) {
    const { rows } = await sql<Overdue>`
      with late (name, since) as (select * from (${query}) as late limit ${countMax})
      select (select count(*) from late) as count, (select min(since) from late) as since,
        (select array_agg(name) from (select name from late order by since nulls last limit ${examplesMax}) as first) as examples`.execute(
      db,
    )
    const [late] = rows
    // The keys of the object's type.
    if (late) found.addCounted(kind as keyof typeof lateWork, { ...late, examples: late.examples ?? [] })
  }
}

/** How many nodes run jobs now. If none does, everything waits. */
export async function countWorkers(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct node) as count from workers where heartbeat_at > now() - interval '30 seconds'`.execute(db)
  return rows[0]?.count ?? 0
}

const accountsMax = 10_000

/** Accounts whose paid plan differs from our copy of the payment provider's state. */
export async function accountsWithMismatchedPlan(db: Db): Promise<string[]> {
  const { rows } = await sql<{
    name: string
  }>`select name from (${mismatchedPlans}) as other limit ${accountsMax}`.execute(db)
  return rows.map(({ name }) => name.replace(/^account /, ''))
}

/** Whether the nightly comparison of paying customers with the payment provider is overdue. */
export async function hasLateComparison(db: Db): Promise<boolean> {
  const { rows } = await sql`select from payment_settings where ${isComparisonLate}`.execute(db)
  return rows.length > 0
}

const pageSize = 2_000
const countsMax = 10_000
/** The timeout for counting all photos of a large installation. */
const countingMs = 10 * 60_000

interface RowPage {
  last: string | null
  bad: { id: string; problem: 'unregistered' | 'incomplete' }[]
}

/** Photos without a file that their state requires, or with unregistered files; in pages. */
export async function checkPhotoRows(db: Db, found: FindingList): Promise<void> {
  for (let after: string | null = ''; after !== null;) {
    const page = await readPage(db, after)
    for (const { id, problem } of page?.bad ?? []) found.add(problem, id, `photo ${id}`)
    after = page?.last ?? null
  }
}

async function readPage(db: Db, after: string): Promise<RowPage | undefined> {
  const { rows } = await sql<RowPage>`
      with page as (
        select id, state, original_key, full_key, thumb_key, unmarked_key, watermark_key,
          deleted_at is null or exists (select from photo_removals where photo_id = photos.id) as is_kept
        from photos where id > ${after} order by id limit ${pageSize}
      ), bad as (
        select id, 'incomplete' as problem from page where is_kept and (
          state = 'ready' and (full_key is null or thumb_key is null) or state = 'queued' and original_key is null
          or (unmarked_key is null) <> (watermark_key is null))
        union all
        select id, 'unregistered' from page where is_kept and state <> 'receiving' and exists (
          select from unnest(array[original_key, full_key, thumb_key, unmarked_key]) as named (key)
          where named.key is not null
            and not exists (select from stored_objects where stored_objects.key = named.key and photo_id = page.id))
      )
      select (select max(id) from page) as last, coalesce((select json_agg(bad) from bad), '[]') as bad`.execute(db)
  return rows[0]
}

/**
 * Finds months in which more photos exist than are counted. Fewer can be correct: deleted photos stay counted, but
 * their rows are removed after a day. Finds accounts whose number of photos is not how many exist, too.
 */
export async function checkCounts(db: Db, found: FindingList): Promise<void> {
  const { months, accounts } = await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = ${sql.lit(countingMs)}`.execute(tx)
    const counted = await sql<{ userId: string; month: string; uploads: number; photos: number }>`
      select user_id as "userId", month::text as month, coalesce(uploads, 0) as uploads, photos
      from (
        select user_id, counted_month as month, count(*) as photos from photos where state <> 'failed' and source <> 'guest' group by 1, 2
      ) as counted left join usage_months using (user_id, month)
      where coalesce(uploads, 0) < photos order by 1, 2 limit ${countsMax}`.execute(tx)
    // One statement: number and photos are of the same moment.
    const kept = await sql<{ userId: string; kept: number; photos: number }>`
      select photo_counts.user_id as "userId", photo_counts.photos as kept, coalesce(existing.photos, 0) as photos
      from photo_counts left join (
        select user_id, count(*) as photos from photos where deleted_at is null and state <> 'receiving' and is_listed group by 1
      ) as existing using (user_id)
      where photo_counts.photos <> coalesce(existing.photos, 0) order by 1 limit ${countsMax}`.execute(tx)
    return { months: counted.rows, accounts: kept.rows }
  })
  for (const { userId, kept, photos } of accounts)
    found.add('photo-counts', userId, `account ${userId}: ${kept} counted, ${photos} exist`)
  for (const { userId, month, uploads, photos } of months)
    found.add(
      'counts',
      `${userId} ${month}`,
      `account ${userId}, ${month.slice(0, 7)}: ${uploads} counted, ${photos} exist`,
    )
}

/** The result of a full integrity check. `findings` contains only kinds with at least one finding. */
export interface IntegrityReport {
  /** Where it ran. */
  by: 'nightly' | 'operator' | 'command'
  seconds: number
  /** Stored files and their bytes. */
  objects: number
  bytes: number
  /** Files that the database refers to, and how many of them have no checksum because an earlier version stored them. */
  named: number
  withoutChecksum: number
  /** Files whose bytes were read and compared with their checksum. */
  compared: number
  /** Orphaned files that were removed. */
  removed: number
  /** Names in the store that are no keys: how many, and the first of them. Reports of earlier versions lack it. */
  otherNames?: { count: number; examples: string[] }
  findings: IntegrityFinding[]
}

/** How many findings of each kind are kept for repairs; the rest are only counted. */
export const keptFindingsMax = 10_000

/** Collects problems. */
export interface FindingList {
  add(kind: FindingKind, name: string, shown?: string): void
  /** Problems that were counted elsewhere. */
  addCounted(kind: FindingKind, found: { count: number; examples: readonly string[]; since: Date | null }): void
  /** The names of a kind's first findings, at most `keptFindingsMax`. */
  namesOf(kind: FindingKind): readonly string[]
  findings(): IntegrityFinding[]
}

/** An empty list. */
export function createFindingList(): FindingList {
  const byKind = new Map<FindingKind, { names: string[]; examples: string[]; count: number; since: Date | null }>()
  const entryOf = (kind: FindingKind) => {
    const entry = byKind.get(kind) ?? { names: [], examples: [], count: 0, since: null }
    byKind.set(kind, entry)
    return entry
  }
  return {
    add(kind, name, shown = name) {
      const entry = entryOf(kind)
      entry.count += 1
      if (entry.names.length < keptFindingsMax) entry.names.push(name)
      if (entry.examples.length < examplesMax) entry.examples.push(shown)
    },
    addCounted(kind, { count, examples, since }) {
      if (count === 0) return
      const entry = entryOf(kind)
      entry.count += count
      entry.examples.push(...examples.slice(0, examplesMax - entry.examples.length))
      if (since && (!entry.since || since < entry.since)) entry.since = since
    },
    namesOf: (kind) => byKind.get(kind)?.names ?? [],
    findings: () =>
      findingKinds.flatMap((kind) => {
        const entry = byKind.get(kind)
        if (!entry) return []
        const { count, examples, since } = entry
        return [{ kind, count, examples, since: since?.toISOString() ?? null }]
      }),
  }
}
