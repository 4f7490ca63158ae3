import { beforeAll, expect, test } from 'vitest'
import type { Event } from '@keepsnap/contract/events.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { openPhone } from './guest-phone.ts'
import { sampleJpeg } from './pictures.ts'
import { useSharedServer } from './use-shared-server.ts'
import type { Visitor } from './visitor.ts'

const server = useSharedServer()
let picture: Buffer
let owner: Visitor
let event: Event
beforeAll(async () => {
  picture = await sampleJpeg('dance-1200', 600)
  owner = await server.newUser()
  const settings = { name: 'Lotte & Bram', gallery: 'link' }
  event = (await (await owner.send('POST', '/user/events', settings)).json()) as Event // what the contract says
})
const addPhoto = async (): Promise<Photo> => {
  const photo = await owner.addPhoto(picture)
  await owner.send('POST', '/photos/move', { ids: [photo.id], event_id: event.id })
  return photo
}

test('a guest sees new photos come and hidden ones go, and when the evening has ended', async () => {
  const photo = await addPhoto()
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
