import type { Static } from 'typebox'
import type { openCheckout } from '@keepsnap/contract/billing.ts'
import { Fault, unauthorized } from '../../faults.ts'
import type { SessionActor } from '../../http/actor.ts'
import type { Origins } from '../../http/origins.ts'
import { isUnknownCustomer, PaymentRefused, type Checkout, type Payments } from '../../ports/payments/payments.ts'
import {
  addCheckout,
  newestCheckout,
  refuseSecondSubscription,
  saveCheckoutState,
  saveSession,
} from './checkout-queries.ts'
import { currentSubscription, customerOfUser, ensureCustomer, replaceCustomer } from './customers.ts'
import { checkPrice, planForSale, requirePayments } from './prices.ts'
import { readReturnUrl, withCheckoutId } from './return-urls.ts'
import { syncCustomer, syncIfKnown, type SyncDependencies } from './sync-customer.ts'

type Wanted = Static<(typeof openCheckout)['body']>
type CheckoutDependencies = SyncDependencies & { origins: Origins }

/** Opens a checkout for a user; the URL of the provider's page. */
export async function startCheckout(deps: CheckoutDependencies, actor: SessionActor, wanted: Wanted): Promise<string> {
  const { db, origins } = deps
  const payments = requirePayments(deps.payments)
  const successUrl = withCheckoutId(readReturnUrl('success_url', wanted.success_url, origins))
  const cancelUrl = readReturnUrl('cancel_url', wanted.cancel_url, origins)
  const priceId = wanted.price_id
  const plan = await planForSale(db, payments, priceId)
  await endUnpaidSubscription(deps, payments, actor.userId)
  await refuseSecondSubscription(db, actor.userId, payments.kind)
  await checkPrice({ ...deps, payments }, plan, priceId)
  const { checkout, customerId, id } = await openIntended(deps, payments, { actor, priceId, successUrl, cancelUrl })
  if (!(await saveSession(db, { id, sessionId: checkout.id, actor }))) {
    await payments.expireCheckout(checkout.id)
    throw unauthorized()
  }
  return newestUrl(deps, payments, { checkout, customerId, id })
}

interface Intended {
  actor: SessionActor
  priceId: string
  successUrl: string
  cancelUrl: string
  /** With another customer, because the provider did not know the first. */
  isRepeated?: boolean
}

/** Stores the intent and opens its checkout; a second time, with another customer, when the provider does not know the first. */
async function openIntended(
  deps: CheckoutDependencies,
  payments: Payments,
  intended: Intended,
): Promise<{ checkout: Checkout; customerId: string; id: string }> {
  const { db, log } = deps
  const { actor, isRepeated, ...wanted } = intended
  const customerId = await ensureCustomer(db, payments, actor.userId)
  const id = await addCheckout(db, { actor, customerId, priceId: wanted.priceId, provider: payments.kind })
  try {
    return { checkout: await payments.openCheckout({ customerId, ...wanted, reference: id }, id), customerId, id }
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error
    if (isUnknownCustomer(error) && !isRepeated) {
      await replaceCustomer(db, payments, { userId: actor.userId, unknownId: customerId })
      return openIntended(deps, payments, { ...intended, isRepeated: true })
    }
    log.error({ err: error, customer: customerId }, 'the payment provider refused to open a checkout')
    throw new Fault('unavailable', 'This plan cannot be bought right now. Please try again later.')
  }
}

/** Ends the older open checkouts, so that only the newest can be paid. */
async function newestUrl(
  { db }: CheckoutDependencies,
  payments: Payments,
  { checkout, customerId, id }: { checkout: Checkout; customerId: string; id: string },
): Promise<string> {
  // When several are opened at the same time, all agree about which is the newest.
  const newestId = await newestCheckout(db, customerId)
  for (const open of await payments.openCheckoutsOf(customerId)) {
    if (open.reference === newestId) continue
    await payments.expireCheckout(open.id)
    await saveCheckoutState(db, open.id, (await payments.checkout(open.id))?.state ?? 'expired')
  }
  if (newestId !== id || checkout.url === null)
    throw new Fault('conflict', 'Another checkout was opened at the same time. Please try again.')
  return checkout.url
}

/**
 * Learns of a payment that was just made, so that nobody pays twice; and ends a subscription whose payment has been
 * missing for so long that it grants nothing, so that who comes back can choose a plan and pay once.
 */
async function endUnpaidSubscription(deps: CheckoutDependencies, payments: Payments, userId: string): Promise<void> {
  const { db } = deps
  const customerId = await customerOfUser(db, userId, payments.kind)
  if (customerId === undefined) return
  const known = await currentSubscription(db, userId, payments.kind)
  if (!(await syncIfKnown(deps, customerId))) return replaceCustomer(db, payments, { userId, unknownId: customerId })
  if (known?.isGranting) return
  const subscription = await currentSubscription(db, userId, payments.kind)
  if (subscription?.status !== 'past_due' || subscription.isGranting) return
  await payments.cancelNow(subscription.id)
  await syncCustomer(deps, customerId)
}
