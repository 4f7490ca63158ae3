import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { repetitions, isRecord, logWithSeed } from '../statistics.ts'
import { newClientAddress, startServer, type TestServer } from '../harness.ts'
import { makeUser } from '../test-data.ts'

let server: TestServer
let address: string
/** Hashing takes as much time as in a real server; fewer sign-ins may wait for it. */
const passwordHashing = isRecord ? {} : { concurrency: 1, maxWaiting: 10 }
beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'silent' }, { passwordHashing })
  address = await server.listen()
})
afterAll(() => server.close())

const signIn = async (n: number): Promise<{ status: number; retryAfter: string | null }> => {
  const answer = await fetch(`${address}/token`, {
    method: 'POST',
    headers: { 'x-forwarded-for': newClientAddress() },
    body: new URLSearchParams({ username: `nobody-${n}@example.com`, password: 'Wrong.Horse.9' }),
  })
  await answer.text()
  return { status: answer.status, retryAfter: answer.headers.get('retry-after') }
}

/** How long signed-in reads take, one after the other, until `work` is over; in milliseconds, sorted. */
async function readsDuring(token: string, work: Promise<unknown>): Promise<number[]> {
  let isOver = false
  const over = work.finally(() => (isOver = true))
  const times: number[] = []
  for (;;) {
    const began = performance.now()
    const answer = await fetch(`${address}/user/me`, { headers: { authorization: `Bearer ${token}` } })
    await answer.text()
    expect(answer.status).toBe(200)
    if (isOver) break
    times.push(performance.now() - began)
  }
  await over
  return times.toSorted((a, b) => a - b)
}

const p99 = (times: number[]): number => times[Math.floor(times.length * 0.99)] ?? 0

// docs/security.md T20.
test('of many sign-ins at once some are refused with a time to wait, and reads are answered meanwhile', async () => {
  const { token } = await makeUser(server)
  const many = repetitions(40, 500)
  const quiet = isRecord ? await readsDuring(token, delay(3_000)) : []
  const signIns = Promise.all(Array.from({ length: many }, (_, n) => signIn(n)))
  const busy = await readsDuring(token, signIns)
  const answers = await signIns
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 503]))
  const refused = answers.filter(({ status }) => status === 503)
  expect(new Set(refused.map(({ retryAfter }) => retryAfter))).toEqual(new Set(['2']))
  expect(busy.length).toBeGreaterThan(0)
  if (!isRecord) return
  logWithSeed(`p99 of reads ${p99(busy).toFixed(1)} ms beside ${many} sign-ins, ${p99(quiet).toFixed(1)} ms without`)
  expect(p99(busy)).toBeLessThan(2 * p99(quiet))
})
