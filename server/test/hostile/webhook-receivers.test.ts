import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import {
  advanceWebhookTime,
  callWebhooks,
  createWebhook,
  fetchDeliveries,
} from '../../features/integrations/test/webhook-actions.ts'
import { makeApiUser } from '../test-data.ts'
import { serverForThisTest } from '../harness.ts'

test('the host of a webhook is checked at every attempt, test and replay; a private address gets no connection', async () => {
  const publicAddress = '93.184.215.14'
  let connections = 0
  const canary = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  onTestFinished(() => void canary.close())
  await new Promise<void>((resolve) => canary.listen(0, '::', resolve))
  const { port } = canary.address() as AddressInfo // it listens on a port
  let addresses = [publicAddress]
  const server = await serverForThisTest({}, { resolveWebhookHost: () => Promise.resolve(addresses) })
  const user = await makeApiUser(server)
  const webhook = await createWebhook(server, user, `https://rebinding.example.com:${port}/`)
  addresses = ['127.0.0.1']
  await callWebhooks(server, user, ['POST', `/${webhook.id}/test`])
  await server.work()
  await server.app.deps.pool.query("update webhook_deliveries set type = 'photo.ready'")
  const [delivery] = await fetchDeliveries(server, user, webhook)
  addresses = [publicAddress, '127.0.0.1']
  await callWebhooks(server, user, ['POST', `/${webhook.id}/deliveries/${delivery!.id}/replay`])
  await server.work()
  await advanceWebhookTime(server, '1 minute')
  addresses = ['::1']
  await server.work()
  const attempts = (await fetchDeliveries(server, user, webhook)).flatMap((one) => one.attempts)
  expect(attempts).toHaveLength(3)
  for (const { status, error } of attempts)
    expect([status, error]).toEqual([null, expect.stringMatching(/not on the internet/)])
  const created = await callWebhooks(server, user, [
    'POST',
    '',
    { url: 'https://rebinding.example.com/', events: ['photo.ready'] },
  ])
  expect([created.statusCode, created.body]).toEqual([422, expect.stringMatching(/not on the internet/)])
  expect(connections).toBe(0)
})
