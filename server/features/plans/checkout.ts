import type { Static } from 'typebox'
import { pages } from '@keepsnap/contract/site.ts'
import { openCheckout, verifySession } from '@keepsnap/contract/subscriptions.ts'
import type { Reply } from '@keepsnap/contract/endpoint.ts'
import { plans } from '@keepsnap/contract/plans.ts'
import { Fault, invalidField, unauthorized } from '../../faults.ts'
import type { Origins } from '../../platform/http/origins.ts'
import type { ApiDependencies } from '../../dependencies.ts'
import type { SessionActor } from '../../platform/http/authenticator.ts'
import type { Serve } from '../../platform/http/serve.ts'
import {
  type Checkout,
  isUnknownCustomer,
  PaymentRefused,
  type Payments,
  PaymentsDown,
} from '../../ports/payments/payments.ts'
import { pushBeforeCheckout } from './businesses.ts'
import { checkPrice, planForSale, requirePayments, requireSales, WrongPrice } from './prices.ts'
import { currentSubscription, customerOfUser, ensureCustomer, replaceCustomer, type Provider } from './customers.ts'
import {
  saveCheckoutState,
  unfinishedCheckouts,
  syncCustomer,
  type SyncDependencies,
  syncIfKnown,
} from './sync-customer.ts'
import type { Db } from '../../platform/db/connect.ts'
import { sql } from 'kysely'
import { newId } from '../../lib/ids.ts'
import { paidPlanOf } from './paid-plan.ts'

/** What the payment provider replaces with the id of the checkout. */
const checkoutIdPlaceholder = '{CHECKOUT_SESSION_ID}'

const pagePaths = new Set<string>(Object.values(pages))
// Printable ASCII: no spaces, no control characters and no other scripts, which parsers remove or convert.
const plainUrl = /^https?:\/\/[\x21-\x7e]+$/

/**
 * A URL to return to from a checkout, as it was written: exactly an accepted origin, then exactly the path of one of our
 * pages. docs/security.md T19. Otherwise 422.
 */
