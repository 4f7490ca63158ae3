import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from 'pg'
import { comparedWith, measured, ratioAtMost, type BenchOptions, type Measurement } from '../measurement.ts'
import { smallPhoto } from '../sample-photos.ts'
import { quantile } from '../statistics.ts'
import { startTestServer, type TestServer } from '../test-server.ts'
import { timeCalls, timeCallsFor, type UserCalls } from '../timed-calls.ts'
import { startStripeProcess, type DeliveryResult, type PreparedCustomers, type StripeProcess } from './stripe.ts'
import { addSubscribers, findDifferences, missingEvents, type Differences } from './subscribers.ts'

/** Together they have 10,000 events. */
const customers = 926
const quickCustomers = 95
const timeoutMs = 10 * 60_000
const listedPhotos = 20

interface Round extends DeliveryResult, Differences {
  events: number
  quiet: number[]
  busy: number[]
  /** From the first webhook until the last event was applied. */
  appliedSeconds: number
  missing: number
}

interface Subjects {
  server: TestServer
  database: Client
  stripe: StripeProcess
  /** Calls of a user who pays nothing. */
  calls: UserCalls
}

/** Waits until every event is applied; how many are not after the time limit. */
async function waitUntilApplied(database: Client, prepared: PreparedCustomers): Promise<number> {
  const end = performance.now() + timeoutMs
  for (;;) {
    const missing = await missingEvents(database, prepared)
    if (missing === 0 || performance.now() > end) return missing
    await wait(250)
  }
}

/** Until the emails are sent too, so that the next round begins on a quiet server. */
async function waitForEmails(database: Client): Promise<void> {
  for (const end = performance.now() + timeoutMs; performance.now() < end; await wait(250)) {
    const { rows } = await database.query(`select from emails where state = 'queued' limit 1`)
    if (!rows.length) return
  }
  throw new Error('the emails were not sent in time')
}

async function measureRound({ server, database, stripe, calls }: Subjects, count: number): Promise<Round> {
  const prepared = await stripe.prepare(count)
  await addSubscribers(database, prepared.customers)
  // 3,000 calls: the 99th percentile of fewer differs by more than its limit between rounds.
  const quietMs = 30_000
  const quiet = await timeCallsFor(calls, quietMs)
  let isApplied = false
  const busy = timeCalls(calls, () => isApplied)
  const startedAt = performance.now()
  const delivery = await stripe.deliver(`${server.program.address}/payments/webhook`)
  const missing = await waitUntilApplied(database, prepared)
  const appliedSeconds = (performance.now() - startedAt) / 1000
  isApplied = true
  await waitForEmails(database)
  const differences = await findDifferences(database, prepared.customers)
  return { ...delivery, ...differences, events: prepared.events, quiet, busy: await busy, appliedSeconds, missing }
}

const neverAny = (measurement: Measurement): Measurement => ({
  ...measurement,
  limit: '0 in every run',
  withinLimit: measurement.values.max === 0,
})

function measurementsOf(rounds: Round[]): Measurement[] {
  const of = (name: string, unit: string, value: (round: Round) => number): Measurement =>
    measured(name, unit, rounds.map(value))
  const name = `${rounds[0]?.events} webhooks at once`
  const longest = of(`${name}: answered, longest`, 'ms', ({ times }) => Math.max(...times))
  const busyP99 = of(`${name}: API calls meanwhile, p99`, 'ms', ({ busy }) => quantile(busy, 0.99))
  const quietP99 = { name: 'quiet', values: rounds.map(({ quiet }) => quantile(quiet, 0.99)) }
  return [
    of(`${name}: answered`, 'webhooks/s', ({ times, seconds }) => times.length / seconds),
    of(`${name}: answered, p50`, 'ms', ({ times }) => quantile(times, 0.5)),
    { ...longest, limit: '< 1000 ms in every run', withinLimit: longest.values.max < 1_000 },
    of(`${name}: from the first webhook until all are applied`, 's', ({ appliedSeconds }) => appliedSeconds),
    of('API calls, quiet, p50', 'ms', ({ quiet }) => quantile(quiet, 0.5)),
    of(`${name}: API calls meanwhile, p50`, 'ms', ({ busy }) => quantile(busy, 0.5)),
    ratioAtMost(comparedWith(busyP99, quietP99), 2),
    neverAny(of(`${name}: answers other than 200`, 'webhooks', ({ refused }) => refused)),
    neverAny(of(`${name}: not applied`, 'events', ({ missing }) => missing)),
    neverAny(
      of(`${name}: sent twice but not answered as repeated`, 'webhooks', (one) => one.repeats - one.repeatsNoticed),
    ),
    neverAny(of(`${name}: plans other than Stripe's`, 'customers', ({ plans }) => plans)),
    neverAny(of(`${name}: emails missing, wrong or doubled`, 'customers', ({ emails }) => emails)),
  ]
}

/** What many webhooks at once do to the calls of others, and whether each is applied once. */
export async function measureWebhooks({ scratchDir, quick, log }: BenchOptions): Promise<Measurement[]> {
  const stripe = await startStripeProcess()
  const server = await startTestServer(`${scratchDir}/webhooks`, stripe.env)
  const user = await server.createUser()
  for (let photo = 0; photo < listedPhotos; photo++) await user.addPhoto(await smallPhoto())
  const calls = { user, paths: ['/subscriptions/status', `/photos?limit=${listedPhotos}`] }
  const warmUpMs = 3_000
  await timeCallsFor(calls, warmUpMs)
  const subjects = { server, stripe, calls, database: await server.connectDatabase() }
  const rounds: Round[] = []
  while (rounds.length < (quick ? 1 : 3)) {
    const round = await measureRound(subjects, quick ? quickCustomers : customers)
    rounds.push(round)
    log(
      `${round.events} webhooks answered in ${round.seconds.toFixed(1)} s, applied in ${round.appliedSeconds.toFixed(1)} s; ` +
        `p99 ${quantile(round.busy, 0.99).toFixed(1)} ms, quiet ${quantile(round.quiet, 0.99).toFixed(1)} ms`,
    )
  }
  await server.stop()
  await stripe.stop()
  return measurementsOf(rounds)
}
