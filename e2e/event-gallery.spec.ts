import { beforeAll, expect, test } from 'vitest'
import type { Event } from '@keepsnap/contract/events.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { emailsTo, expectSamePicture, openPhone, waitForEmail } from './guest-phone.ts'
import { codePolling, codesOn, sampleJpeg } from './pictures.ts'
import { useSharedServer } from './use-shared-server.ts'
import { codeOf, type Visitor } from './visitor.ts'

const server = useSharedServer()
let picture: Buffer
let owner: Visitor
let event: Event
beforeAll(async () => {
  picture = await sampleJpeg('dance-1200', 600)
  owner = await server.newUser()
  const settings = { name: 'Lotte & Bram', gallery: 'link', code_on_latest: true }
  event = (await (await owner.send('POST', '/user/events', settings)).json()) as Event // what the contract says
  await owner.send('PUT', '/user/current-event', { event_id: event.id })
})
const addPhoto = async (): Promise<Photo> => {
  const photo = await owner.addPhoto(picture)
  await owner.send('POST', '/photos/move', { ids: [photo.id], event_id: event.id })
  return photo
}

test('a guest scans the code of the event on the screen, sees new photos come, and saves one', async () => {
  const photo = await addPhoto()
  const screen = await server.newPage({ visitor: owner })
  await screen.goto('/latest')
  await expect.poll(() => codesOn(screen), codePolling).toContain(event.url)
  const phone = await openPhone(server)
  const { page } = phone
  await phone.scan(event.url)
  await page.getByRole('heading', { name: 'Lotte & Bram' }).waitFor()
  const photos = page.locator('.gallery img')
  expect(await photos.count()).toBe(1)
  await addPhoto()
  await expect.poll(() => photos.count(), { timeout: 30_000 }).toBe(2)
  await photos.last().tap()
  await page.getByRole('img', { name: 'Your photo' }).waitFor()
  const download = page.getByRole('link', { name: 'Download', exact: true })
  await expectSamePicture(await phone.save(() => download.tap()), picture)

  await owner.send('PUT', `/photos/${photo.id}`, { hidden: true })
  await page.getByRole('link', { name: 'All photos of tonight' }).tap()
  await expect.poll(() => photos.count()).toBe(1)
  await owner.send('PUT', `/user/events/${event.id}`, { closes_at: '2026-01-01T00:00:00Z' })
  await page.getByText('This evening has ended. Codes on printed photos still work.').waitFor({ timeout: 30_000 })
  expect(await phone.tracks()).toEqual([])
})

test('without JavaScript the pages of a gallery follow each other, and the gate asks for an address', async () => {
  await owner.send('PUT', `/user/events/${event.id}`, { closes_at: null, ask_email: true })
  const { page } = await openPhone(server, { javaScriptEnabled: false })
  await page.goto(event.url)
  await page.locator('.gallery img').first().tap()
  await page.getByLabel('Your email address').fill('without-script@example.com')
  await page.getByRole('button', { name: 'Send Photo' }).tap()
  await page.getByRole('heading', { name: 'Request Submitted!' }).waitFor()
  expect(await page.getByText('without-script@example.com').count()).toBe(1)
})

test('a guest finds again what the phone has scanned, has it sent in one email, and lets the phone forget it', async () => {
  await owner.send('PUT', `/user/events/${event.id}`, { closes_at: null, ask_email: false })
  const { page, tracks } = await openPhone(server)
  for (const photo of [await addPhoto(), await addPhoto()]) await page.goto(`/d/${codeOf(photo)}`)
  await page.goto(event.url)
  await page.getByText('You have 2 photos of tonight').tap()
  await page.getByText('No face recognition. This list is kept on this phone alone').waitFor()
  await expect.poll(() => page.getByRole('link', { name: /^Save/ }).count()).toBe(2)
  await page.getByLabel('Your email address').fill('all-of-mine@example.com')
  await page.getByRole('button', { name: 'Send all' }).tap()
  await page.getByRole('heading', { name: 'Request Submitted!' }).waitFor()
  const { text = '' } = await waitForEmail(server, 'all-of-mine@example.com')
  expect(new Set(text.match(/\/g\/[\w-]{43}/g)).size).toBe(2)
  expect(await emailsTo(server, 'all-of-mine@example.com')).toHaveLength(1)
  await page.getByRole('button', { name: 'Forget' }).tap()
  await page.getByText('Forgotten. Nothing of this list is left on this phone.').waitFor()
  expect(await tracks()).toEqual([])
})
