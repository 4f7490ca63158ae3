import { sql } from 'kysely'
import {
  cancelSubscription,
  changeSubscription,
  listInvoices,
  openBillingPortal,
  previewChange,
  resumeSubscription,
  type SubscriptionState,
  type SubscriptionStatus,
  subscriptionStatus,
} from '@keepsnap/contract/subscriptions.ts'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import { pages } from '@keepsnap/contract/site.ts'
import { isPlanId, plans, storageBytes } from '@keepsnap/contract/plans.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault, unauthorized } from '../../faults.ts'
import { isUnknownCustomer, PaymentRefused, type Payments, PaymentsDown } from '../../ports/payments/payments.ts'
import { coalesce, prepareQuery } from '../../platform/db/prepared-query.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { currentSubscription, type CurrentSubscription, customerOfUser } from './customers.ts'
import { syncCustomer, type SyncDependencies, syncIfKnown, withoutTakenBack } from './sync-customer.ts'
import { checkPrice, planForSale, requirePayments, requireSales } from './prices.ts'
import { currentMonth, currentPlan, type PlanColumn, planOf, storedBytes } from './plans.ts'
import { removalFields } from './over-limit-photos.ts'

const nothingPaid = (): Fault => new Fault('conflict', 'You have not paid for a plan, so there are no invoices.')

/** The plan of a user with its usage, the subscription that pays for it and its changes, and invoices. */
export function subscriptionRoutes(serve: Serve, deps: Dependencies): void {
  const { config, db, log, payments: sold, pool } = deps
  // A prepared statement with coalesced concurrent reads, because open pages read this often.
  const usageOf = coalesce(prepareQuery(pool, 'billing usage', usageQuery.compile(db)))
  const statusOf = async (userId: string): Promise<SubscriptionStatus> => {
    const [usage] = await usageOf([userId])
    if (!usage) throw unauthorized()
    return {
      ...statusView(usage, sold?.kind ?? 'off'),
      ...(usage.hasRemovals && (await removalFields(db, userId))),
    }
  }
  serve(subscriptionStatus, async (_, { actor }) => statusOf(actor.userId))

  // At the end of the paid period. While a payment is missing, that period is over: the subscription is cancelled at once,
  // and the missing payment is no longer collected.
  serve(cancelSubscription, async (_, { actor: { userId } }) => {
    const { payments, subscription } = await requireSubscription(deps, userId, 'cancel')
    await changeAndSync(deps, subscription, {
      act: () =>
        subscription.status === 'past_due'
          ? payments.cancelNow(subscription.id)
          : payments.setCancelAtPeriodEnd(subscription.id, true),
      refusal: 'Your subscription has ended already.',
    })
    return statusOf(userId)
  })

  serve(resumeSubscription, async (_, { actor: { userId } }) => {
    const { payments, subscription } = await requireSubscription(deps, userId, 'resume')
    await changeAndSync(deps, subscription, {
      act: () => payments.setCancelAtPeriodEnd(subscription.id, false),
      refusal: 'Your subscription has ended. Choose a plan on the pricing page.',
    })
    return statusOf(userId)
  })

  // A cancelled subscription is resumed by the change.
  serve(changeSubscription, async ({ body: { price_id: priceId } }, { actor: { userId } }) => {
    const { payments, subscription } = await requireSubscription(deps, userId, 'change')
    const plan = await planForSale(db, payments, priceId)
    const { id, status, cancelAtPeriodEnd, syncNumber } = subscription
    if (subscription.priceId === priceId)
      throw new Fault(
        'conflict',
        cancelAtPeriodEnd ? `You already have ${plan.name}. Resume it to keep it.` : `You already have ${plan.name}.`,
      )
    if (status === 'past_due')
      throw new Fault('conflict', 'Your last payment is missing. Update your card in Settings, then change the plan.')
    await requireSales(db)
    await checkPrice({ log, payments }, plan, priceId)
    await changeAndSync(deps, subscription, {
      async act() {
        // The key contains the number of the current state, so that changing back and forth are different requests.
        const changed = await payments.changePrice(id, priceId, `change ${id} ${priceId} ${syncNumber}`)
        if (changed.cancelAtPeriodEnd) await payments.setCancelAtPeriodEnd(id, false)
      },
      refusal: 'The change was refused. Check your card in Settings, then try again.',
    })
    return statusOf(userId)
  })

  // What a change would charge now, and what would be left as a credit; nulls when the provider does not say.
  serve(previewChange, async ({ body: { price_id: priceId } }, { actor }) => {
    const { payments, subscription } = await requireSubscription(deps, actor.userId, 'change')
    await planForSale(db, payments, priceId)
    try {
      const { chargedCents, creditCents } = await payments.previewChange(subscription.id, priceId)
      return { charged_cents: chargedCents, credit_cents: creditCents }
    } catch (error) {
      const isKeyRefused = error instanceof PaymentsDown && error.kind === 'refused'
      if (!isKeyRefused && !(error instanceof PaymentRefused)) throw error
      log.warn({ err: error, customer: subscription.customerId }, 'the payment provider gave no preview of a change')
      return { charged_cents: null, credit_cents: null }
    }
  })

  // Newest first.
  serve(listInvoices, async (_, { actor }) => {
    if (!sold) return []
    const customerId = await customerOfUser(db, actor.userId, sold.kind)
    if (customerId === undefined) return []
    const paid = await sold.paymentsOf(customerId).catch((error: unknown) => {
      if (isUnknownCustomer(error)) return []
      throw error
    })
    const refundable = new Set((await withoutTakenBack(db, customerId, paid)).map(({ id }) => id))
    return paid.slice(0, billingLimits.invoicesMax).map((payment) => ({
      id: payment.id,
      paid_at: payment.paidAt.toISOString(),
      amount_cents: payment.amountCents,
      refunded_cents: payment.refundedCents,
      ...(!refundable.has(payment.id) && { is_disputed: true }),
      url: payment.invoiceUrl,
    }))
  })

  // The provider's page for a user's card and invoices.
  serve(openBillingPortal, async (_, { actor }) => {
    const payments = requirePayments(sold)
    const customerId = await customerOfUser(db, actor.userId, payments.kind)
    if (customerId === undefined) throw nothingPaid()
    const url = await payments.portalUrl(customerId, `${config.publicUrl}${pages.settings}`).catch((error: unknown) => {
      throw isUnknownCustomer(error) ? nothingPaid() : error
    })
    if (url === null) throw new Fault('conflict', 'These payments are a demonstration: there is no card to manage.')
    return { url }
  })
}

