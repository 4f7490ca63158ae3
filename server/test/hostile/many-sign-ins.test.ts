import { performance } from 'node:perf_hooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { repetitions, isRecord, report } from '../statistics.ts'
import { newClientAddress, startServer, type TestServer } from '../harness.ts'
import { makeUser } from '../test-data.ts'

let server: TestServer
let address: string
beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'silent' })
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

/** How long a signed-in read takes, again and again, while something else goes on; milliseconds, sorted. */
async function readsDuring(token: string, work: Promise<unknown>): Promise<number[]> {
  const state = { isOver: false }
  const over = work.finally(() => (state.isOver = true))
  const times: number[] = []
  while (!state.isOver) {
    const began = performance.now()
    const answer = await fetch(`${address}/user/me`, { headers: { authorization: `Bearer ${token}` } })
    await answer.text()
    expect(answer.status).toBe(200)
    times.push(performance.now() - began)
  }
  await over
  return times.toSorted((a, b) => a - b)
}

test('many sign-ins at once are refused or told to wait, and everything else goes on', async () => {
  const { token } = await makeUser(server)
  const many = repetitions(260, 500)
  const quiet = await readsDuring(token, new Promise((resolve) => setTimeout(resolve, repetitions(200, 3_000))))
  const signIns = Promise.all(Array.from({ length: many }, (_, n) => signIn(n)))
  const busy = await readsDuring(token, signIns)
  const answers = await signIns
  expect(answers.map(({ status }) => status).filter((status) => status !== 401 && status !== 503)).toEqual([])
  const waiting = answers.filter(({ status }) => status === 503)
  expect(waiting.length).toBeGreaterThan(0)
  expect(waiting.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true)
  expect(busy.length).toBeGreaterThan(5)
  const p99 = (times: number[]): number => times[Math.floor(times.length * 0.99)]!
  const said = `p99 of reads ${p99(busy).toFixed(1)} ms beside ${many} sign-ins, ${p99(quiet).toFixed(1)} ms without`
  if (isRecord) report(`${said}; ${waiting.length} told to wait`)
}, 60_000)
