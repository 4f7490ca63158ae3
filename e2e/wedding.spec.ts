/** Weddings as guests reach them in a house: on plain http, under a name of its network, where browsers offer less. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Event } from '@keepsnap/contract/events.ts'
import { addPhotos as german } from '../web/messages/de/event-photos.ts'
import { addPhotos as french } from '../web/messages/fr/event-photos.ts'
import { addPhotos as dutch } from '../web/messages/nl/event-photos.ts'
import { expectSamePicture, openPhone, waitForEmail } from './guest-phone.ts'
import { codePolling, codesOn, sampleJpeg } from './pictures.ts'
import { type DedicatedServer, startTestServer } from './test-server.ts'
import type { Visitor } from './visitor.ts'

let server: DedicatedServer
let owner: Visitor
let pictures: [Buffer, Buffer, Buffer]
beforeAll(async () => {
  server = await startTestServer({ hostname: 'castle.test' })
  owner = await server.newUser()
  const names = ['dance-1200', 'balloons-900', 'family-1200']
  pictures = (await Promise.all(names.map((name) => sampleJpeg(name, 600)))) as typeof pictures // as many
})
afterAll(() => server.close())
afterEach(() => {
  if (server.pageErrors.length > 0) throw new Error(server.pageErrors.join('\n'))
})

const phoneSize = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
const isOfEvent = (code: string): boolean => code.includes('/e/')
const own = (page: Page, name = 'Your photos') => page.getByRole('list', { name }).getByRole('listitem')

async function choose(page: Page, button: string, files: readonly Buffer[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: button }).tap()
  await (
    await chooser
  ).setFiles(files.map((buffer, at) => ({ name: `Secret ${at}.jpg`, mimeType: 'image/jpeg', buffer })))
}

test('a wedding: from a name to the screen, the guests’ photos, and the couple’s link to everything', async () => {
  const host = await server.newPage({ visitor: owner })
  expect(await host.evaluate(() => window.isSecureContext)).toBe(false)
  await host.goto('/events')
  await host.getByRole('button', { name: 'Make your first event' }).click()
  await host.getByLabel('Name').fill('Lotte & Bram')
  await host.getByRole('button', { name: 'Create event' }).click()
  await host.getByRole('button', { name: 'New photos go here' }).click()
  await host.getByText('New photos go to this event, and Latest shows it.').waitFor()
  await host.getByRole('radio', { name: 'With the code or link' }).check()
  await host.getByLabel('Code on Latest').check()
  await host.getByRole('radio', { name: 'I look first' }).check()
  await host.getByLabel('Pause').waitFor()
  const eventPath = new URL(host.url()).pathname

  // One guest has the code from a card on the table, the other one from the screen.
  await host.getByRole('link', { name: 'Print', exact: true }).click()
  await host.getByRole('region', { name: 'Preview' }).getByRole('img').waitFor()
  await expect.poll(async () => (await codesOn(host)).filter(isOfEvent), codePolling).toHaveLength(1)
  const [printed = ''] = await codesOn(host)
  await owner.addPhoto(pictures[0])
  const screen = await server.newPage({ visitor: owner })
  await screen.goto('/latest')
  const shown = screen.locator('.latest__image > img')
  await shown.waitFor()
  await expect.poll(async () => (await codesOn(screen)).filter(isOfEvent), codePolling).toEqual([printed])
  const [ann, bo] = [await openPhone(server), await openPhone(server)]
  await bo.scan(printed)
  await bo.page.locator('.gallery img').tap()
  const download = bo.page.getByRole('link', { name: 'Download', exact: true })
  await expectSamePicture(await bo.save(() => download.tap()), pictures[0])
  await bo.page.getByRole('link', { name: 'All photos of tonight' }).tap()

  // The connection breaks after the first of three photos, and the page is closed meanwhile.
  await ann.scan(printed)
  await ann.page.getByRole('link', { name: 'Add photos' }).tap()
  await ann.page.getByLabel('Your name').fill('Aunt Ann')
  let sent = 0
  const adding = '**/e/*/mine'
  await ann.page.route(adding, (route) => {
    if (route.request().method() === 'POST') sent += 1
    return sent > 1 ? route.abort('internetdisconnected') : route.fallback()
  })
  await choose(ann.page, 'Choose photos', pictures)
  const rows = own(ann.page)
  await rows.filter({ hasText: 'No connection' }).nth(1).waitFor()
  await rows.filter({ hasText: /Being prepared|With the hosts/ }).waitFor()
  await ann.page.unroute(adding)
  await ann.page.reload()
  await expect.poll(() => rows.filter({ hasText: 'With the hosts' }).count()).toBe(3)
  expect(await rows.count()).toBe(3)
  expect(await ann.page.getByLabel('Your name').inputValue()).toBe('Aunt Ann')
  await rows.nth(0).getByRole('button', { name: 'Take back' }).tap()
  await rows.nth(0).getByRole('button', { name: 'Take back', exact: true }).tap()
  await expect.poll(() => rows.count()).toBe(2)

  // A phone reviews: what is approved is on the screen, in the gallery that is open, and on the phone that added it.
  const first = await shown.getAttribute('src')
  const review = await server.newPage({ visitor: owner, ...phoneSize })
  await review.goto(`${eventPath}/review`)
  await review.getByText('From Aunt Ann').waitFor()
  await review.getByText('1 of 2').waitFor()
  expect(await shown.getAttribute('src')).toBe(first)
  await review.getByRole('button', { name: 'Approve', exact: true }).tap()
  await expect.poll(() => shown.last().getAttribute('src')).not.toBe(first)
  await rows.filter({ hasText: 'Shown' }).waitFor()
  await expect.poll(() => bo.page.locator('.gallery img').count(), { timeout: 30_000 }).toBe(2)

  // Both photos leave the event by mistake, and come back.
  await host.goto('/gallery')
  await host.getByRole('button', { name: 'Select', exact: true }).click()
  const photos = host.getByRole('button', { name: /^Select \S+\.jpg/ })
  for (const photo of [photos.first(), photos.last()]) await photo.click()
  await host.getByRole('button', { name: 'Move to event…' }).click()
  await host.getByLabel('To', { exact: true }).selectOption('No event')
  await host.getByRole('button', { name: 'Move', exact: true }).click()
  await host.getByText('2 photos moved out of the event.').waitFor()
  await expect.poll(() => photos.count()).toBe(0)
  await host.getByRole('button', { name: 'Undo' }).click()
  await host.getByText('2 photos moved back.').waitFor()

  // The couple has no account.
  await host.goto(eventPath)
  await host.getByRole('button', { name: 'Send the link' }).click()
  const dialog = host.getByRole('dialog')
  const address = `couple-${owner.email}`
  await dialog.getByLabel('Email address').fill(address)
  await dialog.getByRole('button', { name: 'Send the link' }).click()
  const { text = '' } = await waitForEmail(server, address, /^All photos of Lotte & Bram$/)
  const couple = await openPhone(server)
  await couple.scan(/https?:\S+\/a\/[\w-]+/.exec(text)?.[0] ?? '')
  await couple.page.getByText(/^2 photos, /).waitFor()
  const everything = couple.page.getByRole('link', { name: 'Download everything' })
  const file = await couple.save(() => everything.tap())
  const archive = await readFile(await file.path())
  expect(file.suggestedFilename()).toMatch(/Lotte.*\.zip$/)
  // Each file has an entry in the directory.
  expect(archive.toString('latin1').split('PK\u0001\u0002')).toHaveLength(3)
  expect(await couple.tracks()).toEqual([])

  await owner.send('PUT', `/user${eventPath}`, { closes_at: '2026-01-01T00:00:00Z' })
  await bo.page.getByText('This evening has ended. Codes on printed photos still work.').waitFor({ timeout: 30_000 })
  expect(await bo.tracks()).toEqual([])
})

test.each([
  ['nl-BE', dutch],
  ['fr-BE', french],
  ['de-AT', german],
] as const)('a guest adds a photo in the language of a browser in %s', async (locale, text) => {
  const settings = { name: 'Lotte & Bram', guest_photos: 'direct' }
  const event = (await (await owner.send('POST', '/user/events', settings)).json()) as Event // what the contract says
  const { page } = await openPhone(server, { locale })
  await page.goto(event.url)
  expect(await page.locator('html').getAttribute('lang')).toBe(locale.slice(0, 2))
  await page.getByText(text.consent).waitFor()
  await choose(page, text.choose, pictures.slice(0, 1))
  await own(page, text.mine).filter({ hasText: text.script.states.shown }).waitFor()
})
