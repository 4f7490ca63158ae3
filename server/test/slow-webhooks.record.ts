import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../platform/db/connect.ts'
import { createLog } from '../platform/process/log.ts'
import { scratchFolder } from './child-processes.ts'
import { cloneDatabase } from './cloned-database.ts'
import { startServerProcess } from './server-process.ts'
import { logWithSeed } from './statistics.ts'

const baseline = process.env['KEEPSNAP_BASELINE']
const password = 'Correct.Horse.9'
const patienceMs = 60_000
const [attackers, webhooksOfEach, eventsOfEach, measuredMs] = [10, 10, 4, 60_000]

/** Receives the webhooks of all: those of attackers never get an answer. */
async function startReceiver() {
  const arrived = new Map<string, number>()
  const server = createServer((request, response: ServerResponse) => {
    request.resume()
    if (request.url?.startsWith('/slow')) return
    arrived.set(String(request.headers['webhook-id']), Date.now())
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { arrived, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } // it listens on a port
}

/** How many milliseconds after its event a webhook arrives, behind a hundred of other owners that answer to nothing. */
async function delaysBehindSlowReceivers(root: string | undefined, isQuick: boolean): Promise<number[]> {
  const { database, drop } = await cloneDatabase({ isBare: true })
  onTestFinished(drop)
  const dir = scratchFolder(onTestFinished)
  const env = { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' }
  const { address } = await startServerProcess(onTestFinished, {
    database,
    dir,
    env,
    command: ['serve'],
    ...(root && { root }),
  })
  const { pool, close } = connect(database, createLog('silent'), 2)
  onTestFinished(close)
  const receiver = await startReceiver()

  const makeOwner = async (n: number, paths: string[]): Promise<string> => {
    const call = async <T>(path: string, body: object, token?: string): Promise<T> => {
      const headers = {
        'content-type': 'application/json',
        'x-forwarded-for': `198.51.100.${n}`,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      }
      const answer = await fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
      return (await answer.json()) as T // what the contract says
    }
    const email = `owner${n}@example.com`
    const { access_token: token } = await call<{ access_token: string }>('/register', { email, password })
    const { rows } = await pool.query<{ id: string }>(
      "update users set granted_plan = 'pro_yearly' where email = $1 returning id",
      [email],
    )
    for (const path of paths)
      await call('/api/webhooks', { url: `${receiver.url}${path}`, events: ['photo.ready'] }, token)
    return rows[0]!.id
  }
  let events = 0
  /** As when a photo of the owner is ready. */
  const addEvent = async (userId: string): Promise<string> => {
    const messageId = `msg_${events++}`
    const data = { photo_id: messageId, filename: 'dance.jpg', created_at: new Date().toISOString() }
    const payload = { userId, messageId, type: 'photo.ready', timestamp: data.created_at, data }
    await pool.query(
      "select pg_notify('keepsnap_jobs', $2) from graphile_worker.add_job('record-webhook-event', payload => $1::json)",
      [JSON.stringify(payload), `webhook-events 1 ${messageId}`],
    )
    return messageId
  }

  const slowPaths = Array.from({ length: webhooksOfEach }, (_, n) => `/slow/${n}`)
  const owners = await Promise.all(Array.from({ length: attackers }, (_, n) => makeOwner(n + 1, slowPaths)))
  const victim = await makeOwner(200, ['/quick'])
  // Otherwise all are new ones.
  if (isQuick) await pool.query('update webhooks set slow_until = now()')
  for (let n = 0; n < eventsOfEach; n++) for (const owner of owners) await addEvent(owner)
  const deliveries = async (): Promise<number> =>
    (await pool.query<{ count: number }>('select count(*)::int from webhook_deliveries')).rows[0]!.count
  await expect.poll(deliveries, { timeout: 120_000 }).toBe(attackers * webhooksOfEach * eventsOfEach)
  const sent = new Map<string, number>()
  for (const end = Date.now() + measuredMs; Date.now() < end; await wait(1_000)) {
    const at = Date.now()
    sent.set(await addEvent(victim), at)
  }
  // What has not arrived by then counts as arriving then.
  const end = Date.now() + patienceMs
  while (receiver.arrived.size < sent.size && Date.now() < end) await wait(100)
  return [...sent].map(([id, at]) => (receiver.arrived.get(id) ?? end) - at).toSorted((a, b) => a - b)
}

test.each([
  ['a new webhook', false],
  ['a quick webhook, behind others that were quick until now', true],
])('%s waits at most 2 s behind 100 receivers that never answer', { timeout: 600_000 }, async (what, isQuick) => {
  const figures = async (name: string, root?: string): Promise<number> => {
    const delays = await delaysBehindSlowReceivers(root, isQuick)
    const at = (share: number): number => delays[Math.ceil(delays.length * share) - 1]!
    logWithSeed(`${what}, ${name}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, most ${at(1)} ms of ${delays.length}`)
    return at(1)
  }
  if (baseline) await figures('baseline', baseline)
  expect(await figures('now')).toBeLessThan(2_000)
})
