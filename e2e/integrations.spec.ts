import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Webhook as Verifier } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { startWebhookReceiver } from '@keepsnap/server/test/webhook-receiver.ts'
import { button } from './browser.ts'
import { sampleJpeg } from './pictures.ts'
import { useSharedServer } from './use-shared-server.ts'

const server = useSharedServer()

/** Runs a command in a shell, in a folder that contains `photo.jpg`. */
async function runCommand(command: string): Promise<{ status: number; body: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'keepsnap-curl-'))
  try {
    await writeFile(join(folder, 'photo.jpg'), await sampleJpeg('table-720', 720))
    const shell = await promisify(execFile)('sh', ['-c', `${command} -sS -w '\\n%{http_code}'`], { cwd: folder })
    const lines = shell.stdout.split('\n')
    return { status: Number(lines.pop()), body: lines.join('\n') }
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('a key is made, copied and used as the page shows it; a webhook tells of its photo, verified by the reference library', async () => {
  const receiver = await startWebhookReceiver()
  onTestFinished(() => receiver.close())
  const visitor = await server.newUser({ plan: 'pro_yearly' })
  const page = await server.newPage({ visitor, permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto('/settings#api')
  await button(page, 'Add webhook').click()
  await page.getByLabel('URL').fill(receiver.url)
  await page.getByLabel('request.created').uncheck()
  await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click()
  const shown = page.getByRole('dialog', { name: 'Your signing secret' })
  const secret = (await shown.locator('code').textContent()) ?? ''
  await shown.getByRole('button', { name: 'Done' }).click()

  await button(page, 'Create your first key').click()
  await page.getByLabel('Name', { exact: true }).fill('Booth in the hall')
  await button(page, 'Create key').last().click()
  await page.getByText('API key created successfully').waitFor()
  await button(page, 'Copy: The command').click()
  await page.getByText('Copied', { exact: true }).first().waitFor()
  const command = await page.evaluate(() => navigator.clipboard.readText())
  const uploaded = await runCommand(command)
  const { id, filename } = JSON.parse(uploaded.body) as Photo // the contract's reply
  expect([uploaded.status, filename]).toEqual([201, 'photo.jpg'])

  await receiver.untilReceived(1)
  await button(page, `Deliveries to ${receiver.url}`).click()
  await page.getByRole('button', { name: /^Replay photo\.ready/ }).click()
  await receiver.untilReceived(2)
  const [first, second] = receiver.received.map(({ headers, body }) => ({
    id: headers['webhook-id'],
    // The three headers are there once.
    event: new Verifier(secret).verify(body, headers as Record<string, string>),
  }))
  expect(first!.event).toMatchObject({ type: 'photo.ready', data: { photo_id: id, filename: 'photo.jpg' } })
  expect(second).toEqual(first)
  // The log shows the result by itself.
  await page.getByRole('cell', { name: '204' }).nth(1).waitFor()

  await page.reload()
  await page.getByRole('list', { name: 'API keys' }).getByText('Used just now').waitFor()
  expect(await page.getByText(secret).count()).toBe(0)
  await button(page, 'Delete the key Booth in the hall').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete key' }).click()
  await page.getByText('API key deleted successfully').waitFor()
  expect((await runCommand(command)).status).toBe(401)
  expect(server.pageErrors).toEqual([])
})
