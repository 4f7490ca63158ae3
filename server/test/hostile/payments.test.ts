/** Events of payments in any order, and random schedules of what users, Stripe, the bank, the network and time may do. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PlanId } from '@keepsnap/contract/plans.ts'
import { reconcilePayments } from '../../features/plans/reconcile.ts'
import { makeJobsDue, removeJobs, type TestServer } from '../harness.ts'
import { logWithSeed, repetitions, seed, seededRandom, type SeededRandom } from '../statistics.ts'
import type { StripeEvent, Subscription } from '../stripe-billing.ts'
import type { StripeDouble } from '../stripe-double.ts'
import { startStripeServer } from '../stripe-server.ts'
import { callBilling, checkoutBody } from '../subscriptions.ts'
import { makeUser, type TestUser, validPassword } from '../test-data.ts'

let server: TestServer
let double: StripeDouble
beforeAll(async () => {
  ;({ server, stripe: double } = await startStripeServer(afterAll))
})

/** What a user has by a subscription. */
interface Entitlement {
  plan: PlanId
  subscriptionId: string
  status: string
  cancelAtPeriodEnd: boolean
  until: Date
}
const graceSeconds = 7 * 86_400

/** What the customer must have by what Stripe knows now; undefined for no paid plan. */
function expectedOf(customerId: string): Entitlement | undefined {
  const live = double
    .subscriptionsOf(customerId)
    .filter(({ status }) => ['active', 'trialing', 'past_due'].includes(status))
    .toSorted((a, b) => a.start_date - b.start_date || (a.id < b.id ? -1 : 1))
  const found = live[0] && entitlementOf(live[0])
  return found && found.until > new Date() ? found : undefined
}
function entitlementOf({ id, status, cancel_at_period_end: cancelAtPeriodEnd, items }: Subscription): Entitlement {
  const { price, current_period_start: start, current_period_end: end } = items.data[0]! // each has one
  const untilSeconds = status === 'past_due' ? start + graceSeconds : cancelAtPeriodEnd ? end : end + graceSeconds
  const plan = price.id === double.prices.pro_yearly ? 'pro_yearly' : 'pro_monthly'
  return { plan, subscriptionId: id, status, cancelAtPeriodEnd, until: new Date(untilSeconds * 1000) }
}

/** What the user has by our database. */
async function grantedTo({ id }: TestUser): Promise<Entitlement | undefined> {
  const { rows } = await sql<Entitlement>`
    select plan, subscription_id as "subscriptionId", status, cancel_at_period_end as "cancelAtPeriodEnd", until
    from paid_plans where user_id = ${id} and until > billing_now()`.execute(server.db)
  return rows[0]
}
const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await server.app.deps.pool.query(text, values)).rows
const customerOf = async ({ id }: TestUser): Promise<string> =>
  (await query<{ id: string }>('select customer_id as id from billing_customers where user_id = $1', [id]))[0]?.id ?? ''
/** The kinds of the emails about payments that were queued to a user, sorted. */
const emailKindsOf = async ({ id }: TestUser): Promise<string[]> =>
  (
    await query<{ kind: string }>(
      "select kind from emails where user_id = $1 and (kind like 'plan-%' or kind like 'payment-%') order by kind",
      [id],
    )
  ).map(({ kind }) => kind)

/** Opens a checkout through the API; the status and the id of the session. */
async function openCheckout(user: TestUser, plan: 'pro_monthly' | 'pro_yearly' = 'pro_monthly') {
  const answer = await callBilling(server, user, 'checkout', {
    body: { ...checkoutBody(), price_id: double.prices[plan] },
  })
  const url = answer.statusCode === 200 ? answer.json<{ checkout_url: string }>().checkout_url : ''
  return { status: answer.statusCode, sessionId: url.split('/').at(-1) ?? '' }
}

