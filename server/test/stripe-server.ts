import { startServer, type TestServer } from './harness.ts'
import { startStripeDouble, type StripeDouble } from './stripe-double.ts'
import { callBilling, checkoutBody } from './subscriptions.ts'
import type { TestUser } from './test-data.ts'
import type { Cleanup } from './child-processes.ts'

/** A server that takes payments by Stripe, and the double that it talks to. */
export interface StripeServer {
  server: TestServer
  stripe: StripeDouble
  /** Opens a checkout; its id. */
  checkout(user: TestUser, plan?: 'pro_monthly' | 'pro_yearly'): Promise<string>
  /** Opens a checkout and pays; the customer's id. Nothing is delivered. */
  pay(user: TestUser, plan?: 'pro_monthly' | 'pro_yearly'): Promise<string>
  /** Sends bytes as a webhook; the whole answer. */
  send(webhook: { body: Buffer; headers: Record<string, string> }): ReturnType<TestServer['request']>
  /** Delivers every webhook that is held, and runs the jobs. */
  deliver(): Promise<void>
}

/** Starts both; they are closed with the test file. */
export async function startStripeServer(
  cleanup: Cleanup,
  out?: { write(text: string): unknown },
  settings: Record<string, string> = {},
): Promise<StripeServer> {
  const stripe = await startStripeDouble(cleanup)
  const env = { ...stripe.env, ...settings, LOG_LEVEL: out ? 'warn' : 'silent' }
  const server = await startServer(env, { ownImageProcesses: false, ...(out && { out }) })
  cleanup(() => server.close())
  const send: StripeServer['send'] = ({ body, headers }) =>
    server.request({ method: 'POST', url: '/payments/webhook', headers, body })
  stripe.webhooks.receiver(async (webhook) => (await send({ ...webhook, headers: { ...webhook.headers } })).statusCode)
  const checkout: StripeServer['checkout'] = async (user, plan = 'pro_monthly') => {
    const answer = await callBilling(server, user, 'checkout', {
      body: { ...checkoutBody(), price_id: stripe.prices[plan] },
    })
    if (answer.statusCode !== 200) throw new Error(`the checkout answered ${answer.statusCode}: ${answer.body}`)
    const row = await server.db
      .selectFrom('checkouts')
      .select('session_id')
      .where('user_id', '=', user.id)
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow()
    return row.session_id ?? ''
  }
  return {
    server,
    stripe,
    checkout,
    send,
    async pay(user, plan) {
      const sessionId = await checkout(user, plan)
      stripe.payCheckout(sessionId)
      return stripe.store.sessions.get(sessionId)?.customer ?? ''
    },
    async deliver() {
      await stripe.webhooks.deliver()
      await server.work()
    },
  }
}
