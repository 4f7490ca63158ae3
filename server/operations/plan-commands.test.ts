import { beforeEach, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { registerProvider } from '../features/plans/prices.ts'
import { connectLive } from '../test/live-client.ts'
import { useServer } from '../test/harness.ts'
import { subscribe, subscriptionStatusOf } from '../test/subscriptions.ts'
import { makeUser } from '../test/test-data.ts'
import { type CommandContext, UsageError } from './command.ts'
import { demoCommands } from './plan-commands.ts'

let questions: string[]
const server = useServer({ PAYMENTS: 'demo' })
beforeEach(() => {
  questions = []
})

interface Options {
  says?: boolean
  config?: CommandContext['config']
}
/** Runs a command beside the server. */
function run(name: string, args: string[], { says = false, config }: Options = {}) {
  const { app, db } = server
  const confirm = async (question: string): Promise<boolean> => {
    questions.push(question)
    return says
  }
  const context = { config: config ?? app.deps.config, log: app.deps.log, db, confirm }
  return demoCommands[name]!(args)(context) // a command of that file
}
const demoClock = (args: string[], options?: Options) => run('demo-clock', args, options)
const aheadOf = (text: string): number => Number(/, ([\d.]+) days ahead/.exec(text)?.[1] ?? 0)

test('the clock starts at the real time, is shown, and goes forward by days and hours', async () => {
  expect(await demoClock([])).toMatch(
    /^The clock of demo payments shows \d{4}-\d\d-\d\d \d\d:\d\d UTC, the real time\.$/,
  )
  expect(aheadOf(await demoClock(['+3d']))).toBe(3)
  expect(aheadOf(await demoClock(['+12h', '--yes']))).toBe(3.5)
  expect(aheadOf(await demoClock([]))).toBe(3.5)
  const tooFar = demoClock(['+3657d'])
  await expect(tooFar).rejects.toThrow(UsageError)
  await expect(tooFar).rejects.toThrow('can be moved 3660 days ahead at most')
})

test('a subscription renews, another one ends; open pages are notified', async () => {
  const [stays, leaves] = [await makeUser(server), await makeUser(server)]
  for (const user of [stays, leaves]) await subscribe(server, user)
  await server.request({ method: 'POST', url: '/subscriptions/cancel', token: leaves.token })
  const live = await connectLive(await server.listen(), stays.token)
  expect(await demoClock(['+31d'])).toContain('\n1 renewal, 1 subscription ended.')
  await live.next(({ action }) => action === 'plan_updated')
  live.socket.close()
  // No job has run.
  expect(await subscriptionStatusOf(server, stays)).toMatchObject({
    has_subscription: true,
    plan: { id: 'pro_monthly' },
  })
  expect(await subscriptionStatusOf(server, leaves)).toMatchObject({ has_subscription: false, plan: { id: 'free' } })
})

const configWith = (env: Record<string, string>) =>
  readConfig({ ...env, PUBLIC_URL: 'https://photos.example.com' }, { lanAddress: undefined, cwd: '/nowhere' })
const stripe = configWith({
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  STRIPE_PRICE_PRO_MONTHLY: 'price_month',
  STRIPE_PRICE_PRO_YEARLY: 'price_year',
})

test.each([
  ['off', configWith({})],
  ['stripe', stripe],
])('where payments are %s, it is refused and nothing moves', async (kind, config) => {
  const before = await demoClock([])
  for (const args of [[], ['+1d'], ['+1d', '--yes']])
    await expect(demoClock(args, { config })).rejects.toThrow(
      `demo-clock is for demo payments only, and payments are ${kind} here`,
    )
  expect(aheadOf(await demoClock([]))).toBe(aheadOf(before))
})

test('a move over a declined renewal, until photos are removed, is not made without a yes to a question or in the command', async () => {
  const user = await makeUser(server)
  await subscribe(server, user)
  await server.app.deps.pool.query(
    `insert into photos (id, user_id, code, filename, state, counted_month, full_key, full_bytes)
     select 'declined' || n, $1, 'declined' || n, 'a.jpg', 'ready', now()::date, 'full/declined' || n, 700 * 1024 * 1024
     from generate_series(1, 2) as n`,
    [user.id],
  )
  expect(await run('demo-card', [user.email, 'declined'])).toBe(`Payments of ${user.email} are declined from now on.`)
  const before = aheadOf(await demoClock([]))
  const effect = 'moving the clock by +120d removes 1 photo of 1 account'
  await expect(demoClock(['+120d'])).rejects.toThrow(`${effect}; add --yes to do it`)
  expect([questions, aheadOf(await demoClock([]))]).toEqual([[`${effect}. Move it?`], before])
  await run('demo-card', [user.email, 'pays'])
  await demoClock(['+120d'])
  expect([questions.length, aheadOf(await demoClock([]))]).toEqual([1, before + 120])
  await run('demo-card', [user.email, 'declined'])
  await demoClock(['+120d'], { says: true })
  expect([questions.length, aheadOf(await demoClock([]))]).toEqual([2, before + 240])
  await demoClock(['+1d', '--yes'])
  expect([questions.length, aheadOf(await demoClock([]))]).toEqual([2, before + 241])
})

test('demo-card of an account that does not exist or never paid is refused', async () => {
  const { email } = await makeUser(server)
  await expect(run('demo-card', ['nobody@example.com', 'pays'])).rejects.toThrow('there is no account with the address')
  await expect(run('demo-card', [email, 'pays'])).rejects.toThrow('has never paid for a plan')
  for (const args of [[email], [email, 'toString'], [email, 'pays', 'x'], []])
    expect(() => run('demo-card', args)).toThrow(UsageError)
  await expect(run('demo-card', [email, 'pays'], { config: stripe })).rejects.toThrow(
    'demo-card is for demo payments only',
  )
})

test('beside a server with other payments, it is refused', async () => {
  await registerProvider(server.app.deps, stripe.payments)
  await expect(demoClock(['+1d'])).rejects.toThrow('they were stripe when the server was started')
  await registerProvider(server.app.deps, { kind: 'demo' })
})
