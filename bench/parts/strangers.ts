import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { measureRate } from '../http-load.ts'
import { atLeast, atMost, measured, type BenchOptions, type Measurement, type BenchmarkPart } from '../measurement.ts'
import { smallPhoto } from '../sample-photos.ts'
import { median } from '../statistics.ts'
import { strangerCalls, type StrangerCall } from '../strangers/stranger-calls.ts'
import { startTestServer, type TestServer, type TestUser } from '../test-server.ts'

const connections = 32
const pauseMs = 10
const mostHealthMs = 25
/** Of all strangers; the calls of others are counted apart from theirs. */
const strangerAddress = '198.51.100.1'
const agent = new Agent({ keepAlive: true, maxSockets: 4 })

/** Milliseconds until the whole answer of a call is there; rejects unless its status is 200. */
function timeGet(url: string, headers: Record<string, string> = {}): Promise<number> {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, headers }, (response) => {
      response.resume()
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - startedAt)
        else reject(new Error(`the response of ${url} was ${response.statusCode}`))
      })
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

/** Makes a call again and again, with short pauses. */
async function timesOf(call: () => Promise<number>, isOver: () => boolean): Promise<number[]> {
  const times: number[] = []
  while (!isOver()) {
    times.push(await call())
    await wait(pauseMs)
  }
  return times
}

interface Subjects {
  server: TestServer
  owner: TestUser
  photoId: string
}

/** The times of `/health` and of the owner's call while something else happens. */
async function timeOthers({ server, owner, photoId }: Subjects, during: Promise<unknown>) {
  let isOver = false
  void during.finally(() => (isOver = true)).catch(() => {})
  const { address } = server.program
  const authorization = { authorization: `Bearer ${owner.token}` }
  const [health, ownCall] = await Promise.all([
    timesOf(
      () => timeGet(`${address}/health`),
      () => isOver,
    ),
    timesOf(
      () => timeGet(`${address}/photos/${photoId}`, authorization),
      () => isOver,
    ),
    during,
  ])
  return { healthMs: median(health), ownCallMs: median(ownCall) }
}

/** Checks one response: later responses may be 429, which also counts as a rejection. */
async function checkStatus(address: string, { name, paths, status, method = 'GET', headers, body }: StrangerCall) {
  const response = await fetch(`${address}${paths[0]}`, { method, ...(headers && { headers }), ...(body && { body }) })
  await response.arrayBuffer()
  if (response.status !== status) throw new Error(`${name}: the response was ${response.status}, not ${status}`)
}

interface Round {
  perSecond: number
  healthMs: number
  ownCallMs: number
  quietMs: number
}

/** The owner's call on a quiet server, and then beside the strangers. */
async function measureRound(subjects: Subjects, call: StrangerCall, seconds: number): Promise<Round> {
  const { address } = subjects.server.program
  const { paths, status, method, headers = {}, body } = call
  const quiet = await timeOthers(subjects, wait(500))
  const strangers = measureRate({
    address,
    paths,
    connections,
    seconds,
    isRefused: status >= 400,
    ...(method && { method }),
    headers: { ...headers, 'x-forwarded-for': strangerAddress },
    ...(body && { body }),
  })
  const { healthMs, ownCallMs } = await timeOthers(subjects, strangers)
  return { perSecond: await strangers, healthMs, ownCallMs, quietMs: quiet.ownCallMs }
}

function measurementsOf({ name, leastPerSecond }: StrangerCall, rounds: Round[]): Measurement[] {
  const rate = measured(
    name,
    'requests/s',
    rounds.map(({ perSecond }) => perSecond),
  )
  const health = measured(
    `${name}: /health meanwhile, p50`,
    'ms',
    rounds.map(({ healthMs }) => healthMs),
  )
  const mostMs = 2 * median(rounds.map(({ quietMs }) => quietMs)) + 20
  const ownCall = measured(
    `${name}: the owner's call meanwhile, p50`,
    'ms',
    rounds.map(({ ownCallMs }) => ownCallMs),
  )
  return [
    leastPerSecond === undefined ? rate : atLeast(rate, leastPerSecond),
    atMost(health, mostHealthMs),
    atMost(ownCall, mostMs, `<= 2 x quiet + 20 ms = ${mostMs.toFixed(1)} ms`),
  ]
}

async function runStrangers({ scratchDir, quick, log }: BenchOptions): Promise<Measurement[]> {
  const server = await startTestServer(scratchDir)
  const owner = await server.createUser()
  const photo = await owner.addPhoto(await smallPhoto())
  const ready = (await (await owner.call('GET', `/photos/${photo.id}`)).json()) as typeof photo // the contract's reply
  const subjects: Subjects = { server, owner, photoId: photo.id }
  const warmUpMs = 3_000
  await timeOthers(subjects, wait(warmUpMs))
  const results: Measurement[] = []
  for (const call of strangerCalls(ready)) {
    await checkStatus(server.program.address, call)
    const rounds: Round[] = []
    while (rounds.length < (quick ? 1 : 3)) rounds.push(await measureRound(subjects, call, quick ? 2 : 6))
    const measurements = measurementsOf(call, rounds)
    log(measurements.map(({ name, values, unit }) => `${name}: ${values.median} ${unit}`).join(', '))
    results.push(...measurements)
  }
  await server.stop()
  return results
}

export const strangers: BenchmarkPart = {
  name: 'strangers',
  title: 'Anonymous calls, and their effect on other users',
  method:
    `wrk with ${connections} connections makes one call that needs no account, as often as the server answers, from one IP address. Meanwhile another client calls /health and, as the owner of the photo, ` +
    `GET /photos/{id}, one after the other with pauses of ${pauseMs} ms. Quiet: the same owner's call right before, without strangers.`,
  run: runStrangers,
}
