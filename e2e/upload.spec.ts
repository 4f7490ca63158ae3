import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stopPolling } from './stop-polling.ts'
import { useSharedServer, type TestServer } from './test-server.ts'
import { sampleJpeg } from './pictures.ts'
import type { Visitor } from './visitor.ts'

let server: TestServer
let photo: Buffer
beforeAll(async () => {
  ;[server, photo] = await Promise.all([useSharedServer(), sampleJpeg('table-720', 720)])
})
afterAll(async () => server.close())

const jpegNamed = (name: string, buffer = photo) => ({ name, mimeType: 'image/jpeg', buffer })
const picker = (page: Page) => page.getByLabel('Choose photos').and(page.locator('input'))
const rows = (page: Page) => page.getByRole('region', { name: /^\d+ photos?$/ }).getByRole('listitem')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function openUpload(visitor?: Visitor): Promise<Page> {
  const page = await server.newPage({ visitor: visitor ?? (await server.newUser()) })
  await page.goto('/upload')
  await page.getByRole('heading', { name: 'Drop photos here' }).waitFor()
  return page
}

test('one file: it is previewed and can be removed; no photo, or one too large, is refused with a reason', async () => {
  const page = await openUpload()
  await page.getByText('JPG, PNG, GIF up to 10MB').waitFor()
  await page.getByText('Your plan (Free) allows files up to 50 MB.').waitFor()

  await picker(page).setInputFiles({ name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') })
  await page.getByText('This file is not a photo.').waitFor()

  const scratch = await mkdtemp(join(tmpdir(), 'keepsnap-e2e-'))
  const large = join(scratch, 'large.jpg')
  await writeFile(large, photo)
  await truncate(large, 51 * 1024 * 1024)
  await picker(page).setInputFiles(large)
  await page.getByText('This file is 51 MB. Your plan allows files up to 50 MB.').waitFor()
  expect(await button(page, 'Upload Photo').count()).toBe(0)
  await button(page, 'Choose another').click()
  await rm(scratch, { recursive: true })

  await picker(page).setInputFiles(jpegNamed('first.jpg'))
  await page.getByRole('img', { name: 'Preview of first.jpg' }).waitFor()
  await button(page, 'Remove first.jpg').click()
  await page.getByRole('heading', { name: 'Drop photos here' }).waitFor()
})

test('one file: an unreachable server is reported, and the same button tries again', async () => {
  const visitor = await server.newUser()
  const page = await openUpload(visitor)
  await page.route('**/photos/upload*', (route) => route.abort('connectionrefused'))
  await picker(page).setInputFiles(jpegNamed('again.jpg'))
  await button(page, 'Upload Photo').click()
  await page.getByText('No response from server. Check your connection.').waitFor()
  await page.unroute('**/photos/upload*')
  await button(page, 'Upload Photo').click()
  await page.waitForURL('**/latest')
  expect((await (await visitor.call('GET', '/photos')).json()) as unknown[]).toHaveLength(1)
})

test('one file: what cannot be processed says so with the reason, and another can be chosen', async () => {
  const page = await openUpload()
  await picker(page).setInputFiles(jpegNamed('torn.jpg', photo.subarray(0, photo.length / 2)))
  await button(page, 'Upload Photo').click()
  await page.getByText('Processing failed!').waitFor()
  await page.getByText('damaged').first().waitFor()
  expect(await button(page, 'Try Again').count()).toBe(0)
  await button(page, 'Choose another').click()
  await page.getByRole('heading', { name: 'Drop photos here' }).waitFor()
  expect(server.pageErrors).toEqual([])
})

test('several files: each has its row, the one that failed is retried alone, and all end with their codes', async () => {
  const page = await openUpload()
  let refusals = 0
  await page.route('**/photos/upload*', async (route) => {
    const isTheOne = route.request().postDataBuffer()?.includes('two.jpg') ?? false
    if (!isTheOne || (refusals += 1) > 1) return route.continue()
    await route.fulfill({ status: 500, json: { code: 'broken', detail: 'The disk is on fire.' } })
  })
  await picker(page).setInputFiles(['one.jpg', 'two.jpg', 'three.jpg', 'four.jpg'].map((name) => jpegNamed(name)))
  await page.getByText('The disk is on fire.').waitFor()
  await button(page, 'Retry two.jpg').click()
  for (const name of ['one', 'two', 'three', 'four'])
    await page.getByRole('link', { name: `${name}.jpg on the big screen` }).waitFor()
  await page.getByText('4 done').waitFor()
  expect(await rows(page).count()).toBe(4)
  await button(page, 'Clear finished').click()
  await page.getByRole('heading', { name: 'Drop photos here' }).waitFor()
  expect(await rows(page).count()).toBe(0)
})

test('a picture is pasted like a file', async () => {
  const page = await openUpload()
  await page.evaluate(
    (bytes) => {
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File([new Uint8Array(bytes)], 'pasted.jpg', { type: 'image/jpeg' }))
      document.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    },
    [...photo],
  )
  await page.getByRole('img', { name: 'Preview of pasted.jpg' }).waitFor()
  expect(server.pageErrors).toEqual([])
})

test('other pages can be looked at while photos go up, and closing the tab asks first', async () => {
  const page = await openUpload()
  let letGo = (): void => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route('**/photos/upload*', async (route) => {
    await held
    await route.continue()
  })
  await picker(page).setInputFiles([jpegNamed('one.jpg'), jpegNamed('two.jpg')])
  await page.getByText('Keep this tab open until the uploads finish.').waitFor()
  await page.getByRole('link', { name: 'Gallery' }).first().click()
  await page.getByText('No photos yet. Upload some photos to get started!').waitFor()

  const asked = page.waitForEvent('dialog')
  await page.evaluate(() => setTimeout(() => window.location.reload()))
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()

  letGo()
  await page.getByRole('link', { name: /^one\.jpg, / }).waitFor()
  await page.getByRole('link', { name: /^two\.jpg, / }).waitFor()
})

test('what the plan has no room for waits, survives a reload, and goes up by itself after an upgrade', async () => {
  const visitor = await server.newUser()
  for (let n = 0; n < 9; n++) await visitor.upload(Uint8Array.from(photo), { name: `${n}.jpg` })
  const page = await openUpload(visitor)
  await picker(page).setInputFiles(['ten.jpg', 'eleven.jpg', 'twelve.jpg'].map((name) => jpegNamed(name)))
  await page.getByText('1 done, 2 over your plan’s limit').waitFor()
  await page.getByText('All 10 photos of this month are used.').waitFor()

  await stopPolling(page)
  const connected = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'))
  await page.reload()
  await page.getByText('2 over your plan’s limit').waitFor()
  await connected
  await server.changeAccount(visitor.email, { granted_plan: 'pro_monthly', granted_until: null })
  await page.getByText('2 done').waitFor()
  expect(server.pageErrors).toEqual([])
})

test('a file that an earlier version of the app saved in the browser is listed, and uploaded when there is room', async () => {
  const visitor = await server.newUser()
  const { id: owner } = (await (await visitor.call('GET', '/user/me')).json()) as { id: string } // what the contract says
  const page = await server.newPage({ visitor })
  // A page of the same origin without the app, so that the database is created here and not by today's code.
  await page.goto('/robots.txt')
  await page.evaluate(saveAsEarlierVersion, { owner, bytes: [...photo] })
  await page.goto('/upload')
  await page.getByText('old.jpg').first().waitFor()
  await page.getByText('1 done').waitFor()
  expect(server.pageErrors).toEqual([])
})

/** Runs in the page. Browsers hold such a database and such items since the first version. */
function saveAsEarlierVersion({ owner, bytes }: { owner: string; bytes: number[] }): Promise<void> {
  const file = new File([new Uint8Array(bytes)], 'old.jpg', { type: 'image/jpeg' })
  const problem = { kind: 'no-room', what: 'photos', detail: 'A sentence of the earlier version.' }
  const item = { id: 'a'.repeat(32), owner, file, state: { at: 'held', problem, tier: 'free', since: Date.now() } }
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('keepsnap-uploads', 1)
    opening.addEventListener('upgradeneeded', () => {
      opening.result.createObjectStore('held', { keyPath: 'id' }).createIndex('owner', 'owner')
    })
    opening.addEventListener('error', () => reject(opening.error))
    opening.addEventListener('success', () => {
      const transaction = opening.result.transaction('held', 'readwrite')
      transaction.objectStore('held').put(item)
      transaction.addEventListener('complete', () => {
        opening.result.close()
        resolve()
      })
    })
  })
}
