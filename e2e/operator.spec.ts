import { afterAll, beforeAll, expect, test } from 'vitest'
import { stopPolling } from './stop-polling.ts'
import { startTestServer, type DedicatedServer } from './test-server.ts'
import { sampleJpeg } from './pictures.ts'
import { startProgram, type Program } from './program.ts'
import type { Visitor } from './visitor.ts'

let server: DedicatedServer
let worker: Program
let file: Uint8Array<ArrayBuffer>
beforeAll(async () => {
  server = await startTestServer({ command: ['serve', '--no-work'], embedded: true })
  worker = await startProgram({ dataDir: server.dataDir, port: server.port, command: ['work'], env: server.env })
  file = Uint8Array.from(await sampleJpeg('table-720', 720))
})
afterAll(async () => {
  await worker.stop()
  await server.close()
})

const statusOf = async (address: string): Promise<number> => (await fetch(address, { method: 'HEAD' })).status

async function readyPhoto(visitor: Visitor): Promise<{ id: string; address: string }> {
  const photo = await visitor.upload(file, { name: 'shown.jpg' })
  return { id: photo!.id, address: `${server.address}/d/${photo!.qr_code_url.split('/').at(-1)!.replace('.png', '')}` }
}

test('with API and worker in processes of their own, screens change by themselves all the same', async () => {
  const visitor = await server.newUser()
  const latest = await server.newPage({ visitor })
  await latest.goto('/latest')
  await latest.getByText('No photos uploaded yet.').waitFor()
  await readyPhoto(visitor)
  await latest.getByRole('img', { name: /^shown\.jpg, / }).waitFor()
  expect(await latest.getByRole('img', { name: 'QR code for the photo on the screen' }).isVisible()).toBe(true)
})

test('a granted plan and the rights of an admin reach a page that is open', async () => {
  const visitor = await server.newUser()
  const page = await server.newPage({ visitor })
  await stopPolling(page)
  await page.goto('/upload')
  await page.getByText('Your plan (Free) allows files up to 50 MB.').waitFor()
  expect(await server.runCommand('grant-plan', visitor.email, 'pro_yearly', '--until', '2999-12-31')).toBe(
    `${visitor.email} has Pro Yearly until 2999-12-31.`,
  )
  await page.getByText('Your plan (Pro Yearly) allows files up to 100 MB.').waitFor()
  expect(await page.getByText('WS: Connected').count()).toBe(0)
  await server.runCommand('grant-admin', visitor.email)
  await page.getByText('WS: Connected').waitFor()
  await server.runCommand('revoke-admin', visitor.email)
  await page.getByText('WS: Connected').waitFor({ state: 'detached' })
})

test('deactivating closes the pages and the codes of an account at once, activating opens the codes again', async () => {
  const visitor = await server.newUser()
  const { address } = await readyPhoto(visitor)
  const page = await server.newPage({ visitor })
  await stopPolling(page)
  await page.goto('/latest')
  await page.getByRole('img', { name: /^shown\.jpg, / }).waitFor()
  expect(await statusOf(address)).toBe(200)
  await server.runCommand('deactivate', visitor.email)
  await page.waitForURL('**/login?return=%2Flatest')
  await expect.poll(() => statusOf(address)).toBe(404)
  await server.runCommand('activate', visitor.email)
  await expect.poll(() => statusOf(address)).toBe(200)
})

test('an operator finds an account, deactivates and activates it, and hides a photo that a guest reported', async () => {
  const [admin, visitor] = await Promise.all([server.newUser({ isAdmin: true }), server.newUser()])
  const photo = await readyPhoto(visitor)
  await expect.poll(() => statusOf(photo.address)).toBe(200)
  const report = JSON.stringify({ reason: 'child', note: 'Please remove it.' })
  const headers = { 'content-type': 'application/json' }
  await fetch(`${server.address}/photos/${photo.id}/report`, { method: 'POST', headers, body: report })
  const page = await server.newPage({ visitor: admin })
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const confirm = async (name: string, reason: string) => {
    await page.getByLabel('Reason (saved in the audit log)').fill(reason)
    await page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click()
  }
  await page.goto('/')
  await press('Account menu')
  await page.getByRole('link', { name: 'Operator' }).click()
  await page.getByText('Please remove it.').waitFor()
  const thumbnail = page.locator(`[data-reported-photo="${photo.id}"] img`)
  await expect.poll(() => thumbnail.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)

  await page.getByLabel('Search users').fill(visitor.email)
  await page.getByText('1 to 1 of 1').waitFor()
  await page.locator('[data-user]').getByRole('button').click()
  await press('Deactivate')
  await confirm('Deactivate', 'Chargeback')
  await page.getByLabel('Your password').fill(admin.password)
  await page.keyboard.press('Enter')
  await page.getByText('is deactivated.').waitFor()
  await expect.poll(() => statusOf(photo.address)).toBe(404)
  expect((await visitor.call('GET', '/user/me')).status).toBe(401)
  // The password is good for the next actions.
  await press('Activate')
  await confirm('Activate', 'Settled')
  await page.getByText('is active again.').waitFor()
  await expect.poll(() => statusOf(photo.address)).toBe(200)
  await press('Close')
  await press('Hide shown.jpg')
  await confirm('Hide from guests', 'Asked by a parent')
  await page.getByText('shown.jpg is hidden from guests.').waitFor()
  await expect.poll(() => statusOf(photo.address)).toBe(404)
  await expect
    .poll(() => page.locator('.operator-audit__reason').allInnerTexts())
    .toEqual(expect.arrayContaining(['Chargeback', 'Settled', 'Asked by a parent']))
})

test('invalid commands print a readable error, and end with status 2', async () => {
  await expect(server.runCommand('grant-admin', 'nobody@example.com')).rejects.toMatchObject({
    code: 2,
    stderr: 'keepsnap: there is no account with the address nobody@example.com\n',
  })
  await expect(server.runCommand('demo-clock', '-31d')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^keepsnap: demo-clock \[\+31d \[--yes\]\]/),
  })
})

test('a second program on the same data folder fails with the process id of the lock owner', async () => {
  await expect(server.runCommand('serve')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${server.program.pid}`),
  })
  expect(server.pageErrors).toEqual([])
})
