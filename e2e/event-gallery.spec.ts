import { expect, test } from 'vitest'
import type { Event } from '@keepsnap/contract/events.ts'
import { emailsTo, openPhone, waitForEmail } from './guest-phone.ts'
import { sampleJpeg } from './pictures.ts'
import { useSharedServer } from './use-shared-server.ts'

const server = useSharedServer()

test('without JavaScript the gallery leads to its photos, and the gate asks for an address', async () => {
  const owner = await server.newUser()
  const settings = { name: 'Lotte & Bram', gallery: 'link', ask_email: true }
  const event = (await (await owner.send('POST', '/user/events', settings)).json()) as Event // what the contract says
  await owner.send('PUT', '/user/current-event', { event_id: event.id })
  await owner.addPhoto(await sampleJpeg('dance-1200', 600))
  const { page } = await openPhone(server, { javaScriptEnabled: false })
  await page.goto(event.url)
  await page.locator('.gallery img').first().tap()
  await page.getByLabel('Your email address').fill('without-script@example.com')
  await page.getByRole('button', { name: 'Send Photo' }).tap()
  await page.getByRole('heading', { name: 'Request Submitted!' }).waitFor()
  expect(await page.getByText('without-script@example.com').count()).toBe(1)
})

test('a guest finds again what the phone has scanned, has it sent in one email, and lets the phone forget it', async () => {
  const owner = await server.newUser()
  const event = (await (
    await owner.send('POST', '/user/events', { name: 'Lotte & Bram', gallery: 'link' })
  ).json()) as Event // what the contract says
  await owner.send('PUT', '/user/current-event', { event_id: event.id })
  const picture = await sampleJpeg('dance-1200', 600)
  const { page, tracks } = await openPhone(server)
  for (const { qr_code_url: code } of [await owner.addPhoto(picture), await owner.addPhoto(picture)])
    await page.goto(code.replace('/qr/d/', '/d/'))
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
