import { fork, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'

/** The item at an index of a list that repeats for ever. */
export const itemAt = <T>(items: readonly T[], index: number): T => items[index % items.length]!

/** The same request for some seconds over some connections, path after path, each with each of the tokens. */
export interface RequestLoad {
  address: string
  paths: string[]
  method?: string
  headers?: Record<string, string>
  body?: string
  tokens?: string[]
  /** Whether responses from 400 on are what is expected. */
  isRefused?: boolean
  seconds: number
  connections: number
}

/**
 * Sends as many requests as the server can respond to, with wrk: load generators in JavaScript are slower than the servers
 * that they are to measure. Returns requests per second; rejects if any of them fails.
 */
export async function measureRate(load: RequestLoad): Promise<number> {
  const { address, paths, method = 'GET', headers = {}, body, tokens = [], isRefused, seconds, connections } = load
  const credentials = tokens.length ? tokens.map((token) => ({ authorization: `Bearer ${token}` })) : [{}]
  const lines = credentials.flatMap((credential) => {
    const fields = Object.entries({ ...headers, ...credential }).map(
      ([name, value]) => `[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
    )
    return paths.map(
      (path) =>
        `wrk.format("${method}", "${path}", { ${fields.join(', ')} }, ${body === undefined ? 'nil' : JSON.stringify(body)}),`,
    )
  })
  const script = join(tmpdir(), `keepsnap-bench-${randomUUID()}.lua`)
  // wrk.format needs the host name, which is not set before init.
  writeFileSync(
    script,
    `local requests
function init() requests = { ${lines.join('\n')} } end
local index = 0
function request()
  index = index % #requests + 1
  return requests[index]
end
function done(summary)
  local errors = summary.errors
  local failed = ${isRefused ? '' : 'errors.status + '}errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format("\\nRESULT %d %d %d\\n", summary.requests, summary.duration, failed))
end
`,
  )
  try {
    const args = ['-t1', '--timeout', '10s', `-c${connections}`, `-d${seconds}s`, '-s', script, address]
    const wrk = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(wrk, 'spawn').catch(() => {
      throw new Error('wrk is needed to generate load; install it first, on Debian with: sudo apt-get install wrk')
    })
    const output = await text(wrk.stdout)
    const [, requests = 0, microseconds = 1, failed = 1] = /RESULT (\d+) (\d+) (\d+)/.exec(output)?.map(Number) ?? []
    if (failed > 0) throw new Error(`${failed} requests to ${address}${paths[0]} failed`)
    return requests / (microseconds / 1e6)
  } finally {
    rmSync(script, { force: true })
  }
}

export interface ScheduledRequest {
  /** Milliseconds after the start of the schedule. */
  dueMs: number
  path: string
  /** The IP address in X-Forwarded-For. */
  clientAddress: string
  /** Each client has its own connections, as phones have; -1 stands for many clients that share 256. */
  client: number
  /** Sent as JSON; makes it a POST. */
  body?: Record<string, string>
}

export interface ScheduledResult {
  /** 0 without a response. */
  status: number
  /** From the scheduled time to the last byte of the response, so delays of the client count too. */
  ms: number
}

/** Sends requests, ordered by `dueMs`, from a process of its own, without waiting for earlier responses (open loop). */
export async function runSchedule(address: string, requests: ScheduledRequest[]): Promise<ScheduledResult[]> {
  const child = fork(import.meta.filename, [address], { serialization: 'advanced' })
  const failed = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the load process exited with ${code}`)))
  child.send(requests)
  const [results] = (await Promise.race([once(child, 'message'), failed])) as [ScheduledResult[]] // sent below
  failed.catch(() => {})
  return results
}

async function sendSchedule(address: string, requests: ScheduledRequest[]): Promise<ScheduledResult[]> {
  const pools = new Map<number, Agent>()
  const startAt = performance.now() + 300
  const send = ({ path, clientAddress, client, body, dueMs }: ScheduledRequest): Promise<ScheduledResult> =>
    new Promise((resolve) => {
      const agent = pools.get(client) ?? new Agent({ keepAlive: true, maxSockets: client < 0 ? 256 : 6 })
      pools.set(client, agent)
      const json = body && JSON.stringify(body)
      const headers = {
        'x-forwarded-for': clientAddress,
        'accept-encoding': 'gzip',
        ...(json && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) }),
      }
      const end = (status: number): void => resolve({ status, ms: performance.now() - startAt - dueMs })
      const outgoing = request(`${address}${path}`, { agent, method: json ? 'POST' : 'GET', timeout: 30_000, headers })
      outgoing.on('error', () => end(0))
      outgoing.on('timeout', () => outgoing.destroy(new Error('timed out')))
      outgoing.on('response', (response) => response.on('end', () => end(response.statusCode ?? 0)).resume())
      outgoing.end(json)
    })
  const results: Promise<ScheduledResult>[] = []
  while (results.length < requests.length) {
    const now = performance.now() - startAt
    for (let due = requests[results.length]; due && due.dueMs <= now; due = requests[results.length])
      results.push(send(due))
    await wait(1)
  }
  return Promise.all(results)
}

if (import.meta.main)
  process.once('message', (requests) => {
    // Sent by runSchedule.
    void sendSchedule(process.argv[2] ?? '', requests as ScheduledRequest[]).then((results) =>
      process.send?.(results, () => process.exit(0)),
    )
  })
