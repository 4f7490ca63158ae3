import type { Page } from 'playwright-core'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpegWithMetadata } from '@keepsnap/server/images/test/sample-images.ts'
import { parseEmail, startMailServer, type MailServer } from '@keepsnap/server/test/smtp-server.ts'
import type { UserOptions } from './new-user.ts'
import type { PageOptions } from './contexts.ts'
import { startTestServer, type DedicatedServer } from './test-server.ts'
import { accessibilityProblems } from './axe.ts'
import { codePolling, codesOn } from './codes.ts'
import {
  submitPhotoRequest,
  expectSameBytes,
  expectSamePicture,
  iPhoneAgent,
  waitForEmailTo,
  openPhone,
  type Phone,
} from './guest-phone.ts'
import { sampleJpeg } from './pictures.ts'
import type { Visitor } from './visitor.ts'
import { waitLimitMs } from './wait-limit.ts'

const cleanups: (() => void | Promise<void>)[] = []
let server: DedicatedServer
let mail: MailServer
let database: Client
/** Held sideways by the camera; its upright form is what everybody is to see. */
let picture: Buffer
beforeAll(async () => {
  mail = await startMailServer((work) => void cleanups.push(work))
  const env = { SMTP_URL: `smtp://127.0.0.1:${mail.port}`, MAIL_FROM: 'Booth <photos@booth.example>' }
  ;[server, picture] = await Promise.all([startTestServer({ env }), sampleJpeg('dance-1200', 900)])
  picture = jpegWithMetadata(picture, 6)
  database = new Client(server.database)
  await database.connect()
})
afterAll(async () => {
  await database.end()
  await server.close()
  for (const clean of cleanups) await clean()
})
afterEach(() => {
  delete mail.rules.recipient
  if (server.pageErrors.length) throw new Error(server.pageErrors.join('\n'))
})

interface OwnedPhoto {
  owner: Visitor
  photo: Photo
  code: string
}
let guests = 0
const newGuest = (): string => `guest${(guests += 1)}@example.com`

/** Somebody with one photo. */
async function createPhoto({
  emailRequired = false,
  ...user
}: UserOptions & { emailRequired?: boolean } = {}): Promise<OwnedPhoto> {
  const owner = await server.newUser(user)
  const { id } = (await owner.upload(Uint8Array.from(picture), { name: 'Secret name.jpg' }))!
  const look = async (): Promise<Photo> => (await (await owner.call('GET', `/photos/${id}`)).json()) as Photo // as the contract says
  await vi.waitUntil(async () => (await look()).processing_complete, { timeout: waitLimitMs, interval: 100 })
  if (emailRequired) await gate(owner, true)
  const photo = await look()
  return { owner, photo, code: `${server.address}/d/${photo.qr_code_url.split('/').at(-1)!}` }
}
async function gate(owner: Visitor, ask_email_to_receive_photo: boolean): Promise<void> {
  const answer = await owner.call('PUT', '/user/settings', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ask_email_to_receive_photo }),
  })
  expect(answer.status).toBe(200)
}

const rowOf = (table: Page, address: string) => table.locator('tr[data-request]', { hasText: address.split('@')[0]! })
const statusOf = async (path: string, method = 'GET'): Promise<number> =>
  (await fetch(new URL(path, server.address), { method, redirect: 'manual' })).status

/** Every phone of a story stores nothing about its guest. */
const phones: Phone[] = []
const newPhone = async (options?: PageOptions): Promise<Phone> => {
  const one = await openPhone(server, options)
  phones.push(one)
  return one
}
afterEach(async () => {
  for (const one of phones.splice(0)) {
    const tracks = await one.tracks()
    if (tracks.length) throw new Error(`a guest page left traces: ${tracks.join(', ')}`)
    await one.page.context().close()
  }
})

