/** A wedding as its people meet it in a house: on plain http, under a name of its network, where browsers offer less. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { addPhotos as german } from '../web/messages/de/event-photos.ts'
import { eventGrant as french } from '../web/messages/fr/event-archive.ts'
import { eventGuests as frenchGallery } from '../web/messages/fr/event-guests.ts'
import { guest as frenchPhoto } from '../web/messages/fr/guests.ts'
import { helping as dutch } from '../web/messages/nl/event-helpers.ts'
import { review as dutchReview } from '../web/messages/nl/event-review.ts'
import { expectSamePicture, openPhone, waitForEmail } from './guest-phone.ts'
import { codePolling, codesOn, sampleJpeg } from './pictures.ts'
import { useSharedServer } from './use-shared-server.ts'
import type { Visitor } from './visitor.ts'

const server = useSharedServer({ hasLongName: true })
let owner: Visitor
let pictures: [Buffer, Buffer, Buffer]
beforeAll(async () => {
  owner = await server.newUser()
  const names = ['dance-1200', 'balloons-900', 'family-1200']
  pictures = (await Promise.all(names.map((name) => sampleJpeg(name, 600)))) as typeof pictures // as many
})
afterEach(() => {
  if (server.pageErrors.length > 0) throw new Error(server.pageErrors.join('\n'))
})

/** The address of the settings, as people of the house reach it. */
const inTheHouse = (url = ''): string => server.address + url.slice(new URL(url).origin.length)
/** The phone is taken in hand again: its page asks the server at once. */
const wake = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
async function expectOnceAwake(page: Page, what: ReturnType<Page['locator']>, count: number): Promise<void> {
  const awake = async (): Promise<number> => {
    await wake(page)
    return what.count()
  }
  await expect.poll(awake).toBe(count)
}