/** Runs what is due, and what waits for another attempt; a plan ends when its time has come. */
async function workAll(): Promise<void> {
  const waiting = `select coalesce(key, '') as key from graphile_worker.jobs
    where run_at > now() and (attempts > 0 or coalesce(key, '') not like 'end-plan:%')`
  for (let round = 0; round < 3; round += 1) {
    for (const { key } of await query<{ key: string }>(waiting)) await makeJobsDue(server.app.deps.pool, key)
    await server.work()
  }
}

/** Deletes all customers and jobs, here and at Stripe, so that each of many rounds takes as long as the first. */
async function reset(): Promise<void> {
  double.reset()
  const { pool } = server.app.deps
  await removeJobs(pool)
  await pool.query('delete from payment_events; delete from billing_customers')
}

/** The events of a subscription's life, by the step that causes them. */
const steps = {
  'customer.subscription.created': 0,
  'invoice.paid': 0,
  'checkout.session.completed': 0,
  'customer.subscription.updated': 1,
  'invoice.payment_failed': 1,
  'customer.subscription.deleted': 2,
} as const
type LifeEvent = keyof typeof steps
const lifeEvents = Object.keys(steps) as LifeEvent[] // the keys of the object above

const permutations = <T>(list: readonly T[]): T[][] =>
  list.length === 0
    ? [[]]
    : list.flatMap((one) => permutations(list.filter((each) => each !== one)).map((rest) => [one, ...rest]))

/** A user with a checkout that can be paid. */
async function newPayer(): Promise<{ user: TestUser; customerId: string; sessionId: string }> {
  await reset()
  const user = await makeUser(server)
  const { sessionId } = await openCheckout(user)
  return { user, customerId: await customerOf(user), sessionId }
}

/** What Stripe does in the steps of a subscription's life: it is paid, a renewal is declined, it ends. */
function lifeOf({ customerId, sessionId }: { customerId: string; sessionId: string }) {
  const actions = [
    () => void double.payCheckout(sessionId),
    () => {
      double.declinePayments(customerId)
      double.advance(32)
    },
    () => double.cancelSubscription(double.subscriptionsOf(customerId)[0]?.id ?? ''),
  ]
  let done = 0
  /** The event, after the step that causes it. */
  return (type: LifeEvent): StripeEvent => {
    for (; done <= steps[type]; done += 1) actions[done]?.()
    const found = double.eventsOf(customerId).find((event) => event.type === type)
    if (!found) throw new Error(`there was no ${type}`)
    return found
  }
}

/** Which emails follow from the plans that were granted one after the other. */
function emailsFor(seen: readonly (string | undefined)[]): string[] {
  return [
    ...(seen.includes('past_due') ? ['payment-failed'] : []),
    ...(seen.some((status) => status !== undefined) && seen.at(-1) === undefined ? ['plan-ended'] : []),
    ...(seen.includes('active') ? ['plan-started'] : []),
  ]
}

async function checkOrder(order: readonly LifeEvent[], random: SeededRandom): Promise<void> {
  const payer = await newPayer()
  const { user, customerId } = payer
  const eventOf = lifeOf(payer)
  const becameSubscriber = () => query('select became_subscriber_at from subscribers where user_id = $1', [user.id])
  const seen: (string | undefined)[] = []
  let became: unknown[] = []
  const delivered: StripeEvent[] = []
  for (const type of order) {
    const event = eventOf(type)
    delivered.push(event)
    const statuses = await double.webhooks.deliver(random.oneIn(3) ? [event, random.pick(delivered)] : [event])
    expect(new Set(statuses)).toEqual(new Set([200]))
    await server.work()
    const granted = await grantedTo(user)
    expect([order, type, granted]).toEqual([order, type, expectedOf(customerId)])
    seen.push(granted?.status)
    if (became.length === 0) became = await becameSubscriber()
  }
  expect([order, seen.at(-1), await emailKindsOf(user)]).toEqual([order, undefined, emailsFor(seen)])
  expect(await becameSubscriber()).toEqual(became)
  expect(became.length > 0).toBe(seen.some((status) => status !== undefined))
}

