import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { PlanId } from '@keepsnap/contract/plans.ts'
import { reconcilePayments } from '../features/billing/reconcile.ts'
import type { TestServer } from './harness.ts'
import type { StripeDouble } from './stripe-double/stripe-double.ts'
import { startStripeServer } from './stripe-server.ts'
import type { Subscription } from './stripe-double/objects.ts'
import type { Cleanup } from './child-processes.ts'
import { callBilling, checkoutBody } from './subscriptions.ts'
import type { TestUser } from './test-data.ts'

const graceSeconds = 7 * 86_400

/** What a user has by a subscription. */
export interface Entitlement {
  plan: PlanId
  subscriptionId: string
  status: string
  cancelAtPeriodEnd: boolean
  until: Date
}

/** A server whose payments are those of a Stripe double, which sends it webhooks. */
export interface StripeFixture {
  server: TestServer
  double: StripeDouble
  /** What the user must have by what Stripe knows now; undefined for no paid plan. */
  expected(customerId: string): Entitlement | undefined
  /** What the user has by our database. */
  granted(user: TestUser): Promise<Entitlement | undefined>
  customerOf(user: TestUser): Promise<string>
  /** Opens a checkout through the API; the status and the id of the session. */
  openCheckout(user: TestUser, plan?: 'pro_monthly' | 'pro_yearly'): Promise<{ status: number; sessionId: string }>
  /** The kinds of the emails about payments that were queued to a user, sorted. */
  emailKinds(user: TestUser): Promise<string[]>
  /** Runs the job that reads missed events, as each hour. */
  reconcile(): Promise<void>
  /** Runs what is due, and what waits for another attempt. */
  workAll(): Promise<void>
  /** Deletes all customers and jobs, here and at Stripe, so that each of many schedules takes as long as the first. */
  reset(): Promise<void>
}

const isLive = ({ status }: Subscription): boolean => ['active', 'trialing', 'past_due'].includes(status)

function entitlementOf(subscription: Subscription, prices: StripeDouble['prices']): Entitlement {
  const { id, status, cancel_at_period_end: cancelAtPeriodEnd, items } = subscription
  const { price, current_period_start: start, current_period_end: end } = items.data[0]! // each has one
  const untilSeconds = status === 'past_due' ? start + graceSeconds : cancelAtPeriodEnd ? end : end + graceSeconds
  return {
    plan: price.id === prices.pro_yearly ? 'pro_yearly' : 'pro_monthly',
    subscriptionId: id,
    status,
    cancelAtPeriodEnd,
    until: new Date(untilSeconds * 1000),
  }
}

export async function startStripeFixture(cleanup: Cleanup): Promise<StripeFixture> {
  const { server, stripe: double } = await startStripeServer(cleanup)
  const { db, pool } = server.app.deps
  return {
    server,
    double,
    expected(customerId) {
      const live = double
        .subscriptionsOf(customerId)
        .filter(isLive)
        .toSorted((a, b) => a.start_date - b.start_date || (a.id < b.id ? -1 : 1))
      const found = live[0] && entitlementOf(live[0], double.prices)
      return found && found.until > new Date() ? found : undefined
    },
    async granted({ id }) {
      const { rows } = await sql<Entitlement>`
        select plan, subscription_id as "subscriptionId", status, cancel_at_period_end as "cancelAtPeriodEnd", until
        from paid_plans where user_id = ${id} and until > billing_now()`.execute(db)
      return rows[0]
    },
    async customerOf({ id }) {
      const customer = await db
        .selectFrom('billing_customers')
        .select('customer_id')
        .where('user_id', '=', id)
        .executeTakeFirst()
      return customer?.customer_id ?? ''
    },
    async openCheckout(user, plan = 'pro_monthly') {
      const body = { ...checkoutBody(), price_id: double.prices[plan] }
      const answer = await callBilling(server, user, 'checkout', { body })
      const url = answer.statusCode === 200 ? answer.json<{ checkout_url: string }>().checkout_url : ''
      return { status: answer.statusCode, sessionId: url.split('/').at(-1) ?? '' }
    },
    async emailKinds({ id }) {
      const emails = await db
        .selectFrom('emails')
        .select('kind')
        .where('user_id', '=', id)
        .where((is) => is.or([is('kind', 'like', 'plan-%'), is('kind', 'like', 'payment-%')]))
        .execute()
      return emails.map(({ kind }) => kind).toSorted()
    },
    reconcile: () => reconcilePayments(server.app.deps),
    async workAll() {
      for (let round = 0; round < 3; round += 1) {
        // The end of a plan is due when its time has come.
        await pool.query(`
          update graphile_worker._private_jobs set run_at = now()
          where run_at > now() and locked_at is null and (attempts > 0 or key not like 'end-plan:%')`)
        await server.work()
      }
    },
    async reset() {
      double.reset()
      await pool.query(`
        delete from graphile_worker._private_jobs;
        delete from payment_events;
        delete from billing_customers`)
    },
  }
}

/** A key that no other request has. */
export const newIdempotencyKey = (): string => randomUUID()
