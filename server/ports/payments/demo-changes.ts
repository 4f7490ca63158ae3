import { lockDemoCustomer } from './demo-customer.ts'
import type { DemoStore, LockedDemoCustomer } from './demo-store.ts'
import {
  endSubscription,
  knownPrice,
  payMissing,
  previewPrice,
  startPrice,
  subscriptionOf,
  subscriptionRow,
  updateSubscription,
} from './demo-subscriptions.ts'
import { PaymentRefused, type ChangePreview, type Subscription } from './payments.ts'

type LockedRow = Awaited<ReturnType<typeof subscriptionRow>>

/** Runs a transaction with a subscription and its customer's row locked. */
async function lockSubscription<T>(
  store: DemoStore,
  id: string,
  work: (customer: LockedDemoCustomer, row: LockedRow) => Promise<T>,
): Promise<T> {
  const found = await store.db
    .selectFrom('demo_subscriptions')
    .select('customer_id')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw new PaymentRefused(`there is no subscription ${id}`)
  return lockDemoCustomer(store, found.customer_id, async (customer) =>
    work(customer, await subscriptionRow(customer, id)),
  )
}

function refuseUnpaid({ ended_at: endedAt, unpaid_since: unpaidSince }: LockedRow): void {
  if (endedAt || unpaidSince) throw new PaymentRefused('the subscription has ended, or is not paid')
}

/** Idempotent: the same key has no effect a second time, even if the price has changed back since. */
export const changePrice = (
  store: DemoStore,
  change: { subscriptionId: string; priceId: string },
  idempotencyKey: string,
): Promise<Subscription> =>
  lockSubscription(store, change.subscriptionId, async (customer, row) => {
    const price = knownPrice(change.priceId)
    const values = { subscription_id: row.id, price_id: price.id }
    const { numInsertedOrUpdatedRows: inserted = 0n } = await customer.tx
      .insertInto('demo_price_changes')
      .values({ idempotency_key: idempotencyKey, ...values })
      .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
      .executeTakeFirstOrThrow()
    if (inserted === 0n) {
      const earlier = await customer.tx
        .selectFrom('demo_price_changes')
        .select(['subscription_id', 'price_id'])
        .where('idempotency_key', '=', idempotencyKey)
        .executeTakeFirstOrThrow()
      if (earlier.subscription_id !== row.id || earlier.price_id !== price.id)
        throw new PaymentRefused('the idempotency key was used for another change')
      return subscriptionOf(row)
    }
    refuseUnpaid(row)
    return subscriptionOf(row.price_id === price.id ? row : await startPrice(customer, row, price))
  })

/** What a change of the price would cost now. */
export const previewChange = (store: DemoStore, id: string, priceId: string): Promise<ChangePreview> =>
  lockSubscription(store, id, async (customer, row) => {
    refuseUnpaid(row)
    return previewPrice(customer, row, knownPrice(priceId))
  })

/** Whether a subscription ends with its period. */
export const setCancelAtPeriodEnd = (store: DemoStore, id: string, cancels: boolean): Promise<Subscription> =>
  lockSubscription(store, id, async (customer, row) => {
    if (row.ended_at) throw new PaymentRefused('the subscription has ended')
    if (row.cancel_at_period_end === cancels) return subscriptionOf(row)
    const changed = await updateSubscription(customer.tx, id, { cancel_at_period_end: cancels })
    await customer.record('customer.subscription.updated')
    return subscriptionOf(changed)
  })

/** Ends a subscription now, if it goes on. */
export const cancelNow = (store: DemoStore, id: string): Promise<void> =>
  lockSubscription(store, id, async (customer, row) => {
    if (!row.ended_at) await endSubscription(customer, row, customer.now)
  })

/** Sets whether later payments succeed or are declined; when they succeed, overdue ones are charged. */
export const setCardPays = (store: DemoStore, customerId: string, pays: boolean): Promise<void> =>
  lockDemoCustomer(store, customerId, async (customer) => {
    await customer.tx.updateTable('demo_customers').set({ card_pays: pays }).where('id', '=', customerId).execute()
    if (pays) await payMissing({ ...customer, cardPays: true })
  })
