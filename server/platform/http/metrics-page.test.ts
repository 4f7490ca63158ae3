import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { metricsToken } from '../../test/prometheus.ts'
import { createMetricsListener } from './metrics-page.ts'

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