test('a guest scans the big screen and has the picture; once the owner asks for an address, the same code brings it by email', async () => {
  const phone = await newPhone()
  const { owner } = await createPhoto()
  const screen = await server.newPage({ visitor: owner, viewport: { width: 1920, height: 1080 } })
  await screen.goto('/latest')
  await screen.getByText('Scan to keep this photo').waitFor()
  const printed = await vi.waitUntil(async () => (await codesOn(screen))[0], codePolling)
  expect(await phone.scan(printed)).toBeUndefined()
  await phone.page.getByRole('img', { name: 'Your photo' }).waitFor()
  expect(await phone.page.locator('.guest__actions .btn:visible').count()).toBe(1)
  const download = phone.page.getByRole('link', { name: 'Download', exact: true })
  await expectSamePicture(await phone.save(() => download.tap()), picture)

  const ownerPage = await server.newPage({ visitor: owner })
  await ownerPage.goto('/photo-requests')
  await ownerPage.getByText('No requests yet.').waitFor()
  await ownerPage.getByRole('checkbox', { name: 'Ask for an email address' }).click()
  await ownerPage.getByText('Email setting updated successfully').waitFor()
  await expect
    .poll(async () => (await codesOn(screen)).map((code) => new URL(code).pathname.split('/')[1]), codePolling)
    .toEqual(['request-photo'])

  const { page } = phone
  expect(await phone.scan(printed)).toBeUndefined()
  expect(page.url()).toMatch(/\/request-photo\/[A-Za-z0-9]{22}$/)
  await page.getByRole('heading', { name: 'Where should we send your photo?' }).waitFor()
  const shown = page.getByRole('img', { name: 'Your photo' })
  expect(await shown.evaluate((img: HTMLImageElement) => img.naturalWidth < img.naturalHeight)).toBe(true)
  await submitPhotoRequest(page, 'lotte@example')
  await page.getByText('The address is missing its ending, such as .com').waitFor()

  const guest = newGuest()
  await submitPhotoRequest(page, guest)
  await page.getByRole('heading', { name: 'Request Submitted!' }).waitFor()
  expect(await page.getByText('Email request submitted successfully! Please check your inbox.').count()).toBe(1)
  const { link, subject, attachments } = await waitForEmailTo(mail, guest)
  expect(subject).not.toContain('Secret')
  await expectSameBytes(attachments[0]!, picture)
  await rowOf(ownerPage, guest).getByText('Sent', { exact: true }).waitFor()

  await page.goto(link)
  await page.getByText('this link works until').waitFor()
  const button = page.getByRole('link', { name: 'Download' })
  await expectSamePicture(await phone.save(() => button.tap()), picture)
  await expectSamePicture(await phone.save(() => button.tap()), picture)
})

test('without JavaScript a guest asks, sees what is wrong with an address, has the email and saves the picture', async () => {
  const { code } = await createPhoto({ emailRequired: true })
  const old = await newPhone({ javaScriptEnabled: false })
  const { page } = old
  await old.scan(code)
  await page.getByLabel('Your email address').fill('lotte@example')
  await page.getByRole('button', { name: 'Send Photo' }).tap()
  await page.getByText('The address is missing its ending, such as .com').waitFor()
  const guest = newGuest()
  await submitPhotoRequest(page, guest)
  await page.getByRole('heading', { name: 'Request Submitted!' }).waitFor()
  const { link } = await waitForEmailTo(mail, guest)
  await page.goto(link)
  await expectSamePicture(await old.save(() => page.getByRole('link', { name: 'Download' }).tap()), picture)
  await page.getByText('Report this photo').tap()
  await page.getByLabel('Anything to add? (optional)').fill('The girl in the middle')
  await page.getByRole('button', { name: 'Send report' }).tap()
  await page.getByText('Please choose a reason.').waitFor()
  expect(await page.getByLabel('Anything to add? (optional)').inputValue()).toBe('The girl in the middle')
  await page.getByText('Something else').tap()
  await page.getByRole('button', { name: 'Send report' }).tap()
  await page.getByRole('heading', { name: 'Thank you' }).waitFor()
})