describe('the events of a subscription’s life', () => {
  test('lead to Stripe’s state in any order, with each effect once', async () => {
    const random = seededRandom('orders of events')
    const orders = permutations(lifeEvents)
    const rounds = repetitions(6, orders.length)
    for (let round = 0; round < rounds; round += 1) {
      const [order = []] = orders.splice(random.integerBelow(orders.length), 1)
      await checkOrder(order, random)
    }
    logWithSeed(`${rounds} of 720 orders of six events`)
  })

  test('ten of each at the same time have one effect', async () => {
    const payer = await newPayer()
    const { user, customerId, sessionId } = payer
    const eventOf = lifeOf(payer)
    const verify = () => callBilling(server, user, 'verify-session', { body: { session_id: sessionId } })
    for (const types of [lifeEvents.slice(0, 3), lifeEvents.slice(3, 5), lifeEvents.slice(5)]) {
      const events = types.flatMap((type) => Array.from({ length: 10 }, () => eventOf(type)))
      const delivering = double.webhooks.deliverAtOnce(events)
      const [statuses] = await Promise.all([delivering, server.work(), verify(), server.work()])
      expect(new Set(statuses)).toEqual(new Set([200]))
      await Promise.all([server.work(), verify(), server.work()])
      expect(await grantedTo(user)).toEqual(expectedOf(customerId))
    }
    expect(await emailKindsOf(user)).toEqual(['payment-failed', 'plan-ended', 'plan-started'])
    const counts = 'count(*)::int as stored, count(processed_at)::int as processed'
    const stored = await query(`select ${counts} from payment_events where customer_id = $1`, [customerId])
    expect(stored).toEqual([{ stored: 6, processed: 6 }])
  })

  test('a payment that is declined and succeeds later sends one email about each, and no second welcome', async () => {
    const payer = await newPayer()
    const eventOf = lifeOf(payer)
    eventOf('checkout.session.completed')
    const seen = []
    for (const act of [() => {}, () => eventOf('invoice.payment_failed'), () => double.advance(8)]) {
      act()
      await double.webhooks.deliver()
      await server.work()
      seen.push((await grantedTo(payer.user))?.status)
      expect(await grantedTo(payer.user)).toEqual(expectedOf(payer.customerId))
    }
    expect(seen).toEqual(['active', 'past_due', 'active'])
    expect(await emailKindsOf(payer.user)).toEqual(['payment-failed', 'plan-started'])
  })

  test('are applied after an outage of Stripe, during which paying users keep their plan, and once when they come again', async () => {
    const payer = await newPayer()
    const eventOf = lifeOf(payer)
    await double.webhooks.deliver([eventOf('checkout.session.completed')])
    await server.work()
    const before = await grantedTo(payer.user)
    const deleted = eventOf('customer.subscription.deleted')
    double.failNext(429, { times: 50 })
    expect(await double.webhooks.deliver([deleted])).toEqual([200])
    await server.work()
    expect(await grantedTo(payer.user)).toEqual(before)
    double.stopFailing()
    await workAll()
    await double.webhooks.deliver(double.eventsOf(payer.customerId).toReversed())
    await workAll()
    expect(await grantedTo(payer.user)).toEqual(expectedOf(payer.customerId))
    expect(await emailKindsOf(payer.user)).toEqual(['plan-ended', 'plan-started'])
  })
})

/** One user of a schedule, with the checkouts that were opened. */
interface Player {
  user: TestUser
  sessionIds: string[]
  random: SeededRandom
  /** What happened, for the message of a failure. */
  steps: string[]
  statuses: number[]
}

const call = async ({ user, statuses }: Player, path: string, body?: unknown): Promise<void> => {
  statuses.push((await callBilling(server, user, path, { body })).statusCode)
}
/** The ids of the customer's subscriptions that go on at Stripe. */
const liveIds = (customerId: string): string[] =>
  double.subscriptionsOf(customerId).flatMap(({ id, ended_at: endedAt }) => (endedAt === null ? [id] : []))
