import { type RawBuilder, sql } from 'kysely'
import { adminLimits, billingLimits, limits } from '@keepsnap/contract/limits.ts'
import {
  operatorGetUser,
  operatorListUsers,
  type OperatorPayments,
  type OperatorUser,
  type OperatorUserDetail,
  type UserFilter,
  adminGetUser,
  adminListUsers,
  type AdminUser,
  type AdminUserDetail,
} from '@keepsnap/contract/operators.ts'
import { storageBytes, tierOf } from '@keepsnap/contract/plans.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault } from '../../faults.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { isId } from '../../lib/ids.ts'
import { hasBranding } from '../branding/brands.ts'
import type { Urls } from '../photos/urls.ts'
import {
  currentGrantedPlans,
  currentMonth,
  currentPaidPlans,
  currentPlan,
  type PlanColumn,
  planOf,
  storedBytes,
} from '../plans/plans.ts'
import { recordKeyCall, recordRead, userSubject } from './audit-log.ts'

const accountNotFound = (): Fault => new Fault('not_found', 'There is no such account.')

/** Accounts as the page /admin shows them, and as calls with an admin key return them. */
export function operatorAccountRoutes(serve: Serve, deps: Dependencies): void {
  const { db, urls } = deps
  serve(operatorListUsers, async ({ query }, { actor: operator }) => {
    const { skip = 0, limit = adminLimits.pageDefault, search = '', filter = 'all' } = query
    const action = search.trim() === '' ? 'list accounts' : 'search accounts'
    await recordRead(db, { operator, action, person: search.trim() })
    const { total, rows } = await pageOfAccounts(db, { filter, search, skip, limit })
    return { users: rows.map(operatorUserView), total, skip, limit }
  })

  serve(operatorGetUser, async ({ params: { user_id: userId } }, { actor: operator }) => {
    const user = await readOperatorUser(deps, userId)
    await recordRead(db, { operator, action: 'read account', person: userId, subject: await userSubject(db, userId) })
    return user
  })

  serve(adminListUsers, async ({ query }, { actor }) => {
    await recordKeyCall(db, actor, { action: 'list accounts', outcome: 'done' })
    const { skip = 0, limit = adminLimits.pageDefault } = query
    const { total, rows } = await pageOfAccounts(db, { filter: 'all', search: '', skip, limit })
    return { users: rows.map((row) => adminUserView(row, urls)), total, skip, limit }
  })

  serve(adminGetUser, async ({ params: { user_id: userId } }, { actor }) => {
    const subject = isId(userId) ? await userSubject(db, userId) : undefined
    const [row] = subject ? await accountsById(db, [userId]) : []
    const refusal = accountNotFound()
    const outcome = row ? 'done' : { refused: refusal.message }
    await recordKeyCall(db, actor, { action: 'read account', subject, outcome })
    if (!row) throw refusal
    return adminUserDetailView(row, urls)
  })
}

/** One account with what an operator can do about it; 404 when there is none. */
export async function readOperatorUser(
  { db, urls }: Pick<Dependencies, 'db' | 'urls'>,
  userId: string,
): Promise<OperatorUserDetail> {
  if (!isId(userId)) throw accountNotFound()
  const [[row], details, payments] = await Promise.all([
    accountsById(db, [userId]),
    accountDetails(db, userId),
    paymentsOf(db, userId),
  ])
  if (!row || !details) throw accountNotFound()
  return { user: operatorUserView(row), account: adminUserDetailView(row, urls), ...details, payments }
}

const filterConditions: Record<UserFilter, RawBuilder<unknown>> = {
  all: sql`true`,
  pro: sql`users.id in (select user_id from (${currentPaidPlans}) as paid union select user_id from (${currentGrantedPlans}) as granted)`,
  past_due: sql`users.id in (select user_id from (${currentPaidPlans}) as paid where status = 'past_due')`,
  deactivated: sql`not users.is_active`,
}

/**
 * One page of a list, the newest account first, and how many accounts the list has. `search`: an id, or a part of the name
 * or the email address.
 */
async function pageOfAccounts(
  db: Db,
  { filter, search, skip, limit }: { filter: UserFilter; search: string; skip: number; limit: number },
): Promise<{ total: number; rows: AccountRow[] }> {
  const text = search.trim()
  // Not LIKE, so that the search text needs no escaping of wildcards.
  const isListed =
    text === ''
      ? filterConditions[filter]
      : sql`${filterConditions[filter]} and (users.id = ${text} or strpos(users.email_key, ${text.toLowerCase()}) > 0
    or strpos(lower(users.username), lower(${text})) > 0)`
  const [counted, page] = await Promise.all([
    sql<{ total: number }>`
    select count(*) as total from users where ${isListed}`.execute(db),
    sql<{ id: string }>`
    select id from users where ${isListed}
    order by created_at desc, id desc limit ${limit} offset ${skip}`.execute(db),
  ])
  const ids = page.rows.map(({ id }) => id)
  return { total: counted.rows[0]?.total ?? 0, rows: await accountsById(db, ids) }
}

