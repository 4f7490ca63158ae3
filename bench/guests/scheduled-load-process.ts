/** Sends what it is told at the moments it is told, whatever the answers take: an open loop, in a process of its own. */
import { Agent, request } from 'node:http'
import type { Outcome, Plan, Planned } from './scheduled-load.ts'

const aheadMs = 300
const lateMs = 30_000

function send(plan: Plan, { path, from, body }: Planned, agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    const text = body && JSON.stringify(body)
    const outgoing = request(`${plan.address}${path}`, {
      agent,
      method: text ? 'POST' : 'GET',
      timeout: lateMs,
      headers: {
        'x-forwarded-for': from,
        'accept-encoding': 'gzip',
        ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      },
    })
    outgoing.on('error', () => resolve(0))
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')))
    outgoing.on('response', (answer) => answer.on('end', () => resolve(answer.statusCode ?? 0)).resume())
    outgoing.end(text)
  })
}

/** One connection pool for all, or one for each guest, as phones have their own connections. */
function agents(plan: Plan): (planned: Planned) => Agent {
  const options = { keepAlive: true, maxSockets: plan.own ? 6 : 256 }
  const all = new Map<number, Agent>()
  return ({ guest }) => {
    const key = plan.own ? guest : 0
    const known = all.get(key)
    if (known) return known
    const agent = new Agent(options)
    all.set(key, agent)
    return agent
  }
}

async function carryOut(plan: Plan): Promise<Outcome[]> {
  const agentOf = agents(plan)
  const began = performance.now() + aheadMs
  const under: Promise<Outcome>[] = []
  const one = async (planned: Planned): Promise<Outcome> => {
    const status = await send(plan, planned, agentOf(planned))
    return { kind: planned.kind, status, ms: performance.now() - began - planned.at }
  }
  await new Promise<void>((resolve) => {
    let next = 0
    const tick = (): void => {
      const now = performance.now() - began
      for (let planned = plan.requests[next]; planned && planned.at <= now; planned = plan.requests[++next])
        under.push(one(planned))
      if (next < plan.requests.length) setTimeout(tick, 1)
      else resolve()
    }
    tick()
  })
  return Promise.all(under)
}

process.once('message', (plan) => {
  void carryOut(plan as Plan).then((outcomes) => process.send?.(outcomes, () => process.exit(0))) // sent by carry
})