test('a person who got an email that they did not ask for stops such emails with one click, and can allow them again', async () => {
  const { photo } = await createPhoto()
  const phone = await newPhone({ javaScriptEnabled: false })
  const { page } = phone
  const askFor = async (address: string): Promise<void> => {
    await phone.scan(`/request-photo/${photo.id}`)
    await submitPhotoRequest(page, address)
    await page.getByRole('heading', { name: 'Request Submitted!' }).waitFor()
    // Ten minutes later it is no repeat any more.
    await database.query("update photo_requests set requested_at = now() - interval '11 minutes'")
  }
  const [stranger, other] = [newGuest(), newGuest()]
  await askFor(stranger)
  const { stop } = await waitForEmailTo(mail, stranger)
  await page.goto(stop)
  await page.getByRole('button', { name: 'Stop sending me photos' }).tap()
  await page.getByRole('heading', { name: 'No more photos will be sent' }).waitFor()
  await askFor(stranger)
  await askFor(other)
  await waitForEmailTo(mail, other)
  expect((await waitForEmailTo(mail, stranger)).stop).toBe(stop)

  await page.goto(stop)
  await page.getByRole('button', { name: 'Allow photos again' }).tap()
  await page.getByRole('heading', { name: 'You’ll receive photos again' }).waitFor()
  await askFor(stranger)
  expect((await waitForEmailTo(mail, stranger, 2)).stop).toBe(stop)
})

test('on an iPhone the code leads to the picture with a button for the share sheet, and to the plain file', async () => {
  const { code } = await createPhoto()
  const iPhone = await newPhone({ userAgent: iPhoneAgent })
  const { page } = iPhone
  expect(await iPhone.scan(code)).toBeUndefined()
  await page.getByRole('img', { name: 'Your photo' }).waitFor()
  await page.getByRole('link', { name: 'Save', exact: true }).waitFor()
  const plain = page.getByRole('link', { name: 'Download file' })
  await expectSamePicture(await iPhone.save(() => plain.tap()), picture)
})

test('an iPhone that can share a file is given the whole picture, ready before the tap', async () => {
  const { code } = await createPhoto()
  const iPhone = await newPhone({ userAgent: iPhoneAgent })
  const { page } = iPhone
  // Chromium on Linux has no share sheet: this one keeps what it is given.
  await page.addInitScript(() => {
    const shared: File[] = []
    Object.assign(navigator, {
      canShare: () => true,
      share: async ({ files = [] }: ShareData) => void shared.push(...files),
    })
    Object.assign(globalThis, { shared })
  })
  const whole = page.waitForResponse(/inline=1$/).then((answer) => answer.finished())
  await iPhone.scan(code)
  await whole
  await page.getByRole('link', { name: 'Save', exact: true }).tap()
  const read = () =>
    page.evaluate(async () => {
      const [file] = (globalThis as unknown as { shared: File[] }).shared // put there above
      return file && { name: file.name, bytes: [...new Uint8Array(await file.arrayBuffer())] }
    })
  await expect.poll(async () => (await read())?.name).toMatch(/^keepsnap-.*\.jpg$/)
  await expectSameBytes(Buffer.from((await read())!.bytes), picture)
})

/** The plain text of the email about reports to an owner. */
async function reportEmailTo(address: string): Promise<string | undefined> {
  const emails = await Promise.all(
    mail.received.filter(({ to }) => to.includes(address)).map(({ bytes }) => parseEmail(bytes)),
  )
  return emails.find(({ subject }) => subject?.startsWith('A guest reported'))?.text?.replaceAll('\r\n', '\n')
}

