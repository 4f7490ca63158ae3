import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jpeg } from '../../images/test/sample-images.ts'
import { seed, seededRandom, repetitions, logWithSeed, type SeededRandom } from '../statistics.ts'
import { handshake, malformedRequest, oddBody, oddCall, oddFrame, oddUpload, type FuzzInput } from '../fuzz-inputs.ts'
import { startServer, type TestServer } from '../harness.ts'
import { makeUser } from '../test-data.ts'
import { expectConsistent, runOverdueWork } from '../consistency-check.ts'
import { answersIn, rawConnection } from '../raw-connection.ts'
import { connectLive } from '../live-client.ts'

let server: TestServer
let address: string
const log: string[] = []
const file = await jpeg({ width: 64, height: 48 })
const atOnce = 8
/** Seeds of earlier runs, which are repeated every time. */
const regressionSeeds = ['20260501']

beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'error' }, { out: { write: (line) => log.push(line) } })
  address = await server.listen()
})
afterAll(() => server.close())

/** The token of a user whose month is long. */
async function newToken(): Promise<string> {
  const user = await makeUser(server)
  await server.app.deps.pool.query("update users set granted_plan = 'pro_yearly' where id = $1", [user.id])
  return user.token
}

type Verdict = { status: number } | { wrong: string }

/** How the server answered an input, or what is wrong with that. */
async function judge({ bytes, method, mustRespond }: FuzzInput): Promise<Verdict> {
  const connection = await rawConnection(address)
  try {
    void connection.write(bytes)
    if (!mustRespond) connection.socket.end()
    const over = await connection.ended(30_000)
    const received = connection.received()
    const [answer] = answersIn(received, [method]).filter(({ status }) => status >= 200)
    if (!answer)
      return mustRespond ? { wrong: `no answer: ${received.toString('latin1').slice(0, 200)}` } : { status: 0 }
    const { status, headers, body } = answer
    if (!over) return { wrong: `answered ${status}, then left open` }
    if (status >= 500) return { wrong: `answered ${status}: ${body.toString()}` }
    if (headers['x-content-type-options'] !== 'nosniff') return { wrong: `${status} without the constant headers` }
    if (headers['x-injected'] !== undefined || headers['set-cookie'] !== undefined)
      return { wrong: 'an injected header' }
    // Guests are told by a page, programs by JSON.
    const isPage = String(headers['content-type']).startsWith('text/html')
    if (isPage && method !== 'HEAD' && status !== 304 && !body.toString().startsWith('<!doctype html>'))
      return { wrong: `${status} with half a page` }
    if (status >= 400 && status !== 416 && method !== 'HEAD' && !isPage) {
      const said = JSON.parse(body.toString()) as Record<string, unknown> // looked at next
      if (typeof said['code'] !== 'string' || said['detail'] === undefined)
        return { wrong: `${status} without a reason` }
    }
    return { status }
  } catch (error) {
    return { wrong: String(error) }
  } finally {
    connection.close()
  }
}

type Maker = (random: SeededRandom, token: string) => FuzzInput

/** Sends inputs, some at once, and collects what went wrong. */
async function fuzz(
  name: string,
  random: SeededRandom,
  { count, make }: { count: number; make: Maker },
): Promise<string[]> {
  const wrong: string[] = []
  const seen = new Map<number, number>()
  let sent = 0
  let token = await newToken()
  const lane = async (): Promise<void> => {
    while (sent < count) {
      sent += 1
      // The limits are proved elsewhere; here they would hide what lies behind them.
      if (sent % 50 === 0) await server.app.deps.pool.query('delete from rate_hits')
      if (sent % 300 === 0) token = await newToken()
      const input = make(random, token)
      const verdict = await judge(input)
      if ('status' in verdict) seen.set(verdict.status, (seen.get(verdict.status) ?? 0) + 1)
      else wrong.push(`${verdict.wrong}\n  after ${JSON.stringify(input.bytes.toString('latin1').slice(0, 600))}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  const statuses = [...seen].toSorted(([a], [b]) => a - b).map(([status, times]) => `${times} x ${status || 'closed'}`)
  logWithSeed(`fuzz: ${count} ${name}: ${statuses.join(', ')}`)
  return wrong
}

const isWell = async (): Promise<boolean> =>
  (await server.request({ method: 'GET', url: '/health' })).json<{ status: string }>().status === 'ok'

describe('whatever bytes arrive, the server answers in its own format and keeps running', () => {
  test.each([
    ['odd calls', repetitions(200, 20_000), oddCall] as [string, number, Maker],
    ['odd bodies', repetitions(150, 12_000), oddBody],
    [
      'odd uploads',
      repetitions(150, 12_000),
      (random: SeededRandom, token: string) => oddUpload(random, { token, file }),
    ],
    ['broken requests', repetitions(75, 6_000), malformedRequest],
  ])(
    '%s, %i for each seed',
    async (name, count, make) => {
      for (const each of [seed, ...regressionSeeds])
        expect(
          (await fuzz(`${name}, seed ${each}`, seededRandom(name, each), { count, make })).slice(0, 10),
          `seed ${each}`,
        ).toEqual([])
      await expect.poll(isWell).toBe(true)
    },
    600_000,
  )

  test('malformed frames on live connections do not disturb a valid one', async () => {
    const [token, other] = [await newToken(), await newToken()]
    const beside = await connectLive(address, other)
    const count = repetitions(40, 5_000)
    for (const each of [seed, ...regressionSeeds]) {
      const random = seededRandom('odd frames', each)
      for (let n = 0; n < count; n++) {
        const connection = await rawConnection(address)
        void connection.write(handshake(token))
        await connection.first()
        const frames = Array.from({ length: 1 + random.integerBelow(8) }, () => oddFrame(random))
        await connection.write(Buffer.concat(frames))
        if (random.oneIn(2)) connection.socket.end()
        else connection.close()
        if (n % Math.ceil(count / 50) === 0) beside.socket.send('{"action":"pong"}')
      }
      logWithSeed(`fuzz: ${count} bunches of odd frames from seed ${each}`)
    }
    beside.socket.send('{"action":"ping"}')
    await beside.next(({ action }) => action === 'pong')
    beside.socket.close()
    await beside.closed
    await expect.poll(isWell).toBe(true)
  }, 600_000)

  test('and the stored data is consistent', async () => {
    await runOverdueWork(server)
    await expectConsistent(server)
    expect(log).toEqual([])
  }, 600_000)
})