/** What a user has used, which plan counts, and what determines it. */
interface UsageRow extends PlanColumn {
  photos: number
  bytes: number
  monthEndsAt: Date
  /** A complimentary plan that has not ended. */
  grantedPlan: string | null
  grantedUntil: Date | null
  /** The subscription that counts now. */
  paidPlan: string | null
  paidStatus: SubscriptionState | null
  cancelAtPeriodEnd: boolean | null
  currentPeriodEnd: Date | null
  paidUntil: Date | null
  creditCents: number | null
  refundableUntil: Date | null
  /** A payment that takes days, and the plan that it is for: it is under way, or has failed lately. */
  delayedState: 'pending' | 'failed' | null
  delayedPlan: string | null
  /** Whether photos are going to be removed, or can be put back. */
  hasRemovals: boolean
}

/** For how long Settings say that a payment has failed, unless a later one is made. */
const failureShownDays = 14

const usageQuery = sql<UsageRow>`
  select ${currentPlan} as plan,
    coalesce((select uploads from usage_months where user_id = users.id and month = ${currentMonth}), 0) as photos,
    (select ${storedBytes} from photos where user_id = users.id and deleted_at is null and state <> 'receiving') as bytes,
    (${currentMonth} + interval '1 month') at time zone 'utc' as "monthEndsAt",
    case when granted_until is null or granted_until > now() then granted_plan end as "grantedPlan",
    granted_until as "grantedUntil",
    paid.plan as "paidPlan", paid.status as "paidStatus", paid.cancel_at_period_end as "cancelAtPeriodEnd",
    paid.current_period_end as "currentPeriodEnd", paid.until as "paidUntil", paid.credit_cents as "creditCents",
    case when refundable.until > billing_now() then refundable.until end as "refundableUntil",
    delayed.state as "delayedState", delayed.plan as "delayedPlan",
    exists (select from photo_keeping where photo_keeping.user_id = users.id)
      or exists (select from photo_removals where photo_removals.user_id = users.id) as "hasRemovals"
  from users
    left join paid_plans paid on paid.user_id = users.id and paid.until > billing_now()
      and paid.provider = (select provider from payment_settings)
    left join billing_customers customer on customer.user_id = users.id and replaced_at is null
      and customer.provider = (select provider from payment_settings)
    left join lateral (
      select first_paid_at + make_interval(days => ${sql.lit(billingLimits.refundDays)}) as until
      where not nothing_to_refund and not exists (
        select from refunds where refunds.customer_id = customer.customer_id and subscription_id is null)
    ) refundable on true
    left join lateral (
      select case when state <> 'paid' then state end as state, plan_prices.plan from checkouts
        join plan_prices on plan_prices.price_id = checkouts.price_id and plan_prices.provider = customer.provider
      where checkouts.customer_id = customer.customer_id and (state in ('pending', 'paid')
        or state = 'failed' and state_since > now() - make_interval(days => ${sql.lit(failureShownDays)}))
      order by state = 'pending' desc, created_at desc limit 1
    ) delayed on true
  where users.id = ${''}`

const percentOf = (used: number, limit: number): number => Math.round((1000 * used) / limit) / 10

