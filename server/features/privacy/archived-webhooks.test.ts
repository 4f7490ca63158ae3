import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordWebhookEvent } from '../webhooks/record-event.ts'
import { createWebhook } from '../webhooks/test/webhook-actions.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { grantPlan, makeUser } from '../../test/test-data.ts'
import { archivedWebhooksOf, webhookDeliveriesCsv } from './archived-webhooks.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' })
})
afterAll(() => server.close())

test('contains webhooks without secrets, and what was sent, of this user only', async () => {
  const [user, other] = [await makeUser(server), await makeUser(server)]
  for (const [at, each] of [user, other].entries()) {
    await grantPlan(server, each, 'pro_yearly')
    await createWebhook(server, each, `http://127.0.0.1:9/${at}`)
    await recordWebhookEvent(server.db, {
      userId: each.id,
      messageId: `msg_${at}`,
      type: 'photo.deleted',
      timestamp: new Date().toISOString(),
      data: { photo_id: 'gone', filename: `dance-${at}.jpg` },
    })
  }
  await server.work()
  const webhooks = await archivedWebhooksOf(server.db, user.id)
  expect(webhooks).toMatchObject([{ url: 'http://127.0.0.1:9/0', disabled_because: null }])
  expect(Object.keys(webhooks[0]!).filter((name) => name.includes('secret'))).toEqual([])
  const lines = (await Array.fromAsync(webhookDeliveriesCsv(server.db, user.id))).join('').trim().split('\r\n')
  expect(lines).toHaveLength(2)
  for (const part of [webhooks[0]!.id, 'msg_0', 'dance-0.jpg', 'waiting', 'refused the connection'])
    expect(lines[1]).toContain(part)
})
