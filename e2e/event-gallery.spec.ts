import { expect, test } from 'vitest'
import type { Event } from '@keepsnap/contract/events.ts'
import { openPhone } from './guest-phone.ts'
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