test('a wedding, each in a language of their own: from a name to the screen, the guests’ photos, a helper, and the couple’s link to everything', async () => {
  const host = await server.newPage({ visitor: owner })
  await host.goto('/events')
  expect(await host.evaluate(() => window.isSecureContext)).toBe(false)
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
  await host.getByRole('button', { name: 'Add a helper' }).click()
  await host.getByLabel('Their name').fill('Anna')
  await host.getByRole('button', { name: 'Make the link' }).click()
  const helperLink = await host.locator('.helper-link .code').innerText()
  await host.getByRole('button', { name: 'Done' }).click()

  // Both guests have the code from the screen.
  await owner.addPhoto(pictures[0])
  const screen = await server.newPage({ visitor: owner })
  await screen.goto('/latest')
  const shown = screen.locator('.latest__image > img').last()
  await shown.waitFor()
  const codes = async () => (await codesOn(screen)).filter((code) => code.includes('/e/'))
  let code: string | undefined
  await expect.poll(async () => ([code] = await codes()), codePolling).toHaveLength(1)
  const bo = await openPhone(server, { locale: 'fr-BE' })
  await bo.scan(inTheHouse(code))
  await bo.page.locator('.gallery img').tap()
  const download = bo.page.getByRole('link', { name: frenchPhoto.save.download, exact: true })
  await expectSamePicture(await bo.save(() => download.tap()), pictures[0])
  await bo.page.getByRole('link', { name: frenchGallery.all }).tap()

  // The connection breaks after the first of three photos, and the page is closed meanwhile.
  const ann = await openPhone(server, { locale: 'de-AT' })
  const { page } = ann
  await ann.scan(inTheHouse(code))
  await page.getByRole('link', { name: german.open }).tap()
  await page.getByText(german.consent).waitFor()
  await page.getByLabel(german.name).fill('Aunt Ann')
  let sent = 0
  const adding = '**/e/*/mine'
  await page.route(adding, (route) => {
    if (route.request().method() === 'POST') sent += 1
    return sent > 1 ? route.abort('internetdisconnected') : route.fallback()
  })
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: german.choose }).tap()
  const files = pictures.map((buffer, at) => ({ name: `Secret ${at}.jpg`, mimeType: 'image/jpeg', buffer }))
  await (await chooser).setFiles(files)
  const rows = page.getByRole('list', { name: german.mine }).getByRole('listitem')
  const { states, problems } = german.script
  await rows.filter({ hasText: problems.offline }).nth(1).waitFor()
  await page.unroute(adding)
  await page.reload()
  await expectOnceAwake(page, rows.filter({ hasText: states.waiting }), 3)
  expect(await rows.count()).toBe(3)
  expect(await page.getByLabel(german.name).inputValue()).toBe('Aunt Ann')
  await rows.nth(0).getByRole('button', { name: german.takeBack }).tap()
  await rows.nth(0).getByRole('button', { name: german.takeBack, exact: true }).tap()
  await expect.poll(() => rows.count()).toBe(2)

  // What a helper approves is on the screen, in the gallery that is open, and on the phone that added it.
  const first = await shown.getAttribute('src')
  const isFirst = async () => (await shown.getAttribute('src')) === first
  const helper = await openPhone(server, { locale: 'nl-BE', hasCookieNotice: false })
  await helper.scan(inTheHouse(helperLink))
  await helper.page.getByRole('button', { name: dutch.begin.button }).tap()
  await helper.page.getByText(dutchReview.position('1', '2')).waitFor()
  await helper.page.getByText(dutchReview.from('Aunt Ann')).waitFor()
  expect(new URL(helper.page.url()).hash).toBe('')
  // Both the picture that is shown and the one behind it are loaded.
  const reviewed = helper.page.locator('.review__photo > img')
  const loaded = () => reviewed.evaluateAll((all: HTMLImageElement[]) => all.map((one) => one.naturalWidth > 0))
  await expect.poll(loaded).toEqual([true, true])
  expect(await isFirst()).toBe(true)
  await helper.page.getByRole('button', { name: dutchReview.approve, exact: true }).tap()
  await expect.poll(isFirst).toBe(false)
  await expectOnceAwake(page, rows.filter({ hasText: states.shown }), 1)
  await expectOnceAwake(bo.page, bo.page.locator('.gallery img'), 2)

  // The owner undoes that, and decides.
  await host.locator('#helpers').getByText('Approved: 1. Rejected: 0. Hidden: 0.').waitFor()
  await host.getByRole('button', { name: 'Undo all: Anna' }).click()
  await host.getByRole('alertdialog').getByRole('button', { name: 'Undo all' }).click()
  await host.getByText('Undone. Waiting again: 1. Shown again: 0.').waitFor()
  await expect.poll(isFirst).toBe(true)
  await host.getByRole('link', { name: /^Review/ }).click()
  await host.getByText('1 of 2').waitFor()
  await host.keyboard.press('a')
  await host.getByText('1 of 1').waitFor()
  await expect.poll(isFirst).toBe(false)
  await host.keyboard.press('r')
  await host.getByText('All looked at. New ones appear here by themselves.').waitFor()
  await expectOnceAwake(page, rows.filter({ hasText: states.not_taken }), 1)

  // The couple has no account. Their link goes on after the evening.
  await host.getByRole('link', { name: 'Lotte & Bram' }).click()
  await host.getByRole('button', { name: 'Send the link' }).click()
  const dialog = host.getByRole('dialog')
  const address = `couple-${owner.email}`
  await dialog.getByLabel('Email address').fill(address)
  await dialog.getByRole('button', { name: 'Send the link' }).click()
  const { text = '' } = await waitForEmail(server, address, /^All photos of Lotte & Bram$/)
  // The helper's phone has heard of the decisions of others.
  await helper.page.getByText(dutchReview.empty).waitFor()
  await owner.send('PUT', `/user${eventPath}`, { closes_at: '2026-01-01T00:00:00Z' })
  await expectOnceAwake(bo.page, bo.page.getByRole('heading', { name: frenchGallery.ended.heading }), 1)
  await bo.scan(inTheHouse(/https?:\S+\/a\/[\w-]+/.exec(text)?.[0]))
  await bo.page.getByText(/^2 photos, /).waitFor()
  const file = await bo.save(() => bo.page.getByRole('link', { name: french.download }).tap())
  const archive = await readFile(await file.path())
  expect(file.suggestedFilename()).toMatch(/Lotte.*\.zip$/)
  // Each file has an entry in the directory.
  expect(archive.toString('latin1').split('PK\u0001\u0002')).toHaveLength(3)
  expect(await bo.tracks()).toEqual([])
})