test('a guest reports a photo, its owner is told by email and on every page and hides it, and every guest path is closed at once', async () => {
  const phone = await newPhone()
  const { owner, photo, code } = await createPhoto({ emailRequired: true })
  const ownerPage = await server.newPage({ visitor: owner })
  await ownerPage.goto('/photo-requests')
  await ownerPage.getByText('No requests yet.').waitFor()
  const { page } = phone
  await phone.scan(code)
  const guest = newGuest()
  await submitPhotoRequest(page, guest)
  const { link } = await waitForEmailTo(mail, guest)
  // Until then the page moves when the answer arrives.
  await page.getByRole('heading', { name: 'Request Submitted!' }).waitFor()
  await page.getByText('Report this photo').tap()
  const firstReason = page.getByLabel('I’m in it and don’t want it shown')
  const send = page.getByRole('button', { name: 'Send report' })
  await expect.poll(() => firstReason.evaluate((input) => input === document.activeElement)).toBe(true)
  const [sendBox, view] = [await send.boundingBox(), page.viewportSize()]
  expect(sendBox!.y + sendBox!.height).toBeLessThanOrEqual(view!.height)
  await page.getByLabel('Anything to add? (optional)').fill('<b>Please</b> take it away')
  await send.tap()
  await page.getByText('Please choose a reason.').waitFor()
  await firstReason.check()
  expect(await page.getByText('Please choose a reason.').isVisible()).toBe(false)
  await send.tap()
  await page.getByText('Your report has reached the person responsible').waitFor()

  const open = ['/public', '/request-email'].map((tail) => `/photos/${photo.id}${tail}`)
  const paths = [
    code,
    `${code}?download=1`,
    link,
    `${link}/download`,
    `/request-photo/${photo.id}`,
    photo.thumbnail_url!,
  ]
  const download = server.storeOrigin === undefined ? 200 : 302
  expect(await Promise.all(paths.map((path) => statusOf(path)))).toEqual([302, 302, 200, download, 200, 200])
  const card = ownerPage.getByRole('listitem').filter({ hasText: '<b>Please</b> take it away' })
  await expect.poll(() => reportEmailTo(owner.email)).toContain(`${server.address}/photo-requests\n`)
  const gallery = await server.newPage({ visitor: owner })
  await gallery.goto('/gallery')
  const notice = gallery.getByRole('region', { name: 'Reported photos' })
  await notice.getByText('I’m in it and don’t want it shown').waitFor()
  await notice.getByRole('button', { name: 'Hide from guests' }).click()
  await card.getByText('Hidden from guests').waitFor()
  expect(await Promise.all([...paths, open[0]!].map((path) => statusOf(path)))).toEqual(Array(7).fill(404))
  await page.goto(link)
  await page.getByRole('heading', { name: 'We can’t show this photo' }).waitFor()
  await page.goto(code)
  await page.getByRole('heading', { name: 'We can’t show this photo' }).waitFor()
})

test('a deleted photo, an expired link and an unknown code open pages that say what to do', async () => {
  const phone = await newPhone()
  const { owner, photo, code } = await createPhoto({ emailRequired: true })
  const { page } = phone
  await phone.scan(code)
  const guest = newGuest()
  await submitPhotoRequest(page, guest)
  const { link } = await waitForEmailTo(mail, guest)
  await database.query(`update grants set expires_at = now() - interval '1 minute' where photo_id = $1`, [photo.id])
  expect((await page.goto(link))?.status()).toBe(404)
  await page.getByText('Photo links work for 72 hours. Scan the code again to get a new one.').waitFor()
  expect(await statusOf(`${link}/download`)).toBe(404)
  await owner.call('DELETE', `/photos/${photo.id}`)
  for (const path of [code, `/request-photo/${photo.id}`, `/d/${'A'.repeat(22)}`]) {
    expect((await page.goto(path))?.status()).toBe(404)
    await page.getByText('Unable to load photo details. The photo may not exist or may be private.').waitFor()
  }
})