/** An account with its plan and usage. */
interface AccountRow extends PlanColumn {
  id: string
  username: string
  email: string
  use_logo_as_watermark: boolean
  ask_email_to_receive_photo: boolean
  allow_marketing_emails: boolean
  allow_promotional_emails: boolean
  is_admin: boolean
  is_active: boolean
  created_at: Date
  becameSubscriberAt: Date | null
  logoKey: string | null
  backgroundKey: string | null
  /** A complimentary plan that has not ended. */
  grantedPlan: string | null
  grantedUntil: Date | null
  /** The subscription that counts now. */
  paidPlan: string | null
  paidStatus: 'active' | 'past_due' | null
  currentPeriodEnd: Date | null
  photoCount: number
  photosThisMonth: number
  storedBytes: number
}

const existingPhotosOf = sql`from photos where user_id = users.id and deleted_at is null and state <> 'receiving'`

/** These accounts, in the order of the ids; those that are deleted meanwhile are left out. */
async function accountsById(db: Db, ids: readonly string[]): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow>`
    select users.id, username, email, use_logo_as_watermark, ask_email_to_receive_photo, allow_marketing_emails,
      allow_promotional_emails, is_admin, is_active, users.created_at, ${currentPlan} as plan,
      (select became_subscriber_at from subscribers where user_id = users.id) as "becameSubscriberAt",
      (select key from brand_images where user_id = users.id and kind = 'logo') as "logoKey",
      (select key from brand_images where user_id = users.id and kind = 'background') as "backgroundKey",
      case when granted_until is null or granted_until > now() then granted_plan end as "grantedPlan",
      granted_until as "grantedUntil", paid.plan as "paidPlan", paid.status as "paidStatus",
      paid.current_period_end as "currentPeriodEnd", stored.photos as "photoCount", stored.bytes as "storedBytes",
      coalesce((select uploads from usage_months where user_id = users.id and month = ${currentMonth}), 0)
        as "photosThisMonth"
    from unnest(${ids}::text[]) with ordinality as listed (id, position) join users on users.id = listed.id
      left join paid_plans paid on paid.user_id = users.id and paid.until > billing_now()
        and paid.provider = (select provider from payment_settings)
      cross join lateral (select count(*) filter (where is_listed) as photos, ${storedBytes} as bytes ${existingPhotosOf}) as stored
    order by listed.position`.execute(db)
  return rows
}

const disputesMax = 20

/** What an account has besides its plan and photos. Undefined when there is no such account. */
async function accountDetails(
  db: Db,
  userId: string,
): Promise<Pick<OperatorUserDetail, 'sessions' | 'api_keys' | 'refundable_until' | 'disputes'> | undefined> {
  const { rows } = await sql<{
    sessions: number
    lastUsedAt: Date | null
    apiKeys: number
    refundableUntil: Date | null
  }>`
    select signed_in.sessions, signed_in.last_used_at as "lastUsedAt",
      (select count(*) from api_keys where user_id = users.id and (expires_at is null or expires_at > now())) as "apiKeys",
      case when refundable.until > billing_now() then refundable.until end as "refundableUntil"
    from users
      cross join lateral (
        select count(*) as sessions, max(last_used_at) as last_used_at from sessions
        where user_id = users.id and last_used_at > now() - make_interval(days => ${limits.sessionIdleDays})
          and sessions.created_at > now() - make_interval(days => ${limits.sessionMaxDays})
      ) as signed_in
      left join lateral (
        select first_paid_at + make_interval(days => ${billingLimits.refundDays}) as until from billing_customers
        where user_id = users.id and provider = (select provider from payment_settings) and replaced_at is null
          and not nothing_to_refund and not exists (
            select from refunds where refunds.customer_id = billing_customers.customer_id and subscription_id is null)
      ) as refundable on true
    where users.id = ${userId}`.execute(db)
  const [user] = rows
  if (!user) return undefined
  const disputes = await db
    .selectFrom('disputes')
    .innerJoin('billing_customers', 'billing_customers.customer_id', 'disputes.customer_id')
    .select(['id', 'state', 'amount_cents', 'reason', 'opened_at', 'respond_by'])
    .where('user_id', '=', userId)
    .orderBy('opened_at', 'desc')
    .limit(disputesMax)
    .execute()
  return {
    sessions: { count: user.sessions, last_used_at: user.lastUsedAt?.toISOString() ?? null },
    api_keys: user.apiKeys,
    // Until when everything that was paid can be refunded; null when nothing can.
    refundable_until: user.refundableUntil?.toISOString() ?? null,
    disputes: disputes.map((dispute) => ({
      ...dispute,
      state: dispute.state as 'open' | 'won' | 'lost', // the table allows only these
      opened_at: dispute.opened_at.toISOString(),
      respond_by: dispute.respond_by?.toISOString() ?? null,
    })),
  }
}

