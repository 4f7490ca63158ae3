import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startWebhookReceiver } from '@keepsnap/server/test/webhook-receiver.ts'
import { accessibilityProblems } from './axe.ts'
import { sampleJpeg } from './pictures.ts'
import { useSharedServer, type TestServer } from './test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await useSharedServer()
})
afterAll(() => server.close())

test('a webhook is added, receives a photo, verifies it with the reference library, and gets it again by a replay', async () => {
  const receiver = await startWebhookReceiver()
  onTestFinished(() => receiver.close())
  const visitor = await server.newUser({ plan: 'pro_yearly' })
  const page = await server.newPage({ visitor })
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await page.getByLabel('URL').fill(receiver.url)
  await page.getByLabel('request.created').uncheck()
  await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your signing secret' })
  const secret = (await dialog.locator('code').textContent()) ?? ''
  await dialog.getByRole('button', { name: 'Done' }).click()

  const photo = await visitor.upload(Uint8Array.from(await sampleJpeg('table-720', 720)), { name: 'dance.jpg' })
  await receiver.untilReceived(1)
  await page.getByRole('button', { name: `Deliveries to ${receiver.url}` }).click()
  await page.getByRole('button', { name: /^Replay photo\.ready/ }).click()
  await receiver.untilReceived(2)
  const [first, second] = receiver.received.map(({ headers, body }) => ({
    id: headers['webhook-id'],
    // The three headers are there once.
    event: new Verifier(secret).verify(body, headers as Record<string, string>),
  }))
  expect(first!.event).toMatchObject({ type: 'photo.ready', data: { photo_id: photo!.id, filename: 'dance.jpg' } })
  expect(second).toEqual(first)
  // The log shows the result by itself.
  await page.getByRole('cell', { name: '204' }).nth(1).waitFor()

  await page.getByRole('button', { name: `Send a test to ${receiver.url}` }).click()
  await receiver.untilReceived(3)
  await page.getByRole('cell', { name: '204' }).nth(2).waitFor()
  expect(await accessibilityProblems(page, { within: '#api' })).toEqual([])
  expect(await page.getByText(secret).count()).toBe(0)
  expect(server.pageErrors).toEqual([])
})