export function readReturnUrl(field: 'success_url' | 'cancel_url', url: string, origins: Origins): string {
  const refusal = invalidField(field, 'Give the full URL of a page of this site')
  if (!plainUrl.test(url) || url.includes('\\') || !URL.canParse(url)) throw refusal
  const { origin } = new URL(url)
  // As written, so that what browsers and the provider read is what was checked.
  const [path = ''] = url.slice(origin.length).split(/[?#]/)
  if (!url.startsWith(origin) || !origins.isOrigin(origin) || !pagePaths.has(path)) throw refusal
  return url
}

/** The URL with a place for the id of the checkout: the page needs it to ask whether the checkout was paid. */
export function withCheckoutId(url: string): string {
  if (url.includes(checkoutIdPlaceholder)) return url
  const [beforeFragment = '', ...fragment] = url.split('#')
  const separator = beforeFragment.includes('?') ? '&' : '?'
  return [`${beforeFragment}${separator}session_id=${checkoutIdPlaceholder}`, ...fragment].join('#')
}

type Wanted = Static<(typeof openCheckout)['body']>

/** Opening a checkout, and asking whether it was paid. */
export function checkoutRoutes(serve: Serve, deps: ApiDependencies): void {
  const count = (outcome: 'opened' | 'refused' | 'unreachable') =>
    deps.metrics.count('keepsnap_checkouts_total', { outcome })
  serve(openCheckout, async ({ body }, { actor }) => {
    try {
      const url = await urlOfNewCheckout(deps, actor, body)
      count('opened')
      return { checkout_url: url }
    } catch (error) {
      const isRefused = error instanceof WrongPrice || (error instanceof Fault && error.code === 'unavailable')
      if (error instanceof PaymentsDown) count(error.kind)
      else if (isRefused || error instanceof PaymentRefused) count('refused')
      throw error
    }
  })
  serve(verifySession, async ({ body }, { actor }) => verifyCheckout(deps, actor.userId, body.session_id))
}

/** Opens a checkout for a user; resolves to the URL of the provider's page. */
async function urlOfNewCheckout(deps: ApiDependencies, actor: SessionActor, wanted: Wanted): Promise<string> {
  const { db, origins } = deps
  const payments = requirePayments(deps.payments)
  const successUrl = withCheckoutId(readReturnUrl('success_url', wanted.success_url, origins))
  const cancelUrl = readReturnUrl('cancel_url', wanted.cancel_url, origins)
  const priceId = wanted.price_id
  const plan = await planForSale(db, payments, priceId)
  await requireSales(db)
  await endUnpaidSubscription(deps, payments, actor.userId)
  await refuseSecondSubscription(db, actor.userId, payments.kind)
  await checkPrice({ ...deps, payments }, plan, priceId)
  const { checkout, customerId, id } = await openProviderCheckout(deps, payments, {
    actor,
    priceId,
    successUrl,
    cancelUrl,
  })
  const isSaved = await db.transaction().execute(async (tx) => {
    if (!(await lockActor(tx, actor))) return false
    await tx.updateTable('checkouts').set({ session_id: checkout.id }).where('id', '=', id).execute()
    return true
  })
  if (!isSaved) {
    await payments.expireCheckout(checkout.id)
    throw unauthorized()
  }
  return expireOlderCheckouts(deps, payments, { checkout, customerId, id, userId: actor.userId })
}

interface CheckoutIntent {
  actor: SessionActor
  priceId: string
  successUrl: string
  cancelUrl: string
  /** Whether this is the retry with a new customer, because the provider did not know the first. */
  isRepeated?: boolean
}

/** Stores the intent and opens its checkout. Retries once with another customer if the provider does not know it. */
async function openProviderCheckout(
  deps: SyncDependencies,
  payments: Payments,
  intent: CheckoutIntent,
): Promise<{ checkout: Checkout; customerId: string; id: string }> {
  const { db, log } = deps
  const { actor, isRepeated, ...wanted } = intent
  const customerId = await ensureCustomer(db, payments, actor.userId)
  await pushBeforeCheckout(deps, actor.userId)
  const id = await addCheckout(db, { actor, customerId, priceId: wanted.priceId, provider: payments.kind })
  try {
    return { checkout: await payments.openCheckout({ customerId, ...wanted, reference: id }, id), customerId, id }
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error
    if (isUnknownCustomer(error) && !isRepeated) {
      await replaceCustomer(db, payments, { userId: actor.userId, unknownId: customerId })
      return openProviderCheckout(deps, payments, { ...intent, isRepeated: true })
    }
    log.error({ err: error, customer: customerId }, 'the payment provider refused to open a checkout')
    throw new Fault('unavailable', 'This plan cannot be bought right now. Please try again later.')
  }
}

/**
 * Expires the older open checkouts, so that only the newest can be paid; resolves to its URL. If an older one was completed
 * meanwhile, that one counts and the newest is expired.
 */
async function expireOlderCheckouts(
  deps: SyncDependencies,
  payments: Payments,
  { checkout, customerId, id, userId }: { checkout: Checkout; customerId: string; id: string; userId: string },
): Promise<string> {
  const { db } = deps
  // Read from the database, so that concurrent requests agree on which is the newest.
  const newest = await db
    .selectFrom('checkouts')
    .select('id')
    .where('customer_id', '=', customerId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const newestId = newest?.id
  for (const open of await payments.openCheckoutsOf(customerId))
    if (open.reference !== newestId) await payments.expireCheckout(open.id)
  let isOtherCompleted = false
  for (const { id: sessionId } of await unfinishedCheckouts(db, customerId)) {
    if (sessionId === checkout.id && newestId === id) continue
    const state = (await payments.checkout(sessionId))?.state ?? 'expired'
    if (state === 'expired') await saveCheckoutState(db, sessionId, state)
    else if (state !== 'open') isOtherCompleted = true
  }
  if (isOtherCompleted) {
    await payments.expireCheckout(checkout.id)
    await saveCheckoutState(db, checkout.id, 'expired')
    await syncCustomer(deps, customerId, { asksCheckouts: true })
    await refuseSecondSubscription(db, userId, payments.kind)
  }
  if (isOtherCompleted || newestId !== id || checkout.url === null)
    throw new Fault('conflict', 'Another checkout was opened at the same time. Please try again.')
  return checkout.url
}

/**
 * Synchronizes with the provider first, so that a payment made just now is not made twice. Then cancels a past-due
 * subscription whose grace period is over, so that a returning user can choose a plan and is charged once.
 */
async function endUnpaidSubscription(deps: SyncDependencies, payments: Payments, userId: string): Promise<void> {
  const { db } = deps
  const customerId = await customerOfUser(db, userId, payments.kind)
  if (customerId === undefined) return
  const known = await currentSubscription(db, userId, payments.kind)
  if (!(await syncIfKnown(deps, customerId, { asksCheckouts: true })))
    return replaceCustomer(db, payments, { userId, unknownId: customerId })
  if (known?.isGranting) return
  const subscription = await currentSubscription(db, userId, payments.kind)
  if (subscription?.status !== 'past_due' || subscription.isGranting) return
  await payments.cancelNow(subscription.id)
  await syncCustomer(deps, customerId)
}

const unknownCheckout = (): Fault => new Fault('not_found', 'This checkout does not exist.')

/** Asks the provider whether a checkout of a user was paid, and grants its plan. */
async function verifyCheckout(
  deps: SyncDependencies,
  userId: string,
  sessionId: string,
): Promise<Reply<typeof verifySession>> {
  const { db, payments } = deps
  const known = payments && (await checkoutOfUser(db, userId, sessionId))
  if (!known) throw unknownCheckout()
  const checkout = await payments.checkout(sessionId)
  if (!checkout || checkout.customerId !== known.customerId || checkout.reference !== known.id) throw unknownCheckout()
  let state: string = checkout.state
  if (state === 'pending' || state === 'failed') {
    await syncCustomer(deps, known.customerId, { asksCheckouts: true })
    // The payment may have arrived, or failed, between the two requests.
    state = (await checkoutOfUser(db, userId, sessionId))?.state ?? state
    if (state === 'pending') throw pendingPayment()
    if (state === 'failed')
      throw new Fault('conflict', 'Your payment has failed and nothing was charged. Please choose a plan again.')
  } else await saveCheckoutState(db, sessionId, checkout.state)
  if (state === 'open')
    throw new Fault('conflict', 'This checkout has not been paid. Finish the payment, or choose a plan again.')
  if (state === 'expired')
    throw new Fault('conflict', 'This checkout has expired and nothing was charged. Please choose a plan again.')
  await syncCustomer(deps, known.customerId)
  const paidPlan = await paidPlanOf(db, userId, payments.kind)
  if (paidPlan && paidPlan.subscriptionId === checkout.subscriptionId) {
    const { name, price_cents, interval_type } = plans[paidPlan.plan]
    return { plan: { name, price_cents, interval_type }, current_period_end: paidPlan.currentPeriodEnd.toISOString() }
  }
  // The account may have been deleted meanwhile.
  if (!(await db.selectFrom('users').select('id').where('id', '=', userId).executeTakeFirst())) throw unauthorized()
  throw new Fault('conflict', await reasonWithoutPlan(deps, checkout.subscriptionId))
}

/** Why a checkout that was completed grants no plan. */
async function reasonWithoutPlan({ db }: SyncDependencies, subscriptionId: string | null): Promise<string> {
  const subscription = await db
    .selectFrom('subscriptions')
    .select(['status', 'plan'])
    .where('id', '=', subscriptionId ?? '')
    .executeTakeFirst()
  const refund = await db
    .selectFrom('refunds')
    .select('id')
    .where('subscription_id', '=', subscriptionId ?? '')
    .executeTakeFirst()
  if (refund) return 'You already had a plan. Your second payment is being refunded.'
  if (subscription?.status === 'canceled') return 'The subscription of this checkout has ended.'
  if (subscription && subscription.plan === null)
    return 'Your payment has arrived, but its plan is unknown here. Please contact the person who runs this site.'
  return 'Your payment is still being processed. Your plan starts as soon as it has arrived.'
}

/** Throws 409 for a user with a subscription, or whose payment is under way: a second one would be charged as well. */
async function refuseSecondSubscription(db: Db, userId: string, provider: Provider): Promise<void> {
  if (await currentSubscription(db, userId, provider))
    throw new Fault('conflict', 'You already pay for a plan. Use POST /subscriptions/change to change to another one.')
  const pending = await db
    .selectFrom('checkouts')
    .innerJoin('billing_customers', 'billing_customers.customer_id', 'checkouts.customer_id')
    .select('id')
    .where('billing_customers.user_id', '=', userId)
    .where('provider', '=', provider)
    .where('replaced_at', 'is', null)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  if (pending) throw pendingPayment()
}

/** The refusal while a payment is under way. */
const pendingPayment = (): Fault =>
  new Fault(
    'payment_pending',
    'Your payment is on its way, which can take some days with this payment method. Your plan starts when it arrives; you need not pay again.',
  )

/** Whether the account may be used and the session has not ended; locks the account. */
async function lockActor(tx: Db, { userId, sessionHash }: SessionActor): Promise<boolean> {
  const { rows: users } = await sql`
    select 1 from users where id = ${userId} and is_active for no key update`.execute(tx)
  // After the lock, because sessions are ended under it.
  const { rows: sessions } = await sql`select 1 from sessions where token_hash = ${sessionHash}`.execute(tx)
  return users.length > 0 && sessions.length > 0
}

/** Stores the intent to open a checkout; resolves to its id. */
async function addCheckout(
  db: Db,
  {
    actor,
    customerId,
    priceId,
    provider,
  }: { actor: SessionActor; customerId: string; priceId: string; provider: Provider },
): Promise<string> {
  const id = newId()
  await db.transaction().execute(async (tx) => {
    if (!(await lockActor(tx, actor))) throw unauthorized()
    await refuseSecondSubscription(tx, actor.userId, provider)
    // A reactivated account can pay again.
    await sql`
      update billing_customers set close_since = null, closed_at = null
      where customer_id = ${customerId} and close_since is not null`.execute(tx)
    const row = { id, user_id: actor.userId, customer_id: customerId, price_id: priceId }
    // `clock_timestamp()` under the lock, so that checkouts are ordered as they got the lock.
    await tx
      .insertInto('checkouts')
      .values({ ...row, created_at: sql<Date>`clock_timestamp()` })
      .execute()
  })
  return id
}

/** A checkout of a user, by the provider's id. */
const checkoutOfUser = (db: Db, userId: string, sessionId: string) =>
  db
    .selectFrom('checkouts')
    .select(['id', 'customer_id as customerId', 'state'])
    .where('session_id', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
