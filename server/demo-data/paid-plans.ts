import { sql } from 'kysely'
import { syncCustomer } from '../features/billing/sync-customer.ts'
import { lockCustomer } from '../features/billing/sync-queries.ts'
import { newId } from '../lib/ids.ts'
import { demoPrices } from '../ports/payments/payment-settings.ts'
import { plans } from '@keepsnap/contract/plans.ts'
import { people, personNames, type DemoAccounts, type PersonName } from './accounts.ts'
import { callApi, type FillContext } from './fill-context.ts'

type PaidPlan = NonNullable<(typeof people)[PersonName]['paidPlan']>

/** Opens a checkout, pays it as the demo payment page does, and verifies it as the page after a checkout does. */
async function subscribe(context: FillContext, token: string, { id }: PaidPlan): Promise<void> {
  const { deps, publicUrl } = context
  const { checkout_url: url } = await callApi<{ checkout_url: string }>(context, token, {
    method: 'POST',
    url: '/subscriptions/checkout',
    body: {
      price_id: demoPrices[id],
      success_url: `${publicUrl}/subscription/success?session_id={CHECKOUT_SESSION_ID}`,
      cancel_url: `${publicUrl}/subscription/cancel`,
    },
  })
  const checkoutId = new URL(url).pathname.split('/').at(-1) ?? ''
  await deps.demoPayments?.payCheckout(checkoutId)
  const body = { session_id: checkoutId }
  await callApi(context, token, { method: 'POST', url: '/subscriptions/verify-session', body })
}

/** Backdates the start of a subscription and adds its earlier periods and payments, at the provider and in our copy. */
async function backdateSubscription({ deps }: FillContext, userId: string, { id, months }: PaidPlan): Promise<void> {
  const { db, log, payments } = deps
  const { price_cents: cents, interval_type: interval } = plans[id]
  const step = interval === 'year' ? 12 : 1
  const periods = Math.floor(months / step) + 1
  const { rows: customers } = await sql<{ customerId: string }>`
    select customer_id as "customerId" from billing_customers where user_id = ${userId}`.execute(db)
  const customerId = customers[0]?.customerId ?? ''
  await db.transaction().execute(async (tx) => {
    // Jobs about the payment may be running: they lock the same first.
    await lockCustomer(tx, customerId)
    const { rows } = await sql<{ id: string; begin: Date }>`
      with begun as (select billing_now() - make_interval(months => ${months}, days => 4) as at)
      update demo_subscriptions set started_at = begun.at, anchored_at = begun.at, period_number = ${periods},
        current_period_start = begun.at + make_interval(months => ${(periods - 1) * step}),
        current_period_end = begun.at + make_interval(months => ${periods * step})
      from begun where customer_id = ${customerId} returning id, begun.at as begin`.execute(tx)
    const [subscription] = rows
    if (!subscription) throw new Error('the subscription that was just paid is gone')
    const { id: subscriptionId, begin } = subscription
    await sql`update demo_payments set paid_at = ${begin} where subscription_id = ${subscriptionId}`.execute(tx)
    for (let period = 1; period < periods; period += 1)
      await sql`
        insert into demo_payments (id, customer_id, subscription_id, paid_at, amount_cents)
        values (${`demo_pay_${newId()}`}, ${customerId}, ${subscriptionId},
          ${begin}::timestamptz + make_interval(months => ${period * step}), ${cents})`.execute(tx)
    await sql`update subscriptions set started_at = ${begin} where id = ${subscriptionId}`.execute(tx)
    await sql`
      update billing_customers set created_at = ${begin}, first_paid_at = ${begin}
      where customer_id = ${customerId}`.execute(tx)
    await sql`update subscribers set became_subscriber_at = ${begin} where user_id = ${userId}`.execute(tx)
  })
  if (payments) await syncCustomer({ db, log, payments }, customerId)
}

/** Subscribes each person who has a paid plan, backdated to when they began to pay. */
export async function addPaidPlans(context: FillContext, accounts: DemoAccounts): Promise<void> {
  for (const name of personNames) {
    const { paidPlan } = people[name]
    if (!paidPlan) continue
    context.signal.throwIfAborted()
    await subscribe(context, accounts[name].token, paidPlan)
    await backdateSubscription(context, accounts[name].id, paidPlan)
  }
}
