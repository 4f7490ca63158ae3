import type { Static } from 'typebox'
import type { openCheckout } from '@keepsnap/contract/billing.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault, unauthorized } from '../../faults.ts'
import type { SessionActor } from '../../http/actor.ts'
import type { Origins } from '../../http/origins.ts'
import {
  isUnknownCustomer,
  PaymentRefused,
  PaymentsDown,
  type Checkout,
  type Payments,
} from '../../ports/payments/payments.ts'
import { requireSales } from './check-payments.ts'
import {
  addCheckout,
  newestCheckout,
  refuseSecondSubscription,
  unfinishedCheckouts,
  saveCheckoutState,
  saveCheckoutSessionId,
} from './checkout-queries.ts'
import { currentSubscription, customerOfUser, ensureCustomer, replaceCustomer } from './customers.ts'
import { checkPrice, planForSale, requirePayments, WrongPrice } from './prices.ts'
import { readReturnUrl, withCheckoutId } from './return-urls.ts'
import { syncCustomer, syncIfKnown, type SyncDependencies } from './sync-customer.ts'

type Wanted = Static<(typeof openCheckout)['body']>
type CheckoutDependencies = SyncDependencies & { origins: Origins }

/** Opens a checkout for a user, and counts how that ends; resolves to the URL of the provider's page. */
export async function startCheckout(
  deps: CheckoutDependencies & Pick<Dependencies, 'metrics'>,
  actor: SessionActor,
  wanted: Wanted,
): Promise<string> {
  const count = (outcome: 'opened' | 'refused' | 'unreachable') =>
    deps.metrics.count('keepsnap_checkouts_total', { outcome })
  try {
    const url = await openCheckoutOf(deps, actor, wanted)
    count('opened')
    return url
  } catch (error) {
    const isRefused = error instanceof WrongPrice || (error instanceof Fault && error.code === 'unavailable')
    if (error instanceof PaymentsDown) count(error.kind)
    else if (isRefused || error instanceof PaymentRefused) count('refused')
    throw error
  }
}

async function openCheckoutOf(deps: CheckoutDependencies, actor: SessionActor, wanted: Wanted): Promise<string> {
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
  if (!(await saveCheckoutSessionId(db, { id, sessionId: checkout.id, actor }))) {
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
  deps: CheckoutDependencies,
  payments: Payments,
  intent: CheckoutIntent,
): Promise<{ checkout: Checkout; customerId: string; id: string }> {
  const { db, log } = deps
  const { actor, isRepeated, ...wanted } = intent
  const customerId = await ensureCustomer(db, payments, actor.userId)
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
  deps: CheckoutDependencies,
  payments: Payments,
  { checkout, customerId, id, userId }: { checkout: Checkout; customerId: string; id: string; userId: string },
): Promise<string> {
  const { db } = deps
  // Read from the database, so that concurrent requests agree on which is the newest.
  const newestId = await newestCheckout(db, customerId)
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
async function endUnpaidSubscription(deps: CheckoutDependencies, payments: Payments, userId: string): Promise<void> {
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
