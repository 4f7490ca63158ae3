import { afterEach, beforeAll, expect, test } from 'vitest'
import { jpegWithMetadata } from '@keepsnap/server/images/test/sample-images.ts'
import type { PageOptions } from './browser.ts'
import {
  expectSamePicture,
  iPhoneAgent,
  openPhone,
  readPhotoEmail,
  submitPhotoRequest,
  waitForEmail,
} from './guest-phone.ts'
import type { Phone } from './guest-phone.ts'
import { codePolling, codesOn, isSamePicture, sampleJpeg } from './pictures.ts'
import { useSharedServer } from './use-shared-server.ts'
import { codeOf } from './visitor.ts'

/** Held sideways by the camera; its upright form is what everybody is to see. */
let picture: Buffer
const server = useSharedServer()
beforeAll(async () => {
  picture = jpegWithMetadata(await sampleJpeg('dance-1200', 600), 6)
})

let guests = 0
const newGuest = (): string => `guest${(guests += 1)}-${process.pid}@example.com`
const statusOf = async (path: string): Promise<number> =>
  (await fetch(new URL(path, server.address), { redirect: 'manual' })).status

/** No phone of a story stores anything about its guest. */
const phones: Phone[] = []
async function newPhone(options?: PageOptions): Promise<Phone> {
  const one = await openPhone(server, options)
  phones.push(one)
  return one
}
afterEach(async () => {
  for (const one of phones.splice(0)) {
    const tracks = await one.tracks()
    if (tracks.length > 0) throw new Error(`a guest page left traces: ${tracks.join(', ')}`)
  }
  if (server.pageErrors.length > 0) throw new Error(server.pageErrors.join('\n'))
})

test('a guest scans the big screen and has the picture; once the owner asks for an address, the same code brings it by email; a report hides it', async () => {
  const owner = await server.newUser({ plan: 'pro_monthly' })
  const photo = await owner.addPhoto(picture, 'Secret name.jpg')
  const [phone, screen, ownerPage] = await Promise.all([
    newPhone(),
    server.newPage({ visitor: owner }),
    server.newPage({ visitor: owner }),
  ])
  const { page } = phone
  await screen.goto('/latest')
  await screen.getByText('Scan to keep this photo').waitFor()
  const code = `${server.address}/d/${codeOf(photo)}`
  await expect.poll(() => codesOn(screen), codePolling).toEqual([code])
  expect(await phone.scan(code)).toBeUndefined()
  await page.getByRole('img', { name: 'Your photo' }).waitFor()
  expect(await page.locator('.guest__actions .btn:visible').count()).toBe(1)
  const download = page.getByRole('link', { name: 'Download', exact: true })
  await expectSamePicture(await phone.save(() => download.tap()), picture)

  await ownerPage.goto('/photo-requests')
  await ownerPage.getByText('No requests yet.').waitFor()
  await ownerPage.getByRole('checkbox', { name: 'Ask for an email address' }).click()
  await ownerPage.getByText('Email setting updated successfully').waitFor()
  const codes = async () => (await codesOn(screen)).map((text) => new URL(text).pathname.split('/')[1])
  await expect.poll(codes, codePolling).toEqual(['request-photo'])

  expect(await phone.scan(code)).toBeUndefined()
  expect(page.url()).toMatch(/\/request-photo\/[A-Za-z0-9]{22}$/)
  const shown = page.getByRole('img', { name: 'Your photo' })
  expect(await shown.evaluate((img: HTMLImageElement) => img.naturalWidth < img.naturalHeight)).toBe(true)
  const guest = newGuest()
  await submitPhotoRequest(page, guest)
  await page.getByRole('heading', { name: 'Request Submitted!' }).waitFor()
  const { link, subject, attachments } = readPhotoEmail(await waitForEmail(server, guest))
  expect(subject).not.toContain('Secret')
  expect(await isSamePicture(picture, attachments[0]!)).toBe(true)
  const row = ownerPage.locator('tr[data-request]', { hasText: guest.split('@')[0]! })
  await row.getByText('Sent', { exact: true }).waitFor()
  await page.goto(link)
  await page.getByText('this link works until').waitFor()
  await expectSamePicture(await phone.save(() => page.getByRole('link', { name: 'Download' }).tap()), picture)

  await phone.scan(code)
  await page.getByText('Report this photo').tap()
  const [send, reason] = [page.getByRole('button', { name: 'Send report' }), page.getByLabel(/^I’m in it/)]
  await expect.poll(() => reason.evaluate((input) => input === document.activeElement)).toBe(true)
  const [box, view] = [await send.boundingBox(), page.viewportSize()]
  expect(box!.y + box!.height).toBeLessThanOrEqual(view!.height)
  await page.getByLabel('Anything to add? (optional)').fill('<b>Please</b> take it away')
  await reason.check()
  await send.tap()
  await page.getByText('Your report has reached the person responsible').waitFor()
  const told = await waitForEmail(server, owner.email, /^A guest reported/)
  expect(told.text).toMatch(new RegExp(`${server.address}/photo-requests\r?\n`))
  const open = `/request-photo/${photo.id}`
  const paths = [code, `${code}?download=1`, link, `${link}/download`, open, photo.thumbnail_url!]
  expect(await Promise.all(paths.map(statusOf))).not.toContain(404)
  const card = ownerPage.getByRole('listitem').filter({ hasText: '<b>Please</b> take it away' })
  await card.getByRole('button', { name: 'Hide from guests' }).click()
  await card.getByText('Hidden from guests').waitFor()
  expect(await Promise.all(paths.map(statusOf))).toEqual(paths.map(() => 404))
  await page.goto(link)
  await page.getByRole('heading', { name: 'We can’t show this photo' }).waitFor()
})

