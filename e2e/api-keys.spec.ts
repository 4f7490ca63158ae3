import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { accessibilityProblems } from './axe.ts'
import { sampleJpeg } from './pictures.ts'
import { button, dialogOnly } from './screen.ts'
import { useSharedServer, type TestServer } from './test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await useSharedServer()
})
afterAll(() => server.close())

const clipboardOf = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

interface CommandAnswer {
  status: number
  body: string
}

/** Runs the command in a shell, in a folder that contains `photo.jpg`. */
async function runCommand(command: string, file: Buffer): Promise<CommandAnswer> {
  const folder = await mkdtemp(join(tmpdir(), 'keepsnap-curl-'))
  try {
    await writeFile(join(folder, 'photo.jpg'), file)
    const shell = await promisify(execFile)('sh', ['-c', `${command} -sS -w '\\n%{http_code}'`], { cwd: folder })
    const lines = shell.stdout.split('\n')
    return { status: Number(lines.pop()), body: lines.join('\n') }
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('a key is made, copied, used as the page shows it, and ended; what it uploads is on the big screen', async () => {
  const visitor = await server.newUser({ plan: 'pro_yearly' })
  const [settings, latest] = [
    await server.newPage({ visitor, permissions: ['clipboard-read', 'clipboard-write'] }),
    await server.newPage({ visitor }),
  ]
  await latest.goto('/latest')
  await latest.getByText('No photos uploaded yet.').waitFor()
  await settings.goto('/settings#api')
  await button(settings, 'Create your first key').click()
  await settings.getByLabel('Name', { exact: true }).fill('Booth in the hall')
  expect(await accessibilityProblems(settings, { ...dialogOnly, screenshotName: 'API key dialog' })).toEqual([])
  await button(settings, 'Create key').last().click()
  await settings.getByText('API key created successfully').waitFor()
  await button(settings, 'Copy: The command').click()
  await settings.getByText('Copied', { exact: true }).first().waitFor()
  const command = await clipboardOf(settings)
  const newKey = { within: '#api', screenshotName: 'API access with a new key' }
  expect(await accessibilityProblems(settings, newKey)).toEqual([])

  const uploaded = await runCommand(command, await sampleJpeg('table-720', 720))
  expect([uploaded.status, (JSON.parse(uploaded.body) as Photo).filename]).toEqual([201, 'photo.jpg']) // the contract's reply
  await latest.getByRole('img', { name: /^photo\.jpg, / }).waitFor()
  await latest.getByText('Scan to keep this photo').waitFor()

  await settings.reload()
  const keys = settings.getByRole('list', { name: 'API keys' })
  await keys.getByText('Used just now').waitFor()
  await button(settings, 'Delete the key Booth in the hall').click()
  await settings.getByRole('alertdialog').getByRole('button', { name: 'Delete key' }).click()
  await settings.getByText('API key deleted successfully').waitFor()
  await button(settings, 'Create your first key').waitFor()
  expect((await runCommand(command, await sampleJpeg('table-720', 720))).status).toBe(401)
  expect(server.pageErrors).toEqual([])
})
