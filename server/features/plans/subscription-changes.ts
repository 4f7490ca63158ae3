import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { Fault } from '../../faults.ts'
import { PaymentRefused, type Payments, PaymentsDown } from '../../ports/payments/payments.ts'
import { currentSubscription, type CurrentSubscription, customerOfUser } from './customers.ts'
import { checkPrice, planForSale, requirePayments, requireSales } from './prices.ts'
import { syncCustomer, type SyncDependencies, syncIfKnown } from './sync-customer.ts'

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

async function hasComplimentaryPlan(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from users where id = ${userId} and granted_plan is not null
      and (granted_until is null or granted_until > now())`.execute(db)
  return rows.length > 0
}

/** The user's subscription, or 409 with the reason why there is none. */
async function requireSubscription(
  deps: SyncDependencies,
  userId: string,
  change: Change,
): Promise<{ payments: Payments; subscription: CurrentSubscription }> {
  const { db, payments } = deps
  const subscription = payments && (await findSubscription(deps, payments, userId))
  if (payments && subscription) return { payments, subscription }
  if (await hasComplimentaryPlan(db, userId)) throw new Fault('conflict', complimentaryTexts[change])
  requirePayments(payments)
  throw new Fault('conflict', noSubscriptionTexts[change])
}

async function findSubscription(deps: SyncDependencies, payments: Payments, userId: string) {
  const known = await currentSubscription(deps.db, userId, payments.kind)
  if (known) return known
  // One may have been paid for a moment ago.
  const customerId = await customerOfUser(deps.db, userId, payments.kind)
  if (customerId === undefined || !(await syncIfKnown(deps, customerId))) return undefined
  return currentSubscription(deps.db, userId, payments.kind)
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

/**
 * Cancels the user's subscription at the end of the paid period. While a payment is missing, that period is over: the
 * subscription is cancelled at once, and the missing payment is no longer collected.
 */
export async function cancel(deps: SyncDependencies, userId: string): Promise<void> {
  const { payments, subscription } = await requireSubscription(deps, userId, 'cancel')
  await changeAndSync(deps, subscription, {
    act: () =>
      subscription.status === 'past_due'
        ? payments.cancelNow(subscription.id)
        : payments.setCancelAtPeriodEnd(subscription.id, true),
    refusal: 'Your subscription has ended already.',
  })
}

/** Continues a subscription that was cancelled and has not ended. */
export async function resume(deps: SyncDependencies, userId: string): Promise<void> {
  const { payments, subscription } = await requireSubscription(deps, userId, 'resume')
  await changeAndSync(deps, subscription, {
    act: () => payments.setCancelAtPeriodEnd(subscription.id, false),
    refusal: 'Your subscription has ended. Choose a plan on the pricing page.',
  })
}

/** What a change of the user's plan would charge now, and what would be left as a credit; nulls when the provider does not say. */
export async function previewChange(
  deps: SyncDependencies,
  userId: string,
  priceId: string,
): Promise<{ charged_cents: number | null; credit_cents: number | null }> {
  const { payments, subscription } = await requireSubscription(deps, userId, 'change')
  await planForSale(deps.db, payments, priceId)
  try {
    const { chargedCents, creditCents } = await payments.previewChange(subscription.id, priceId)
    return { charged_cents: chargedCents, credit_cents: creditCents }
  } catch (error) {
    const isKeyRefused = error instanceof PaymentsDown && error.kind === 'refused'
    if (!isKeyRefused && !(error instanceof PaymentRefused)) throw error
    deps.log.warn({ err: error, customer: subscription.customerId }, 'the payment provider gave no preview of a change')
    return { charged_cents: null, credit_cents: null }
  }
}

/** Changes the user's plan. A cancelled subscription is resumed by the change. */
export async function changePlan(deps: SyncDependencies, userId: string, priceId: string): Promise<void> {
  const { payments, subscription } = await requireSubscription(deps, userId, 'change')
  const plan = await planForSale(deps.db, payments, priceId)
  const { id, status, cancelAtPeriodEnd, syncNumber } = subscription
  if (subscription.priceId === priceId)
    throw new Fault(
      'conflict',
      cancelAtPeriodEnd ? `You already have ${plan.name}. Resume it to keep it.` : `You already have ${plan.name}.`,
    )
  if (status === 'past_due')
    throw new Fault('conflict', 'Your last payment is missing. Update your card in Settings, then change the plan.')
  await requireSales(deps.db)
  await checkPrice({ ...deps, payments }, plan, priceId)
  await changeAndSync(deps, subscription, {
    async act() {
      // The key contains the number of the current state, so that changing back and forth are different requests.
      const changed = await payments.changePrice(id, priceId, `change ${id} ${priceId} ${syncNumber}`)
      if (changed.cancelAtPeriodEnd) await payments.setCancelAtPeriodEnd(id, false)
    },
    refusal: 'The change was refused. Check your card in Settings, then try again.',
  })
}
