/** The Stripe double as a process: prepares customers, and sends their webhooks over several connections. See stripe.ts. */
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { forEachConcurrently } from '@keepsnap/server/lib/for-each-concurrently.ts'
import type { Payments } from '@keepsnap/server/ports/payments/payments.ts'
import { stripePayments } from '@keepsnap/server/ports/payments/stripe.ts'
import { stripeEventTypes } from '@keepsnap/server/ports/payments/stripe-events.ts'
import type { StripeEvent } from '@keepsnap/server/test/stripe-double/objects.ts'
import { startStripeDouble, type StripeDouble } from '@keepsnap/server/test/stripe-double/stripe-double.ts'
import type { DeliveryResult, PreparedCustomers, StripeCustomer, StripeReply, StripeRequest } from './stripe.ts'

const connections = 20
/** A webhook is sent a second time for each so many. */
const repeatedEach = 10
const dayMs = 86_400_000
/** Three renewals of a monthly plan. */
const daysSinceStart = 93

/** What happens to a customer at the end; the next customer gets the next one. */
const endings: ((payments: Payments, subscriptionId: string, prices: StripeDouble['prices']) => Promise<unknown>)[] = [
  () => Promise.resolve(),
  () => Promise.resolve(),
  (payments, id, prices) => payments.changePrice(id, prices.pro_yearly, `change ${id}`),
  (payments, id) => payments.setCancelAtPeriodEnd(id, true),
  (payments, id) => payments.cancelNow(id),
]

async function subscribe(double: StripeDouble, payments: Payments, reference: string): Promise<string> {
  const customerId = await payments.createCustomer({ reference, email: `${reference}@example.com` }, reference)
  const checkout = {
    customerId,
    priceId: double.prices.pro_monthly,
    reference,
    successUrl: 'https://photos.test/subscription/success',
    cancelUrl: 'https://photos.test/subscription/cancel',
  }
  const { id } = await payments.openCheckout(checkout, `checkout of ${reference}`)
  double.payCheckout(id)
  return customerId
}

function customerOf(double: StripeDouble, id: string): StripeCustomer {
  const subscription = double.subscriptionsOf(id).find(({ ended_at: endedAt }) => endedAt === null)
  const item = subscription?.items.data[0]
  if (!subscription || !item) return { id }
  return {
    id,
    subscription: {
      id: subscription.id,
      plan: item.price.id === double.prices.pro_yearly ? 'pro_yearly' : 'pro_monthly',
      cancelsAtPeriodEnd: subscription.cancel_at_period_end,
      periodEndsAt: new Date(item.current_period_end * 1000),
    },
  }
}

let round = 0
const waitingEvents = ({ webhooks }: StripeDouble): StripeEvent[] =>
  webhooks.held().filter(({ type }) => stripeEventTypes.some((one) => one === type))

async function prepare(double: StripeDouble, payments: Payments, count: number): Promise<PreparedCustomers> {
  double.reset()
  round += 1
  const ids: string[] = []
  while (ids.length < count) ids.push(await subscribe(double, payments, `customer-${round}-${ids.length}`))
  double.advance(daysSinceStart)
  for (const [index, id] of ids.entries()) {
    const subscription = double.subscriptionsOf(id)[0]
    if (subscription) await endings[index % endings.length]?.(payments, subscription.id, double.prices)
  }
  return { customers: ids.map((id) => customerOf(double, id)), events: waitingEvents(double).length }
}

interface Answer {
  ms: number
  status: number
  isRepeated: boolean
}

const agent = new Agent({ keepAlive: true, maxSockets: connections })

function send(url: string, { body, headers }: ReturnType<StripeDouble['webhooks']['webhook']>): Promise<Answer> {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, method: 'POST', headers: { ...headers, 'content-length': body.length } })
    outgoing.on('error', reject)
    outgoing.on('response', (response) => {
      text(response).then(
        (answer) =>
          resolve({
            ms: performance.now() - startedAt,
            status: response.statusCode ?? 0,
            isRepeated: answer.includes('"repeated":true'),
          }),
        reject,
      )
    })
    outgoing.end(body)
  })
}

async function deliver(double: StripeDouble, url: string): Promise<DeliveryResult> {
  const events = waitingEvents(double)
  const repeats = events.filter((_, index) => index % repeatedEach === 0)
  // A prime number that does not divide their number: each is taken once.
  const mixed = events.map((_, index) => events[(index * 7919) % events.length]).filter((event) => event !== undefined)
  const answers: Answer[] = []
  const startedAt = performance.now()
  await forEachConcurrently([...mixed, ...repeats], connections, async (event) => {
    answers.push(await send(url, double.webhooks.webhook(event)))
  })
  double.webhooks.drop()
  return {
    times: answers.map(({ ms }) => ms),
    repeats: repeats.length,
    repeatsNoticed: answers.filter(({ isRepeated }) => isRepeated).length,
    refused: answers.filter(({ status }) => status !== 200).length,
    seconds: (performance.now() - startedAt) / 1000,
  }
}

const double = await startStripeDouble(() => {}, { startsAt: new Date(Date.now() - daysSinceStart * dayMs) })
const config = {
  kind: 'stripe' as const,
  secretKey: double.secretKey,
  webhookSecret: double.webhookSecret,
  prices: double.prices,
  apiBase: double.url,
}
const payments = await stripePayments(config)
const reply = (message: StripeReply): void => void process.send?.(message)
async function respond(message: StripeRequest): Promise<void> {
  const result =
    message.kind === 'prepare' ? await prepare(double, payments, message.customers) : await deliver(double, message.url)
  // What Stripe would refuse is a fault of the program.
  if (double.violations.length) throw new Error(double.violations.join('; '))
  reply(result)
}
process.on('message', (message: StripeRequest) => {
  respond(message).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`)
    process.exit(1)
  })
})
// The benchmark has ended.
process.on('disconnect', () => process.exit(0))
reply({ env: double.env })
