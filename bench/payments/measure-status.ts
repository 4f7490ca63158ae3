import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { demoPrices } from '@keepsnap/server/ports/payments/payment-settings.ts'
import { startAnswerBaseline } from '../baseline/start-baseline.ts'
import { copyPhotos } from '../copied-photos.ts'
import { measureRate } from '../http-load.ts'
import { atLeast, comparedWith, measured, type BenchOptions, type Measurement } from '../measurement.ts'
import { smallPhoto } from '../sample-photos.ts'
import { startTestServer, type TestServer, type TestUser } from '../test-server.ts'

export const statusConnections = 20
export const statusUsers = 20
export const photosPerUser = 500
const leastPerSecond = 2_000
const path = '/subscriptions/status'

const statusOf = async (user: TestUser): Promise<SubscriptionStatus> =>
  (await (await user.call('GET', path)).json()) as SubscriptionStatus // the contract's reply

/** Pays for the largest plan with demo payments. */
async function subscribe({ program: { address } }: TestServer, user: TestUser): Promise<void> {
  const post = async (call: string, body: object): Promise<Response> => {
    const headers = { 'content-type': 'application/json' }
    const response = await user.call('POST', `/subscriptions/${call}`, { headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${call}: the response was ${response.status}`)
    return response
  }
  const checkout = await post('checkout', {
    price_id: demoPrices.pro_yearly,
    success_url: `${address}/subscription/success`,
    cancel_url: `${address}/subscription/cancel`,
  })
  const { checkout_url: url } = (await checkout.json()) as { checkout_url: string } // the contract's reply
  await fetch(url, { method: 'POST', body: new URLSearchParams({ outcome: 'succeed' }), redirect: 'manual' })
  await post('verify-session', { session_id: new URL(url).pathname.split('/').at(-1) })
}

/** Users with photos whose plan is a paid one. */
async function createSubscribers(server: TestServer): Promise<TestUser[]> {
  const users = await server.createUsers(statusUsers)
  const [first, ...others] = users
  if (!first) throw new Error('there are no users')
  const database = await server.connectDatabase()
  await database.query('update users set granted_plan = null')
  await first.addPhoto(await smallPhoto())
  await copyPhotos(database, { from: first.id, to: others.map(({ id }) => id), times: photosPerUser })
  await copyPhotos(database, { from: first.id, to: [first.id], times: photosPerUser - 1 })
  await database.query('analyze')
  for (const user of users) {
    await subscribe(server, user)
    const { subscription, current_usage: usage } = await statusOf(user)
    if (subscription?.plan.id !== 'pro_yearly' || usage.storage_used_bytes === 0)
      throw new Error('a user has no plan or no photos')
  }
  return users
}

interface Target {
  address: string
  tokens: string[]
  /** Requests per second. */
  rates: number[]
}

/** How many requests for the status of the plan are answered in a second. */
export async function measureStatus({ scratchDir, quick, log }: BenchOptions): Promise<Measurement[]> {
  const server = await startTestServer(`${scratchDir}/status`, { PAYMENTS: 'demo' })
  const users = await createSubscribers(server)
  const answerFile = join(scratchDir, 'status.json')
  const [first] = users
  if (first) writeFileSync(answerFile, JSON.stringify(await statusOf(first)))
  const baseline = await startAnswerBaseline(answerFile)
  const tokens = users.map(({ token }) => token)
  const targets: Record<string, Target> = {
    'one user': { address: server.program.address, tokens: tokens.slice(0, 1), rates: [] },
    [`${statusUsers} users`]: { address: server.program.address, tokens, rates: [] },
    baseline: { address: baseline.address, tokens, rates: [] },
  }
  const [rounds, seconds] = quick ? [2, 2] : [5, 3]
  for (let round = 0; round < rounds; round++)
    for (const [name, { address, tokens, rates }] of Object.entries(targets)) {
      const perSecond = await measureRate({ address, paths: [path], tokens, seconds, connections: statusConnections })
      rates.push(perSecond)
      log(`GET ${path}, ${name}: ${perSecond.toFixed(0)} requests/s`)
    }
  await Promise.all([server.stop(), baseline.stop()])
  const { baseline: bare, ...product } = targets
  return Object.entries(product).map(([name, { rates }]) => {
    const rate = measured(`GET ${path}, ${name}`, 'requests/s', rates)
    return atLeast(comparedWith(rate, { name: 'bare node:http', values: bare?.rates ?? [] }), leastPerSecond)
  })
}