test('without JavaScript, in the language of the phone or another one, a guest asks, is told what is wrong, saves the picture and reports it', async () => {
  const owner = await server.newUser()
  const { id } = await owner.addPhoto(picture)
  await owner.send('PUT', '/user/settings', { ask_email_to_receive_photo: true })
  const old = await newPhone({ locale: 'fr-BE', javaScriptEnabled: false })
  const { page } = old
  await old.scan(`/request-photo/${id}`)
  await page.getByRole('heading', { name: /^Où envoyer votre photo/ }).waitFor()
  await page.getByRole('link', { name: 'Deutsch' }).tap()
  await page.getByRole('heading', { name: 'Wohin dürfen wir dein Foto schicken?' }).waitFor()
  // Without the parameter, the cookie remembers it.
  await old.scan(`/request-photo/${id}`)
  const ask = async (address: string) => {
    await page.getByLabel('Deine E-Mail-Adresse').fill(address)
    await page.getByRole('button', { name: 'Foto senden' }).tap()
  }
  await ask('lotte@example')
  await page.getByText('Der Adresse fehlt die Endung, zum Beispiel .de').waitFor()
  const guest = newGuest()
  await ask(guest)
  await page.getByRole('heading', { name: 'Anfrage gesendet!' }).waitFor()
  const email = await waitForEmail(server, guest)
  expect(email.html).toContain('lang="de"')
  await page.goto(readPhotoEmail(email).link)
  await expectSamePicture(await old.save(() => page.getByRole('link', { name: 'Herunterladen' }).tap()), picture)
  await page.getByText('Foto melden').tap()
  await page.getByLabel('Möchtest du etwas dazu sagen? (freiwillig)').fill('Das Mädchen in der Mitte')
  await page.getByRole('button', { name: 'Meldung senden' }).tap()
  await page.getByText('Bitte wähle einen Grund.').waitFor()
  expect(await page.getByRole('textbox').last().inputValue()).toBe('Das Mädchen in der Mitte')
  await page.getByText('Etwas anderes').tap()
  await page.getByRole('button', { name: 'Meldung senden' }).tap()
  await page.getByRole('heading', { name: 'Danke' }).waitFor()
  // The choice of a language is the only thing that is stored.
  await page.context().clearCookies({ name: 'language' })
})

test('an iPhone is given the whole picture by its share sheet, ready before the tap, or the plain file', async () => {
  const owner = await server.newUser()
  const code = `/d/${codeOf(await owner.addPhoto(picture))}`
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
  expect(await isSamePicture(picture, Buffer.from((await read())!.bytes))).toBe(true)
  await expectSamePicture(await iPhone.save(() => page.getByRole('link', { name: 'Download file' }).tap()), picture)
})
