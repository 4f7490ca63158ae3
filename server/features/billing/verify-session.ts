import type { Reply } from '@keepsnap/contract/endpoint.ts'
import type { verifySession } from '@keepsnap/contract/billing.ts'
import { plans } from '@keepsnap/contract/plans.ts'
import { Fault, unauthorized } from '../../faults.ts'
import { checkoutOfUser, pendingPayment, saveCheckoutState } from './checkout-queries.ts'
import { paidPlanOf } from './sync-queries.ts'
import { syncCustomer, type SyncDependencies } from './sync-customer.ts'

const unknownCheckout = (): Fault => new Fault('not_found', 'This checkout does not exist.')

/** Asks the provider whether a checkout of a user was paid, and grants its plan. */
export async function verifyCheckout(
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