const tryTo = (action: () => unknown): void => {
  try {
    action()
  } catch {
    // Stripe refuses it, such as paying for an expired checkout.
  }
}

async function open({ user, random, statuses, sessionIds }: Player): Promise<void> {
  const { status, sessionId } = await openCheckout(user, random.pick(['pro_monthly', 'pro_yearly']))
  statuses.push(status)
  if (sessionId) sessionIds.push(sessionId)
}

/** Everything that a user, Stripe, the bank, the network and time may do; the more often a move is named, the more often it is made. */
const moves: Record<string, (player: Player) => Promise<unknown> | void> = {
  open,
  'open and pay': async (player) => {
    await open(player)
    tryTo(() => double.payCheckout(player.sessionIds.at(-1) ?? ''))
  },
  pay: ({ sessionIds, random }) => {
    if (sessionIds.length) tryTo(() => double.payCheckout(random.pick(sessionIds)))
  },
  // As when two pages of payment are open, of which ours knows one.
  'pay besides': async ({ user }) => {
    const customerId = await customerOf(user)
    const { payments } = server.app.deps
    if (!customerId || !payments || !double.store.customers.has(customerId)) return
    double.stopFailing()
    const urls = { successUrl: 'https://photos.test/', cancelUrl: 'https://photos.test/' }
    const checkout = { customerId, priceId: double.prices.pro_monthly, reference: 'besides', ...urls }
    const { id } = await payments.openCheckout(checkout, randomUUID())
    tryTo(() => double.payCheckout(id))
  },
  verify: async (player) => {
    if (player.sessionIds.length)
      await call(player, 'verify-session', { session_id: player.random.pick(player.sessionIds) })
  },
  'change to yearly': (player) => call(player, 'change', { price_id: double.prices.pro_yearly }),
  'change to monthly': (player) => call(player, 'change', { price_id: double.prices.pro_monthly }),
  cancel: (player) => call(player, 'cancel'),
  resume: (player) => call(player, 'resume'),
  refund: (player) => (player.random.oneIn(3) ? call(player, 'refund') : undefined),
  'end at Stripe': async ({ user, random }) => {
    for (const id of liveIds(await customerOf(user))) double.cancelSubscription(id, { atPeriodEnd: random.oneIn(2) })
  },
  decline: async ({ user, random }) =>
    double.declinePayments(await customerOf(user), random.pick([0, 1, 2, true] as const)),
  'time passes': ({ random }) => double.advance(1 + random.integerBelow(40)),
  deliver: async ({ random }) => {
    const held = double.webhooks.held()
    const chosen = held.filter(() => random.oneIn(2)).toSorted(() => random.next() - 0.5)
    await double.webhooks.deliver(random.oneIn(3) ? [...chosen, ...chosen] : chosen)
  },
  'deliver at once': async ({ random }) => {
    const held = double.webhooks.held().toSorted(() => random.next() - 0.5)
    await Promise.all([double.webhooks.deliverAtOnce([...held, ...held]), server.work()])
  },
  'lose webhooks': () => double.webhooks.drop(),
  work: () => server.work(),
  // Without attempts of the package in between, which take time.
  'Stripe fails': ({ random }) => double.failNext(429, { times: 1 + random.integerBelow(3) }),
  'an hour passes': () => reconcilePayments(server.app.deps).catch(() => {}),
}
const often = ['open and pay', 'verify', 'time passes', 'deliver', 'work', 'Stripe fails']
const names = [...Object.keys(moves), ...often]

/** Quiet: nothing fails any more, and every hour's job has run. */
async function settle(random: SeededRandom): Promise<void> {
  double.stopFailing()
  if (random.oneIn(2)) await double.webhooks.deliver()
  else double.webhooks.drop()
  await workAll()
  await reconcilePayments(server.app.deps)
  await workAll()
}

