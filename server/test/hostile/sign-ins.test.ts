/** Whether anything tells if an address has an account, and many sign-ins at once. */
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { newId } from '../../lib/ids.ts'
import {
  cheapHashing,
  newClientAddress,
  startServer,
  type TestRequest,
  type TestServer,
  useServer,
} from '../harness.ts'
import { areaUnderCurve, isRecord, logWithSeed, repetitions, seededRandom } from '../statistics.ts'
import { makeUser, signInRequest } from '../test-data.ts'

// Hashing takes as much time as in a real server; in a short run, fewer sign-ins may wait for it.
const passwordHashing = isRecord ? {} : { concurrency: 1, maxWaiting: 10 }
const server = useServer({ LOG_LEVEL: 'silent' }, { passwordHashing })

const signIn = (email: string): TestRequest => signInRequest(email, 'Wrong.Horse.9')
const calls = {
  'signing in': signIn,
  'requesting a link to reset the password': (email: string): TestRequest => ({
    method: 'POST',
    url: '/request-password-reset',
    body: { email },
  }),
}

/** Answers and times of calls in pairs, one for an address with an account and one for another, in random order. */
async function comparePairs(of: TestServer, name: keyof typeof calls, pairs: number) {
  const random = seededRandom(`enumeration by ${name}`)
  const accounts = await Promise.all(Array.from({ length: Math.min(pairs, 30) }, () => makeUser(of)))
  const known = accounts.map(({ email }) => email)
  const unknown = known.map(() => `user-${newId(8).toLowerCase()}@example.com`)
  const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] }
  const answers = new Set<string>()
  for (let n = 0; n < pairs; n++) {
    if (n % 20 === 0) {
      await of.app.deps.pool.query('delete from sign_in_delays; delete from rate_hits')
      await of.work()
    }
    for (const kind of random.oneIn(2) ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
      const addresses = kind === 'known' ? known : unknown
      const began = performance.now()
      const answer = await of.request(calls[name](addresses[n % addresses.length] ?? ''))
      times[kind].push(performance.now() - began)
      const { date: _date, 'x-request-id': _id, ...headers } = answer.headers
      answers.add(JSON.stringify([answer.statusCode, headers, answer.body]))
    }
  }
  return { answers: [...answers], times }
}

// docs/security.md T16.
describe('whether an address has an account', () => {
  const names = Object.keys(calls) as (keyof typeof calls)[] // the keys of the object above
  const median = (list: number[]): number => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0

  test.each(names)('is not revealed by the response to %s', async (name) => {
    const { answers } = await comparePairs(server, name, 4)
    expect(answers).toEqual([expect.stringMatching(name === 'signing in' ? /^\[401/ : /^\[200/)])
  })

  // Few pairs say little about time: this needs the full count of the record run.
  test.each(isRecord ? names : [])(
    'over 5,000 pairs, is not told by the time of %s',
    async (name) => {
      const own = await startServer({}, { passwordHashing: cheapHashing })
      const pairs = 5_000
      const { answers, times } = await comparePairs(own, name, pairs).finally(() => own.close())
      expect(answers).toHaveLength(1)
      const difference = Math.abs(median(times.known) - median(times.unknown))
      const area = areaUnderCurve(times.known, times.unknown)
      logWithSeed(`${pairs} pairs of ${name}: medians ${difference.toFixed(2)} ms apart, AUC ${area.toFixed(3)}`)
      expect(difference).toBeLessThan(1)
      expect(Math.abs(area - 0.5)).toBeLessThanOrEqual(0.05)
    },
    900_000,
  )
})

// docs/security.md T20.
test('of many sign-ins at once some are refused with a time to wait, and reads are answered meanwhile', async () => {
  const address = await server.listen()
  const { token } = await makeUser(server)
  const signInAt = async (n: number) => {
    const { url, body, headers } = signIn(`nobody-${n}@example.com`)
    const from = { 'x-forwarded-for': newClientAddress() }
    const answer = await fetch(address + url, { method: 'POST', headers: { ...headers, ...from }, body: String(body) })
    await answer.text()
    return `${answer.status} ${answer.headers.get('retry-after')}`
  }
  /** How long signed-in reads take, one after the other, until `work` is over: the 99th percentile in ms, and how many. */
  const readsDuring = async (work: Promise<unknown>): Promise<{ p99: number; count: number }> => {
    const times: number[] = []
    let isOver = false
    const over = work.finally(() => (isOver = true))
    for (;;) {
      const began = performance.now()
      const answer = await fetch(`${address}/user/me`, { headers: { authorization: `Bearer ${token}` } })
      await answer.text()
      expect(answer.status).toBe(200)
      if (isOver) break
      times.push(performance.now() - began)
    }
    await over
    return { p99: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0, count: times.length }
  }
  const many = repetitions(40, 500)
  const quiet = await readsDuring(delay(isRecord ? 3_000 : 0))
  const signIns = Promise.all(Array.from({ length: many }, (_, n) => signInAt(n)))
  const busy = await readsDuring(signIns)
  expect(new Set(await signIns)).toEqual(new Set(['401 null', '503 2']))
  expect(busy.count).toBeGreaterThan(0)
  logWithSeed(`p99 of reads ${busy.p99.toFixed(1)} ms beside ${many} sign-ins, ${quiet.p99.toFixed(1)} ms without`)
  expect(busy.p99).toBeLessThan(isRecord ? 2 * quiet.p99 : Infinity)
})
