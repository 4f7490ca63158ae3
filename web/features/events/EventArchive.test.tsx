import { screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import {
  createEventGrant,
  eventArchiveSize,
  type EventGrant,
  listEventGrants,
  resendEventGrant,
  revokeEventGrant,
} from '@keepsnap/contract/event-archives.ts'
import type { Event } from '@keepsnap/contract/events.ts'
import { archivePhotos } from '@keepsnap/contract/photos.ts'
import { confirmPassword } from '@keepsnap/contract/security.ts'
import { refuse, useFakeServer } from '../../test/fake-server.ts'
import { visit } from '../../test/render.tsx'
import { EventArchive } from './EventArchive.tsx'

const event = { id: 'event-1', name: 'Lotte & Bram' } as Event // the card reads nothing else
let grants: EventGrant[] = []
const grantTo = (email: string, more: Partial<EventGrant> = {}): EventGrant => ({
  id: `grant-${email}`,
  event_id: event.id,
  event_name: event.name,
  email,
  created_at: '2026-11-14T20:00:00.000Z',
  expires_at: '2199-02-12T20:00:00.000Z',
  revoked_at: null,
  state: 'sent',
  failure: null,
  ...more,
})
const server = useFakeServer((one) => {
  grants = []
  one.answer(eventArchiveSize, () => ({ photos: 1_042, size_bytes: 3.1 * 1024 ** 3 }))
  one.answer(listEventGrants, () => ({ grants }))
})
const open = () =>
  visit(server, { at: '/settings', token: server.addUser().token, part: () => <EventArchive event={event} /> })
const button = (name: string | RegExp) => screen.findByRole('button', { name })

test('says how many photos and how large before it downloads all of them', async () => {
  const downloads: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    downloads.push(this.href)
  })
  const bodies: unknown[] = []
  server.answer(archivePhotos, ({ body }) => {
    bodies.push(body)
    return { refuse: 201, body: { url: 'https://photos.example/archive/abc', size_bytes: 3.1 * 1024 ** 3 } }
  })
  const { person } = await open()
  expect(await screen.findByText('1,042 photos, 3.1 GB')).toBeVisible()
  await person.click(await button('Download all'))
  expect(await screen.findByText('Your download has started: one ZIP file of 3.1 GB.')).toBeVisible()
  expect([bodies, downloads]).toEqual([[{ event: event.id }], ['https://photos.example/archive/abc']])
})

test('says that there are no photos and no links, and what could not be loaded, with another try', async () => {
  server.answer(eventArchiveSize, () => ({ photos: 0, size_bytes: 0 }))
  server.answer(listEventGrants, () => refuse(500, 'No', 'internal'))
  const { person } = await open()
  expect(await screen.findByText('There are no photos to download yet.')).toBeVisible()
  expect(await screen.findByText('The links couldn’t be loaded.')).toBeVisible()
  server.answer(listEventGrants, () => ({ grants }))
  await person.click(await button('Try Again'))
  expect(await screen.findByText('No link has been sent yet.')).toBeVisible()
})

test('a link is sent after the password, and sent again and revoked', async () => {
  const passwords: unknown[] = []
  server.answer(createEventGrant, ({ body: { email } }) => {
    if (passwords.length === 0) return refuse(403, 'Please enter your password to go on.', 'confirm_password')
    grants = [grantTo(email)]
    return { refuse: 201, body: grants[0] }
  })
  server.answer(confirmPassword, ({ body }) => {
    passwords.push(body)
    return { confirmed_until: '2199-01-01T00:00:00Z' }
  })
  const { person } = await open()
  await person.click(await button('Send the link'))
  const form = within(await screen.findByRole('dialog'))
  const send = form.getByRole('button', { name: 'Send the link' })
  await person.type(form.getByLabelText('Email address'), 'lotte@')
  await person.click(send)
  expect(form.getByText('Please enter an email address, such as name@example.com.')).toBeVisible()
  await person.type(form.getByLabelText('Email address'), 'example.com')
  await person.click(send)
  await person.type(await form.findByLabelText('Your password'), 'Correct.Horse.9')
  await person.click(send)
  expect(await screen.findByText('The link is on its way to lotte@example.com.')).toBeVisible()
  const list = within(await screen.findByRole('list', { name: 'Links that you sent' }))
  expect(list.getByText(/^Works until /)).toBeVisible()
  const calls: unknown[] = []
  server.answer(resendEventGrant, ({ params }) => {
    calls.push(params)
    return refuse(429, 'You have sent many of these emails today. Please try again tomorrow.', 'rate_limited')
  })
  await person.click(list.getByRole('button', { name: 'Send the link to lotte@example.com again' }))
  expect(await screen.findByText(/^You have sent many of these emails today/)).toBeVisible()
  server.answer(revokeEventGrant, ({ params }) => {
    calls.push(params)
    grants = [grantTo('lotte@example.com', { revoked_at: '2026-11-15T20:00:00.000Z' })]
    return null
  })
  await person.click(list.getByRole('button', { name: 'Revoke the link of lotte@example.com' }))
  await person.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Revoke' }))
  expect(await list.findByText('Revoked')).toBeVisible()
  expect(list.queryByRole('button')).toBe(null)

  expect(calls).toHaveLength(2)
})

test('says which links have expired, and why an email failed', async () => {
  grants = [
    grantTo('bram@example.com', { state: 'failed', failure: 'This person has opted out of photo emails.' }),
    grantTo('old@example.com', { expires_at: '2026-01-01T00:00:00.000Z' }),
  ]
  await open()
  const [failed, expired] = await screen.findAllByRole('listitem')
  expect(failed).toHaveTextContent('Not sent')
  expect(failed).toHaveTextContent('This person has opted out of photo emails.')
  expect(expired).toHaveTextContent('Expired')
})
