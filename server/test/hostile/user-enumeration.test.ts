import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { startServer, type TestServer } from '../harness.ts'
import { areaUnderCurve, isRecord, logWithSeed, seededRandom } from '../statistics.ts'
import { makeUser, validPassword } from '../test-data.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const calls = {
  'signing in': (username: string) => ({
    url: '/token',
    body: new URLSearchParams({ username, password: validPassword.replace('9', '8') }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }),
  'requesting a link to reset the password': (email: string) => ({ url: '/request-password-reset', body: { email } }),
}

/** Answers and times of calls in pairs, one for an address with an account and one for another, in random order. */
async function comparePairs(name: keyof typeof calls, pairs: number) {
  const random = seededRandom(`enumeration by ${name}`)
  const known = await Promise.all(
    Array.from({ length: Math.min(pairs, 30) }, async () => (await makeUser(server)).email),
  )
  const unknown = known.map(() => `user-${newId(8).toLowerCase()}@example.com`)
  const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] }
  const answers = new Set<string>()
  const guess = async (kind: 'known' | 'unknown', n: number): Promise<void> => {
    const addresses = kind === 'known' ? known : unknown
    const call = calls[name](addresses[n % addresses.length] ?? '')
    const began = performance.now()
    const { statusCode, headers, body } = await server.request({ method: 'POST', ...call })
    times[kind].push(performance.now() - began)
    const { date: _date, 'x-request-id': _id, ...rest } = headers
    answers.add(JSON.stringify([statusCode, rest, body]))
  }
  for (let n = 0; n < pairs; n++) {
    if (n % 20 === 0) {
      await server.app.deps.pool.query('delete from sign_in_delays; delete from rate_hits')
      await server.work()
    }
    const first = random.oneIn(2) ? 'known' : 'unknown'
    await guess(first, n)
    await guess(first === 'known' ? 'unknown' : 'known', n)
  }
  return { answers: [...answers], times }
}

// docs/security.md T16.
describe('whether an address has an account', () => {
  const names = Object.keys(calls) as (keyof typeof calls)[] // the keys of the record's type
  const median = (list: number[]): number => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0

  test.each(names)('is not revealed by the response to %s', async (name) => {
    const { answers } = await comparePairs(name, 8)
    expect(answers).toEqual([expect.stringMatching(name === 'signing in' ? /^\[401/ : /^\[200/)])
  })

  // Few pairs say little about time: this needs the full count of the record run.
  test.each(isRecord ? names : [])(
    'over 5,000 pairs, is not told by the time of %s',
    async (name) => {
      const pairs = 5_000
      const { answers, times } = await comparePairs(name, pairs)
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
