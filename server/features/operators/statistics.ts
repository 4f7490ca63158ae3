import { sql } from 'kysely'
import { type AdminStats, adminStats, type OperatorOverview, operatorOverview } from '@keepsnap/contract/operators.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { ApiDependencies } from '../../dependencies.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { recordKeyCall } from './audit-log.ts'
import { countWithdrawals } from './withdrawals.ts'
import { storedBytes, currentGrantedPlans, currentPaidPlans } from '../plans/plans.ts'

/** Numbers of accounts and photos: for the page /admin, and for calls with an admin key. */
export function statisticsRoutes(serve: Serve, { db, slowReadMs }: ApiDependencies): void {
  const overview = cacheSlowReads(() => readOverview(db), slowReadMs)
  const stats = cacheSlowReads(() => readStats(db), slowReadMs)
  serve(operatorOverview, async () => overview())
  serve(adminStats, async (_, { actor }) => {
    await recordKeyCall(db, actor, { action: 'read statistics', outcome: 'done' })
    return stats()
  })
}

const defaultSlowReadMs = 250
/** A result is cached for this many times the duration of its read. */
const usedAgainFactor = 20

/**
 * Limits the share of time spent on reads of the whole database: concurrent calls are coalesced into one read, and the
 * result of one that took at least `slowReadMs` is cached for 20 times its duration. Small instances get fresh numbers at
 * each call.
 */
export function cacheSlowReads<T>(
  read: () => Promise<T>,
  slowReadMs = defaultSlowReadMs,
  clock: { now(): number } = performance,
): () => Promise<T> {
  let underWay: Promise<T> | undefined
  let last: { value: T; usableUntilMs: number } | undefined
  const readNow = async (): Promise<T> => {
    const startedAtMs = clock.now()
    const value = await read()
    const tookMs = clock.now() - startedAtMs
    last = tookMs < slowReadMs ? undefined : { value, usableUntilMs: clock.now() + usedAgainFactor * tookMs }
    return value
  }
  return async () => {
    if (last && clock.now() < last.usableUntilMs) return last.value
    underWay ??= readNow().finally(() => (underWay = undefined))
    return underWay
  }
}

const daysShown = 30
const existing = sql`deleted_at is null and state <> 'receiving'`

async function countUsers(db: Db): Promise<{ total: number; active: number; new7d: number }> {
  const { rows } = await sql<{ total: number; active: number; new7d: number }>`
    select count(*) as total, count(*) filter (where is_active) as active,
      count(*) filter (where created_at > now() - interval '7 days') as "new7d"
    from users`.execute(db)
  return rows[0] ?? { total: 0, active: 0, new7d: 0 }
}

/** Accounts by current plan, for all accounts at once. Must choose as the function `current_plan` does. */
async function countPlans(db: Db): Promise<OperatorOverview['subscribers']> {
  const { rows } = await sql<{ plan: string; isComplimentary: boolean; count: number }>`
    with paid as (${currentPaidPlans}), granted as (${currentGrantedPlans}),
    better as (
      select granted.plan is not null and granted_plans.position > coalesce(paid_plans.position, 0) as is_complimentary,
        paid.plan as paid_plan, granted_plans.id as granted_plan
      from paid full join granted using (user_id)
        left join plans paid_plans on paid_plans.id = paid.plan
        left join plans granted_plans on granted_plans.id = granted.plan
      where paid.plan is not null or granted_plans.id is not null
    )
    select case when is_complimentary then granted_plan else paid_plan end as plan,
      is_complimentary as "isComplimentary", count(*) as count
    from better group by 1, 2`.execute(db)
  const countOf = (matches: (row: (typeof rows)[number]) => boolean): number =>
    rows.filter(matches).reduce((sum, { count }) => sum + count, 0)
  return {
    monthly: countOf((row) => !row.isComplimentary && row.plan === 'pro_monthly'),
    yearly: countOf((row) => !row.isComplimentary && row.plan === 'pro_yearly'),
    complimentary: countOf((row) => row.isComplimentary),
  }
}

async function countPhotos(db: Db): Promise<{ total: number; new30d: number; bytes: number }> {
  const { rows } = await sql<{ total: number; new30d: number; bytes: number }>`
    select count(*) as total, ${storedBytes} as bytes,
      count(*) filter (where created_at > now() - make_interval(days => ${daysShown})) as new30d
    from photos where ${existing}`.execute(db)
  return rows[0] ?? { total: 0, new30d: 0, bytes: 0 }
}

/** Days without photos included; the oldest first. */
async function photosPerDay(db: Db): Promise<OperatorOverview['photos_per_day']> {
  const { rows } = await sql<{ day: string; photos: number }>`
    with today as (select (now() at time zone 'utc')::date as day),
    counted as (
      select (created_at at time zone 'utc')::date as day, count(*) as photos from photos
      where created_at >= ((select day from today) - ${daysShown - 1}::int)::timestamp at time zone 'utc' and ${existing}
      group by 1
    )
    select shown.day::date::text as day, coalesce(photos, 0) as photos
    from today, generate_series(today.day - ${daysShown - 1}::int, today.day, interval '1 day') as shown (day)
      left join counted on counted.day = shown.day::date
    order by 1`.execute(db)
  return rows
}

async function countSupportMessages(db: Db): Promise<OperatorOverview['support']> {
  const { rows } = await sql<OperatorOverview['support']>`
    select count(*) as open, count(*) filter (where is_priority) as priority
    from support_messages where state = 'open'`.execute(db)
  return rows[0] ?? { open: 0, priority: 0 }
}

/** Numbers of accounts and photos, for the admin API. */
async function readStats(db: Db): Promise<AdminStats> {
  const [users, subscribers, photos] = await Promise.all([countUsers(db), countPlans(db), countPhotos(db)])
  const pro = subscribers.monthly + subscribers.yearly + subscribers.complimentary
  return {
    total_users: users.total,
    active_users: users.active,
    total_photos: photos.total,
    subscription_breakdown: { free: users.total - pro, pro },
    recent_activity: { new_photos_30d: photos.new30d },
  }
}

/** Numbers at a glance, for operators. */
async function readOverview(db: Db): Promise<OperatorOverview> {
  const asOf = new Date().toISOString()
  const [users, subscribers, photos, days, support, { open, overdue }] = await Promise.all([
    countUsers(db),
    countPlans(db),
    countPhotos(db),
    photosPerDay(db),
    countSupportMessages(db),
    countWithdrawals(db),
  ])
  return {
    as_of: asOf,
    users: { total: users.total, active: users.active, deactivated: users.total - users.active, new_7d: users.new7d },
    subscribers,
    photos: { total: photos.total, new_30d: photos.new30d, today: days.at(-1)?.photos ?? 0 },
    storage_used_bytes: photos.bytes,
    support,
    withdrawals: { open, overdue },
    photos_per_day: days,
  }
}
