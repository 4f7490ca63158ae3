/** Sends each request when it is due, without waiting for earlier responses (open loop). */
import { Agent, request } from 'node:http'
import type { Schedule, ScheduledRequest, ScheduledResult } from './scheduled-load.ts'

const startDelayMs = 300
const timeoutMs = 30_000

/** Returns the status of the response, or 0. */
function sendRequest(address: string, { path, clientAddress, body }: ScheduledRequest, agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    const text = body && JSON.stringify(body)
    const outgoing = request(`${address}${path}`, {
      agent,
      method: text ? 'POST' : 'GET',
      timeout: timeoutMs,
      headers: {
        'x-forwarded-for': clientAddress,
        'accept-encoding': 'gzip',
        ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      },
    })
    outgoing.on('error', () => resolve(0))
    outgoing.on('timeout', () => outgoing.destroy(new Error('timed out')))
    outgoing.on('response', (response) => response.on('end', () => resolve(response.statusCode ?? 0)).resume())
    outgoing.end(text)
  })
}

/** One connection pool for all clients, or one for each, as phones have their own connections. */
function connectionPools({ connectionsPerClient }: Schedule): (client: number) => Agent {
  const options = { keepAlive: true, maxSockets: connectionsPerClient ? 6 : 256 }
  const pools = new Map<number, Agent>()
  return (client) => {
    const key = connectionsPerClient ? client : 0
    const pool = pools.get(key) ?? new Agent(options)
    pools.set(key, pool)
    return pool
  }
}

async function sendSchedule(schedule: Schedule): Promise<ScheduledResult[]> {
  const poolOf = connectionPools(schedule)
  const startAt = performance.now() + startDelayMs
  const sendOne = async (scheduled: ScheduledRequest): Promise<ScheduledResult> => {
    const status = await sendRequest(schedule.address, scheduled, poolOf(scheduled.client))
    return { kind: scheduled.kind, status, ms: performance.now() - startAt - scheduled.dueMs }
  }
  const results: Promise<ScheduledResult>[] = []
  await new Promise<void>((resolve) => {
    let next = 0
    const sendDue = (): void => {
      const now = performance.now() - startAt
      for (
        let scheduled = schedule.requests[next];
        scheduled && scheduled.dueMs <= now;
        scheduled = schedule.requests[++next]
      )
        results.push(sendOne(scheduled))
      if (next < schedule.requests.length) setTimeout(sendDue, 1)
      else resolve()
    }
    sendDue()
  })
  return Promise.all(results)
}

process.once('message', (schedule) => {
  // Sent by runSchedule.
  void sendSchedule(schedule as Schedule).then((results) => process.send?.(results, () => process.exit(0)))
})