/** Our state is Stripe's; each effect has happened once; nothing is refunded twice or unasked. */
async function expectSettled({ user, steps: done, statuses }: Player): Promise<void> {
  const customerId = await customerOf(user)
  const expected = expectedOf(customerId)
  const status = await callBilling(server, user, 'status', { method: 'GET' })
  expect([done, await grantedTo(user), status.json()]).toMatchObject([
    done,
    expected,
    { plan: { id: expected?.plan ?? 'free' } },
  ])
  expect([done, liveIds(customerId).length <= 1]).toEqual([done, true])
  expect([done, statuses.filter((code) => ![200, 404, 409, 503].includes(code))]).toEqual([done, []])
  const emails = await emailKindsOf(user)
  const effects = await query('select from billing_effects where user_id = $1', [user.id])
  expect([done, emails.length]).toEqual([done, effects.length])
  const welcomes = emails.filter((kind) => kind === 'plan-started').length
  expect(welcomes).toBeLessThanOrEqual(double.subscriptionsOf(customerId).length)
  const refunds = await query<{ subscription: string | null; isDone: boolean }>(
    'select subscription_id as subscription, done_at is not null as "isDone" from refunds where customer_id = $1',
    [customerId],
  )
  expect([done, refunds.filter(({ isDone }) => !isDone)]).toEqual([done, []])
  const invoices = [...double.store.invoices.values()]
  for (const charge of double.chargesOf(customerId)) {
    const invoice = invoices.find(({ payments }) =>
      payments.data.some(({ payment }) => payment.payment_intent === charge.payment_intent),
    )
    const isAsked = refunds.some(
      ({ subscription }) => subscription === null || subscription === invoice?.subscriptionId,
    )
    expect([done, charge.amount_refunded <= (isAsked ? charge.amount_captured : 0)]).toEqual([done, true])
  }
}

/** One schedule in five begins with any move, the others with a payment: without one they would prove little. */
async function play(random: SeededRandom, round: number): Promise<Player> {
  await reset()
  const player: Player = { user: await makeUser(server), sessionIds: [], random, steps: [], statuses: [] }
  const count = 8 + random.integerBelow(12)
  for (let n = 0; n < count; n += 1) {
    const name = n === 0 && round % 5 !== 0 ? 'open and pay' : random.pick(names)
    player.steps.push(name)
    await moves[name]?.(player)
  }
  await settle(random)
  return player
}

/** Seeds of earlier runs that found something are added here; they are repeated every time. */
describe.each([seed])('after any schedule of moves (seed %s)', (each) => {
  test('our state is Stripe’s, and each effect has happened once', async () => {
    const random = seededRandom('schedules of payments', each)
    const rounds = repetitions(4, 1000)
    let payers = 0
    for (let round = 0; round < rounds; round += 1) {
      const player = await play(random, round)
      await expectSettled(player)
      payers += double.chargesOf(await customerOf(player.user)).length > 0 ? 1 : 0
    }
    // Otherwise the schedules would prove little.
    expect(payers).toBeGreaterThan(rounds / 2)
    logWithSeed(`${rounds} schedules of payments, ${payers} with a payment`)
  })

  test('an account that is deleted is charged for nothing any more', async () => {
    const random = seededRandom('schedules that end with a deletion', each)
    const rounds = repetitions(1, 200)
    for (let round = 0; round < rounds; round += 1) {
      const { user, steps: done } = await play(random, round)
      const customerId = await customerOf(user)
      if (random.oneIn(2)) double.failNext(429, { times: 1 + random.integerBelow(3) })
      const body = { password: validPassword }
      const deletion = await server.request({ method: 'DELETE', url: '/user', token: user.token, body })
      expect(deletion.statusCode).toBeLessThan(300)
      await settle(random)
      const openSessions = [...double.store.sessions.values()].filter(({ status }) => status === 'open')
      const rows = await query('select from billing_customers where customer_id = $1', [customerId])
      expect([done, openSessions, liveIds(customerId), rows]).toEqual([done, [], [], []])
    }
    logWithSeed(`${rounds} schedules that end with a deletion`)
  })
})
