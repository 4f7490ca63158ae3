import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { metricsToken } from '../metrics/test/read-metrics.ts'
import { serverForThisTest } from '../test/harness.ts'
import { createMetricsListener } from './metrics-page.ts'

const strangers: Record<string, Record<string, string>> = {
  'no token': {},
  'a wrong token': { authorization: `Bearer ${metricsToken.replace('0', '1')}` },
  'the beginning of the token': { authorization: `Bearer ${metricsToken.slice(0, -1)}` },
  'another scheme': { authorization: `Basic ${metricsToken}` },
  'an empty token': { authorization: 'Bearer ' },
}

test('a stranger gets the answer of a URL that does not exist', async () => {
  const server = await serverForThisTest({ METRICS_TOKEN: metricsToken })
  for (const [name, headers] of Object.entries(strangers)) {
    for (const [method, accept] of [
      ['GET', 'text/html'],
      ['GET', '*/*'],
      ['HEAD', '*/*'],
      ['POST', '*/*'],
    ] as const) {
      const ask = async (url: string) => {
        const answer = await server.request({ method, url, headers: { accept, ...headers } })
        const { 'x-request-id': id, date, ...others } = answer.headers
        expect([typeof id, typeof date]).toEqual(['string', 'string'])
        return { status: answer.statusCode, body: answer.body, others }
      }
      const expected = await ask('/nothing-is-here')
      expect(expected.status).toBe(404)
      expect(await ask('/metrics'), name).toEqual(expected)
    }
  }
})

test('the listener of METRICS_PORT answers with the token at /metrics and nowhere else', async () => {
  const page = { token: metricsToken, contentType: 'text/plain', render: async () => 'metric 1\n' }
  const listener = createMetricsListener(page)
  onTestFinished(() => void listener.close())
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo // it listens on a port
  const ask = async (path: string, authorization: string, method = 'GET') => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers: { authorization } })
    return [answer.status, await answer.text()]
  }
  const right = `Bearer ${metricsToken}`
  expect(await ask('/metrics', right)).toEqual([200, 'metric 1\n'])
  expect(await ask('/metrics', `${right}x`)).toEqual([404, ''])
  expect(await ask('/metrics', right, 'POST')).toEqual([404, ''])
  expect(await ask('/', right)).toEqual([404, ''])
})
