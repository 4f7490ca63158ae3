import type { SubscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import type { Payments } from '../ports/payments/payments.ts'
import type { DemoPayments } from '../ports/payments/demo.ts'
import { demoPrices } from '../ports/payments/payment-settings.ts'
import { advanceDemoBilling } from '../features/plans/demo-checkout.ts'
import type { TestServer } from './harness.ts'
import type { TestUser } from './test-data.ts'

type PaidPlanId = keyof typeof demoPrices

/** The body of a call that opens a checkout. */
export const checkoutBody = (plan: PaidPlanId = 'pro_monthly') => ({
  price_id: demoPrices[plan],
  success_url: 'http://photos.test/subscription/success?session_id={CHECKOUT_SESSION_ID}',
  cancel_url: 'http://photos.test/subscription/cancel',
})

/** Calls the API as a user. Rate limits are not counted here. */
export async function callBilling(
  server: TestServer,
  user: TestUser,
  path: string,
  { method = 'POST', body }: { method?: 'GET' | 'POST'; body?: unknown } = {},
) {
  await server.app.deps.pool.query('delete from rate_hits')
  return server.request({
    method,
    url: `/subscriptions/${path}`,
    token: user.token,
    ...(body !== undefined && { body }),
  })
}

export const subscriptionStatusOf = async (server: TestServer, user: TestUser): Promise<SubscriptionStatus> =>
  (await callBilling(server, user, 'status', { method: 'GET' })).json<SubscriptionStatus>()

/** The demo payments of a server. */
export function demoOf(server: TestServer): DemoPayments {
  const { demoPayments } = server.app.deps
  if (!demoPayments) throw new Error('payments are not a demonstration')
  return demoPayments
}

/** Opens a checkout; its id. */
export async function openCheckout(server: TestServer, user: TestUser, plan?: PaidPlanId): Promise<string> {
  const answer = await callBilling(server, user, 'checkout', { body: checkoutBody(plan) })
  if (answer.statusCode !== 200) throw new Error(`the checkout answered ${answer.statusCode}: ${answer.body}`)
  const id = new URL(answer.json<{ checkout_url: string }>().checkout_url).pathname.split('/').at(-1)
  if (id === undefined) throw new Error('the URL of the checkout has no id')
  return id
}

/** Asks whether a checkout was paid; the whole answer. */
export const callVerifySession = (server: TestServer, user: TestUser, sessionId: string) =>
  callBilling(server, user, 'verify-session', { body: { session_id: sessionId } })

/** Pays for a plan with demo payments, and comes back from the checkout; its id. */
export async function subscribe(server: TestServer, user: TestUser, plan?: PaidPlanId): Promise<string> {
  const id = await openCheckout(server, user, plan)
  await payAndReturn(server, user, id)
  return id
}

async function payAndReturn(server: TestServer, user: TestUser, id: string): Promise<void> {
  await demoOf(server).payCheckout(id)
  const answer = await callVerifySession(server, user, id)
  if (answer.statusCode !== 200) throw new Error(`the payment answered ${answer.statusCode}: ${answer.body}`)
}

/** Pays two checkouts, the second of which could not be ended in time, and comes back from the first only; the id of the second. */
export async function payTwice(server: TestServer, user: TestUser): Promise<string> {
  const [first, second] = [await openCheckout(server, user), await openCheckout(server, user, 'pro_yearly')]
  await server.db.updateTable('demo_checkouts').set({ state: 'open' }).where('id', '=', first).execute()
  await payAndReturn(server, user, first)
  await demoOf(server).payCheckout(second)
  return second
}

/** Moves the billing clock forward, and does what is due then. */
export async function moveBillingClock(server: TestServer, days: number): Promise<void> {
  await advanceDemoBilling({ db: server.db, log: server.app.deps.log, demo: demoOf(server) }, days * 86_400)
  await server.work()
}

type Call = {
  [Name in keyof Payments]: Payments[Name] extends (...args: never[]) => Promise<unknown> ? Name : never
}[keyof Payments]

/** The calls of the port that change or read something at the provider. */
const calls: readonly Call[] = [
  'price',
  'createCustomer',
  'openCheckout',
  'checkout',
  'expireCheckout',
  'openCheckoutsOf',
  'subscriptionsOf',
  'changePrice',
  'setCancelAtPeriodEnd',
  'cancelNow',
  'paymentsOf',
  'refund',
  'dropCredit',
  'isCustomerGone',
]

/**
 * Lets one call of a payment provider fail: the one after `before` calls that succeed. `isLost`: it takes effect, and only
 * its answer is lost. Resolves with what `work` does, and how many calls there were.
 */
export async function failCall<T>(
  payments: Payments,
  { before, error, isLost = false }: { before: number; error: Error; isLost?: boolean },
  work: () => Promise<T>,
): Promise<{ result: T; calls: number }> {
  const originals = new Map(calls.map((name) => [name, payments[name]]))
  let count = 0
  for (const name of calls) {
    const original = payments[name] as (...args: unknown[]) => Promise<unknown> // each has arguments of its own
    const replacement = async (...args: unknown[]): Promise<unknown> => {
      count += 1
      const fails = count === before + 1
      if (fails && !isLost) throw error
      const answer = await original(...args)
      if (fails) throw error
      return answer
    }
    Object.assign(payments, { [name]: replacement })
  }
  try {
    return { result: await work(), calls: count }
  } finally {
    Object.assign(payments, Object.fromEntries(originals))
  }
}
