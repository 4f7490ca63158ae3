import { afterAll, beforeAll, expect, test } from 'vitest'
import { repetitions, logWithSeed, seed, seededRandom, type SeededRandom } from '../statistics.ts'
import { newIdempotencyKey, startStripeFixture, type StripeFixture } from '../stripe-fixture.ts'
import { callBilling } from '../subscriptions.ts'
import { makeUser, validPassword, type TestUser } from '../test-data.ts'

/** Seeds of earlier runs that found something; they are repeated every time. */
const regressionSeeds: string[] = []
let stripeFixture: StripeFixture
beforeAll(async () => {
  stripeFixture = await startStripeFixture(afterAll)
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

type Move = (player: Player) => Promise<unknown> | void

const call = async ({ user, statuses }: Player, path: string, body?: unknown): Promise<void> => {
  statuses.push((await callBilling(stripeFixture.server, user, path, { body })).statusCode)
}
const customerOf = ({ user }: Player): Promise<string> => stripeFixture.customerOf(user)
/** The ids of the customer's subscriptions that go on at Stripe. */
async function liveIds(player: Player): Promise<string[]> {
  const subscriptions = stripeFixture.double.subscriptionsOf(await customerOf(player))
  return subscriptions.filter(({ ended_at: endedAt }) => endedAt === null).map(({ id }) => id)
}
const tryTo = (action: () => unknown): void => {
  try {
    action()
  } catch {
    // Stripe refuses it, such as paying for an expired checkout.
  }
}

async function open(player: Player): Promise<void> {
  const { status, sessionId } = await stripeFixture.openCheckout(
    player.user,
    player.random.pick(['pro_monthly', 'pro_yearly']),
  )
  player.statuses.push(status)
  if (sessionId) player.sessionIds.push(sessionId)
}

/** Everything that a user, Stripe, the bank, the network and time may do; the more often a move is named, the more often it is made. */
const moves: Record<string, Move> = {
  open,
  'open and pay': async (player) => {
    await open(player)
    tryTo(() => stripeFixture.double.payCheckout(player.sessionIds.at(-1) ?? ''))
  },
  pay: ({ sessionIds, random }) => {
    if (sessionIds.length) tryTo(() => stripeFixture.double.payCheckout(random.pick(sessionIds)))
  },
  // As when two pages of payment are open, of which ours knows one.
  'pay besides': async (player) => {
    const customerId = await customerOf(player)
    const { payments } = stripeFixture.server.app.deps
    if (!customerId || !payments || !stripeFixture.double.store.customers.has(customerId)) return
    stripeFixture.double.stopFailing()
    const urls = { successUrl: 'https://photos.test/', cancelUrl: 'https://photos.test/' }
    const priceId = stripeFixture.double.prices.pro_monthly
    const { id } = await payments.openCheckout(
      { customerId, priceId, reference: 'besides', ...urls },
      newIdempotencyKey(),
    )
    tryTo(() => stripeFixture.double.payCheckout(id))
  },
  verify: async (player) => {
    if (player.sessionIds.length)
      await call(player, 'verify-session', { session_id: player.random.pick(player.sessionIds) })
  },
  'change to yearly': (player) => call(player, 'change', { price_id: stripeFixture.double.prices.pro_yearly }),
  'change to monthly': (player) => call(player, 'change', { price_id: stripeFixture.double.prices.pro_monthly }),
  cancel: (player) => call(player, 'cancel'),
  resume: (player) => call(player, 'resume'),
  refund: (player) => (player.random.oneIn(3) ? call(player, 'refund') : undefined),
  'end at Stripe': async (player) => {
    for (const id of await liveIds(player))
      stripeFixture.double.cancelSubscription(id, { atPeriodEnd: player.random.oneIn(2) })
  },
  decline: async (player) =>
    stripeFixture.double.declinePayments(await customerOf(player), player.random.pick([0, 1, 2, true] as const)),
  'time passes': ({ random }) => stripeFixture.double.advance(1 + random.integerBelow(40)),
  deliver: async ({ random }) => {
    const held = stripeFixture.double.webhooks.held()
    const chosen = held.filter(() => random.oneIn(2)).toSorted(() => random.next() - 0.5)
    await stripeFixture.double.webhooks.deliver(random.oneIn(3) ? [...chosen, ...chosen] : chosen)
  },
  'deliver at once': async ({ random }) => {
    const held = stripeFixture.double.webhooks.held().toSorted(() => random.next() - 0.5)
    await Promise.all([stripeFixture.double.webhooks.deliverAtOnce([...held, ...held]), stripeFixture.server.work()])
  },
  'lose webhooks': () => stripeFixture.double.webhooks.drop(),
  work: () => stripeFixture.server.work(),
  // Without attempts of the package in between, which take time.
  'Stripe fails': ({ random }) => stripeFixture.double.failNext(429, { times: 1 + random.integerBelow(3) }),
  'an hour passes': () => stripeFixture.reconcile().catch(() => {}),
}
const often = ['open and pay', 'verify', 'time passes', 'deliver', 'work', 'Stripe fails']
const names = [...Object.keys(moves), ...often]

/** Quiet: nothing fails any more, and every hour's job has run. */
async function settle(random: SeededRandom): Promise<void> {
  const { double } = stripeFixture
  double.stopFailing()
  if (random.oneIn(2)) await double.webhooks.deliver()
  else double.webhooks.drop()
  await stripeFixture.workAll()
  await stripeFixture.reconcile()
  await stripeFixture.workAll()
}

async function expectOneOfEach(player: Player): Promise<void> {
  const { pool } = stripeFixture.server.app.deps
  const [effects, emails] = await Promise.all([
    pool.query('select count(*)::int as count from billing_effects where user_id = $1', [player.user.id]),
    stripeFixture.emailKinds(player.user),
  ])
  expect([player.steps, emails.length]).toEqual([player.steps, effects.rows[0].count])
  const subscriptions = stripeFixture.double.subscriptionsOf(await customerOf(player))
  expect(emails.filter((kind) => kind === 'plan-started').length).toBeLessThanOrEqual(subscriptions.length)
}

/** What was refunded: nothing twice, everything of a second subscription, nothing that nobody asked for. */
async function expectRefunds(player: Player): Promise<void> {
  const { double, server } = stripeFixture
  const customerId = await customerOf(player)
  const { rows } = await server.app.deps.pool.query<{ subscription: string | null; done: boolean }>(
    'select subscription_id as subscription, done_at is not null as done from refunds where customer_id = $1',
    [customerId],
  )
  expect([player.steps, rows.filter(({ done }) => !done)]).toEqual([player.steps, []])
  for (const charge of double.chargesOf(customerId)) {
    expect([player.steps, charge.amount_refunded <= charge.amount_captured]).toEqual([player.steps, true])
    const invoice = [...double.store.invoices.values()].find(({ payments }) =>
      payments.data.some(({ payment }) => payment.payment_intent === charge.payment_intent),
    )
    const isAsked = rows.some(({ subscription }) => subscription === null || subscription === invoice?.subscriptionId)
    if (!isAsked) expect([player.steps, charge.amount_refunded]).toEqual([player.steps, 0])
  }
}

async function expectSettled(player: Player): Promise<void> {
  const customerId = await customerOf(player)
  const expected = stripeFixture.expected(customerId)
  expect([player.steps, await stripeFixture.granted(player.user)]).toEqual([player.steps, expected])
  const status = await callBilling(stripeFixture.server, player.user, 'status', { method: 'GET' })
  expect([player.steps, status.json()]).toMatchObject([player.steps, { plan: { id: expected?.plan ?? 'free' } }])
  const live = (await liveIds(player)).length
  expect([player.steps, live <= 1]).toEqual([player.steps, true])
  expect([player.steps, player.statuses.filter((code) => ![200, 404, 409, 503].includes(code))]).toEqual([
    player.steps,
    [],
  ])
  await expectOneOfEach(player)
  await expectRefunds(player)
}

/** One schedule in five begins with any move, the others with a payment: without one they would prove little. */
async function play(random: SeededRandom, round: number): Promise<Player> {
  await stripeFixture.reset()
  const player: Player = { user: await makeUser(stripeFixture.server), sessionIds: [], random, steps: [], statuses: [] }
  const count = 8 + random.integerBelow(12)
  for (let n = 0; n < count; n += 1) {
    const name = n === 0 && round % 5 !== 0 ? 'open and pay' : random.pick(names)
    player.steps.push(name)
    await moves[name]?.(player)
  }
  await settle(random)
  return player
}

test.each([seed, ...regressionSeeds])(
  'after any schedule of moves, our state is Stripe’s, and each effect has happened once (seed %s)',
  async (each) => {
    const random = seededRandom('schedules of payments', each)
    const rounds = repetitions(4, 1000)
    let payers = 0
    for (let round = 0; round < rounds; round += 1) {
      const player = await play(random, round)
      await expectSettled(player)
      payers += stripeFixture.double.chargesOf(await customerOf(player)).length > 0 ? 1 : 0
    }
    // Otherwise the schedules would prove little.
    expect(payers).toBeGreaterThan(rounds / 2)
    logWithSeed(`${rounds} schedules of payments from seed ${each}, ${payers} with a payment`)
  },
)

test.each([seed, ...regressionSeeds])(
  'after any schedule, an account that is deleted is charged for nothing any more (seed %s)',
  async (each) => {
    const random = seededRandom('schedules that end with a deletion', each)
    const rounds = repetitions(4, 200)
    for (let round = 0; round < rounds; round += 1) {
      const player = await play(random, round)
      const customerId = await customerOf(player)
      if (random.oneIn(2)) stripeFixture.double.failNext(429, { times: 1 + random.integerBelow(3) })
      const { user, steps } = player
      const body = { password: validPassword }
      const deletion = await stripeFixture.server.request({ method: 'DELETE', url: '/user', token: user.token, body })
      expect(deletion.statusCode).toBeLessThan(300)
      await settle(random)
      const open = [...stripeFixture.double.store.sessions.values()].filter(({ status }) => status === 'open')
      const live = stripeFixture.double.subscriptionsOf(customerId).filter(({ ended_at: endedAt }) => endedAt === null)
      expect([steps, open, live]).toEqual([steps, [], []])
      const { rows } = await stripeFixture.server.app.deps.pool.query(
        'select 1 from billing_customers where customer_id = $1',
        [customerId],
      )
      expect([steps, rows]).toEqual([steps, []])
    }
    logWithSeed(`${rounds} schedules from seed ${each} that end with a deletion`)
  },
)