test('the owner sees an email fail with its reason, sends it again, and sees it arrive, all without a reload', async () => {
  const phone = await newPhone()
  const { owner, photo } = await createPhoto({ emailRequired: true })
  const guest = newGuest()
  mail.rules.recipient = (address) => (address === guest ? { code: 550, text: '5.1.1 no such mailbox' } : undefined)
  const ownerPage = await server.newPage({ visitor: owner })
  await ownerPage.goto('/photo-requests')
  await ownerPage.getByText('No requests yet.').waitFor()
  await phone.scan(`/request-photo/${photo.id}`)
  await submitPhotoRequest(phone.page, guest)
  const row = rowOf(ownerPage, guest)
  await row.getByText('Failed', { exact: true }).waitFor()
  await row.getByText('This address does not exist.').waitFor()
  delete mail.rules.recipient
  await row.getByRole('button', { name: `Resend to ${guest}` }).click()
  await row.getByText('Sent', { exact: true }).waitFor()
  const { link } = await waitForEmailTo(mail, guest)
  await phone.page.goto(link)
  await expectSamePicture(await phone.save(() => phone.page.getByRole('link', { name: 'Download' }).tap()), picture)
})

test('the owner of a Pro plan sees in numbers what guests did', async () => {
  const phone = await newPhone()
  const { owner, code } = await createPhoto({ plan: 'pro_monthly' })
  await phone.scan(code)
  await gate(owner, true)
  const { page } = phone
  await phone.scan(code)
  const guest = newGuest()
  await submitPhotoRequest(page, guest)
  const { link } = await waitForEmailTo(mail, guest)
  await page.goto(link)
  await phone.save(() => page.getByRole('link', { name: 'Download' }).tap())
  const ownerPage = await server.newPage({ visitor: owner })
  await ownerPage.goto('/insights')
  const tile = (name: string) =>
    ownerPage
      .locator('.insights-tile', { has: ownerPage.getByText(name, { exact: true }) })
      .locator('b')
      .innerText()
  await ownerPage.getByText('Scan to photo').waitFor()
  expect(await Promise.all(['Scans', 'Views', 'Downloads', 'Requests'].map(tile))).toEqual(['2', '3', '1', '1'])
})

test('guest pages in all their states: axe finds nothing on a phone, no contrast problem in the dark theme, nothing cut off at 320 px', async () => {
  const phone = await newPhone()
  const { code, photo } = await createPhoto({ emailRequired: true })
  const { page } = phone
  const expectAccessible = async (state: string): Promise<void> =>
    expect.soft(await accessibilityProblems(page, { screenshotName: `Guest, ${state}` }), state).toEqual([])
  await phone.scan(code)
  await page.getByText('Report this photo').tap()
  await expectAccessible('form, report open')
  await submitPhotoRequest(page, 'lotte@example')
  await page.getByText('The address is missing its ending').waitFor()
  await expectAccessible('refused address')
  const guest = `a-very-long-name-that-somebody-has-${newGuest()}`
  await submitPhotoRequest(page, guest)
  await page.getByRole('heading', { name: 'Request Submitted!' }).waitFor()
  const toastMs = await page.locator('.guest__toast').evaluate((toast) => toast.getAnimations()[0]?.effect?.getTiming())
  expect(toastMs?.duration).toBe(3_000)
  await expectAccessible('sent')
  const { link, stop } = await waitForEmailTo(mail, guest)
  await page.goto(link)
  await page.getByText('this link works until').waitFor()
  await expectAccessible('the link of an email')
  await page.goto(stop)
  await expectAccessible('stopping emails')
  await page.getByRole('button', { name: 'Stop sending me photos' }).tap()
  await page.getByRole('heading', { name: 'No more photos will be sent' }).waitFor()
  await expectAccessible('emails stopped')
  await page.goto(`${stop}x`)
  await expectAccessible('a link of an email that was cut')
  await page.goto(`/g/${'A'.repeat(43)}`)
  await expectAccessible('expired')
  await page.goto(`/request-photo/${photo.id.replace(/./g, 'A')}`)
  await expectAccessible('gone')
})