function complimentaryView({ grantedPlan, grantedUntil }: UsageRow): SubscriptionStatus['complimentary'] {
  if (grantedPlan === null || !isPlanId(grantedPlan)) return null
  const { id, name } = plans[grantedPlan]
  return { id, name, until: grantedUntil?.toISOString() ?? null }
}

function subscriptionView(usage: UsageRow): SubscriptionStatus['subscription'] {
  const { paidPlan, paidStatus, currentPeriodEnd, paidUntil, creditCents } = usage
  // A row of `paid_plans` has all of them.
  if (paidPlan === null || paidStatus === null || currentPeriodEnd === null || paidUntil === null) return null
  const { id, name, price_cents, interval_type } = planOf({ plan: paidPlan })
  return {
    plan: { id, name, price_cents, interval_type },
    status: paidStatus,
    cancel_at_period_end: usage.cancelAtPeriodEnd ?? false,
    current_period_end: currentPeriodEnd.toISOString(),
    grace_until: paidStatus === 'past_due' ? paidUntil.toISOString() : null,
    ...(creditCents && { credit_cents: creditCents }),
  }
}

function delayedView({
  delayedState: state,
  delayedPlan,
  paidPlan,
}: UsageRow): Pick<SubscriptionStatus, 'delayed_payment'> {
  if (state === null || delayedPlan === null || !isPlanId(delayedPlan)) return {}
  if (state === 'failed' && paidPlan !== null) return {}
  const { id, name } = plans[delayedPlan]
  return { delayed_payment: { state, plan: { id, name } } }
}

/** The status of a user's plan as the API returns it. */
function statusView(usage: UsageRow, payments: SubscriptionStatus['payments']): SubscriptionStatus {
  const plan = planOf(usage)
  const { id, name, price_cents, interval_type, features } = plan
  const { max_photos, storage_gb, max_file_size_mb } = features
  const complimentary = complimentaryView(usage)
  const subscription = subscriptionView(usage)
  return {
    has_subscription: subscription !== null,
    subscription,
    plan: { id, name, price_cents, interval_type, features },
    complimentary,
    until: complimentary?.id === id ? complimentary.until : null,
    current_usage: { photos_uploaded: usage.photos, storage_used_bytes: usage.bytes },
    plan_limits: { max_photos, storage_gb, max_file_size_mb },
    usage_percentage: {
      photos: percentOf(usage.photos, max_photos),
      storage: percentOf(usage.bytes, storageBytes(plan)),
    },
    month_ends_at: usage.monthEndsAt.toISOString(),
    payments,
    refundable_until: usage.refundableUntil?.toISOString() ?? null,
    ...delayedView(usage),
  }
}

type Change = 'cancel' | 'change' | 'resume'

const complimentaryTexts: Record<Change, string> = {
  cancel: 'Your plan is complimentary: nothing is charged, so there is nothing to cancel.',
  change:
    'Your plan is complimentary and cannot be changed here. To pay for another plan, choose it on the pricing page.',
  resume: 'Your plan is complimentary: there is no subscription to resume.',
}

const noSubscriptionTexts: Record<Change, string> = {
  cancel: 'You have no subscription to cancel.',
  change: 'You have no subscription to change. Choose a plan on the pricing page.',
  resume: 'You have no subscription to resume. Choose a plan on the pricing page.',
}

/** The user's subscription, or 409 with the reason why there is none. */
async function requireSubscription(
  deps: SyncDependencies,
  userId: string,
  change: Change,
): Promise<{ payments: Payments; subscription: CurrentSubscription }> {
  const { db, payments } = deps
  if (payments) {
    let subscription = await currentSubscription(db, userId, payments.kind)
    if (!subscription) {
      // One may have been paid for a moment ago.
      const customerId = await customerOfUser(db, userId, payments.kind)
      if (customerId !== undefined && (await syncIfKnown(deps, customerId)))
        subscription = await currentSubscription(db, userId, payments.kind)
    }
    if (subscription) return { payments, subscription }
  }
  const { rows: complimentary } = await sql`
    select 1 from users where id = ${userId} and granted_plan is not null
      and (granted_until is null or granted_until > now())`.execute(db)
  if (complimentary.length > 0) throw new Fault('conflict', complimentaryTexts[change])
  requirePayments(payments)
  throw new Fault('conflict', noSubscriptionTexts[change])
}

/** Changes the subscription at the provider, then synchronizes. If the provider refuses, throws 409 with `refusal`. */
async function changeAndSync(
  deps: SyncDependencies,
  { customerId }: CurrentSubscription,
  { act, refusal }: { act: () => Promise<unknown>; refusal: string },
): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error
    deps.log.warn({ err: error, customer: customerId }, 'the payment provider refused a change')
    await syncIfKnown(deps, customerId)
    throw new Fault('conflict', refusal)
  }
  await syncCustomer(deps, customerId)
}
