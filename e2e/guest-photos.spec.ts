import { afterEach, expect, test } from 'vitest'
import type { Event } from '@keepsnap/contract/events.ts'
import { openPhone } from './guest-phone.ts'
import { sampleJpeg } from './pictures.ts'
import { useSharedServer } from './use-shared-server.ts'

const server = useSharedServer()
afterEach(() => {
  if (server.pageErrors.length > 0) throw new Error(server.pageErrors.join('\n'))
})

test('a guest adds three photos over a bad network, on a page that is closed meanwhile; one is taken back', async () => {
  const owner = await server.newUser()
  const settings = { name: 'Lotte & Bram', gallery: 'link', guest_photos: 'review' }
  const event = (await (await owner.send('POST', '/user/events', settings)).json()) as Event // what the contract says
  const { page } = await openPhone(server)
  await page.goto(new URL(event.url).pathname)
  await page.getByRole('link', { name: 'Add photos' }).tap()
  await page.getByLabel('Your name').fill('Aunt Ann')

  // The connection breaks after the first photo.
  let sent = 0
  const adding = '**/e/*/mine'
  await page.route(adding, (route) => {
    if (route.request().method() === 'POST') sent += 1
    return sent > 1 ? route.abort('internetdisconnected') : route.fallback()
  })
  const names = ['dance-1200', 'family-1200', 'balloons-900']
  const pictures = await Promise.all(names.map((name) => sampleJpeg(name, 600)))
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose photos' }).tap()
  const files = pictures.map((buffer, at) => ({ name: `Secret ${at}.jpg`, mimeType: 'image/jpeg', buffer }))
  await (await chooser).setFiles(files)
  const rows = page.getByRole('list', { name: 'Your photos' }).getByRole('listitem')
  await rows.filter({ hasText: 'No connection' }).nth(1).waitFor()
  await rows.filter({ hasText: /Being prepared|With the hosts/ }).waitFor()

  await page.unroute(adding)
  await page.reload()
  await expect.poll(() => rows.filter({ hasText: 'With the hosts' }).count()).toBe(3)
  expect(await rows.count()).toBe(3)
  expect(await page.getByLabel('Your name').inputValue()).toBe('Aunt Ann')
  const review = async () => {
    const answer = await owner.call('GET', `/user/events/${event.id}/review`)
    return (await answer.json()) as { photos: { contributor: { name: string; photo_count: number } }[] } // what the contract says
  }
  const [first] = (await review()).photos
  expect(first?.contributor).toMatchObject({ name: 'Aunt Ann', photo_count: 3 })

  await rows.nth(0).getByRole('button', { name: 'Take back' }).tap()
  await rows.nth(0).getByRole('button', { name: 'Take back', exact: true }).tap()
  await expect.poll(() => rows.count()).toBe(2)
  await expect.poll(async () => (await review()).photos.length).toBe(2)
})