const shownPayments = 20

/** What an account has paid for and what was given back, of every provider and customer that it had. Newest first. */
async function paymentsOf(db: Db, userId: string): Promise<OperatorPayments> {
  const customers = db.selectFrom('billing_customers').where('user_id', '=', userId)
  const { firstPaidAt } = await customers
    .select(sql<Date | null>`min(first_paid_at)`.as('firstPaidAt'))
    .executeTakeFirstOrThrow()
  const subscriptions = await db
    .selectFrom('subscriptions')
    .leftJoin('plans', 'plans.id', 'subscriptions.plan')
    .select(['name', 'status', 'started_at', 'current_period_end', 'cancel_at_period_end', 'ended_at'])
    .where('customer_id', 'in', customers.select('customer_id'))
    .orderBy('started_at', 'desc')
    .limit(shownPayments)
    .execute()
  const refunds = await db
    .selectFrom('refunds')
    .select(['reason', 'requested_at', 'amount_cents', 'done_at'])
    .where('customer_id', 'in', customers.select('customer_id'))
    .unionAll(
      db
        .selectFrom('withdrawals')
        .select([sql<string>`'withdrawal'`.as('reason'), 'made_at as requested_at', 'amount_cents', 'done_at'])
        .where('customer_id', 'in', customers.select('customer_id'))
        .where('state', 'in', ['accepted', 'done']),
    )
    .orderBy('requested_at', 'desc')
    .limit(shownPayments)
    .execute()
  return {
    first_paid_at: firstPaidAt?.toISOString() ?? null,
    subscriptions: subscriptions.map(({ name, status, cancel_at_period_end, ...one }) => ({
      plan_name: name ?? 'Unknown plan',
      status,
      started_at: one.started_at.toISOString(),
      current_period_end: one.current_period_end.toISOString(),
      cancel_at_period_end,
      ended_at: one.ended_at?.toISOString() ?? null,
    })),
    refunds: refunds.map(({ reason, amount_cents, ...one }) => ({
      reason,
      requested_at: one.requested_at.toISOString(),
      amount_cents,
      done_at: one.done_at?.toISOString() ?? null,
    })),
  }
}

const bytesPerMb = 1024 ** 2

/** The account as the admin API returns it. */
function adminUserView(row: AccountRow, urls: Urls): AdminUser {
  const imageUrl = (key: string | null): string | null =>
    key !== null && hasBranding(row) ? urls.brandImage(key) : null
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    subscription_tier: tierOf(planOf(row).id),
    logo_url: imageUrl(row.logoKey),
    background_image_url: imageUrl(row.backgroundKey),
    use_logo_as_watermark: row.use_logo_as_watermark,
    ask_email_to_receive_photo: row.ask_email_to_receive_photo,
    allow_marketing_emails: row.allow_marketing_emails,
    allow_promotional_emails: row.allow_promotional_emails,
    is_admin: row.is_admin,
    is_active: row.is_active,
    created_at: row.created_at.toISOString(),
    became_subscriber_at: row.becameSubscriberAt?.toISOString() ?? null,
    photo_count: row.photoCount,
  }
}

function subscriptionView({ paidPlan, paidStatus, currentPeriodEnd }: AccountRow): AdminUserDetail['subscription'] {
  // A row of `paid_plans` has all of them.
  if (paidPlan === null || paidStatus === null || currentPeriodEnd === null) return null
  const { name } = planOf({ plan: paidPlan })
  return { plan_name: name, status: paidStatus, current_period_end: currentPeriodEnd.toISOString() }
}

/** The account with its subscription and usage, as the admin API returns it. */
const adminUserDetailView = (row: AccountRow, urls: Urls): AdminUserDetail => ({
  ...adminUserView(row, urls),
  subscription: subscriptionView(row),
  usage: { photos_this_month: row.photosThisMonth, storage_used_mb: row.storedBytes / bytesPerMb },
})

/** The account in the list of operators. */
function operatorUserView(row: AccountRow): OperatorUser {
  const plan = planOf(row)
  const isComplimentary = plan.id !== 'free' && row.grantedPlan === plan.id && row.paidPlan !== plan.id
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    is_active: row.is_active,
    is_admin: row.is_admin,
    plan: plan.id,
    is_complimentary: isComplimentary,
    plan_until: isComplimentary ? (row.grantedUntil?.toISOString() ?? null) : null,
    is_past_due: row.paidStatus === 'past_due',
    photos_this_month: row.photosThisMonth,
    photos_per_month: plan.features.max_photos,
    storage_used_bytes: row.storedBytes,
    storage_bytes: storageBytes(plan),
    created_at: row.created_at.toISOString(),
  }
}
