import type { Static } from 'typebox'
import type { openCheckout } from '@keepsnap/contract/billing.ts'
import { Fault, unauthorized } from '../../faults.ts'
import type { Actor } from '../../http/authenticator.ts'
import type { Origins } from '../../http/origins.ts'
import { PaymentRefused, type Checkout, type Payments } from '../../ports/payments/payments.ts'
import {
  addCheckout,
  hasOpenCheckout,
  newestCheckout,
  refuseSecondSubscription,
  saveCheckoutState,
  saveSession,
} from './checkout-queries.ts'
import { currentSubscription, customerOfUser, ensureCustomer } from './customers.ts'
import { checkPrice, planForSale, requirePayments } from './prices.ts'
import { readReturnUrl, withCheckoutId } from './return-urls.ts'
import { syncCustomer, type SyncDependencies } from './sync-customer.ts'

type Wanted = Static<(typeof openCheckout)['body']>
type CheckoutDependencies = SyncDependencies & { origins: Origins }

/** Opens a checkout for a user; the URL of the provider's page. */
export async function startCheckout(deps: CheckoutDependencies, actor: Actor, wanted: Wanted): Promise<string> {
  const { db, origins } = deps
  const payments = requirePayments(deps.payments)
  const successUrl = withCheckoutId(readReturnUrl('success_url', wanted.success_url, origins))
  const cancelUrl = readReturnUrl('cancel_url', wanted.cancel_url, origins)
  const priceId = wanted.price_id
  const plan = await planForSale(db, payments, priceId)
  await endUnpaidSubscription(deps, payments, actor.userId)
  await refuseSecondSubscription(db, actor.userId, payments.kind)
  await checkPrice({ ...deps, payments }, plan, priceId)
  const customerId = await ensureCustomer(db, payments, actor.userId)
  const id = await addCheckout(db, { actor, customerId, priceId, provider: payments.kind })
  const newCheckout = { customerId, priceId, reference: id, successUrl, cancelUrl }
  const checkout = await payments.openCheckout(newCheckout, id).catch((error: unknown) => {
    if (!(error instanceof PaymentRefused)) throw error
    deps.log.error({ err: error, customer: customerId }, 'the payment provider refused to open a checkout')
    throw new Fault('unavailable', 'This plan cannot be bought right now. Please try again later.')
  })
  if (!(await saveSession(db, { id, sessionId: checkout.id, actor }))) {
    await payments.expireCheckout(checkout.id)
    throw unauthorized()
  }
  return newestUrl(deps, payments, { checkout, customerId, id })
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
  if (known?.isGranting) return
  if (known || (await hasOpenCheckout(db, customerId))) await syncCustomer(deps, customerId)
  const subscription = await currentSubscription(db, userId, payments.kind)
  if (subscription?.status !== 'past_due' || subscription.isGranting) return
  await payments.cancelNow(subscription.id)
  await syncCustomer(deps, customerId)
}
