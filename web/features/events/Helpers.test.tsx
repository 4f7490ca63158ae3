import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import {
  allowHelperDevice,
  beginHelping,
  createHelper,
  endHelper,
  type Helper,
  helperDecide,
  helperHide,
  helperHold,
  type HelperPhoto,
  helperReview,
  listHelpers,
  undoHelper,
} from '@keepsnap/contract/event-helpers.ts'
import type { Event } from '@keepsnap/contract/events.ts'
import { confirmPassword } from '@keepsnap/contract/security.ts'
import { noResponse, refuse, useFakeServer } from '../../test/fake-server.ts'
import { visit } from '../../test/render.tsx'
import { helperList, helperPhoto, sampleHelper } from '../../test/samples.ts'
import { Helpers } from './Helpers.tsx'

const server = useFakeServer()
const secret = 'hS5wKx2MdT8vBn4QzL7cHs1YpF6jWq9XtV3rNk0SaEu'
const gone = () => refuse(404, 'This link does not exist or works no longer.', 'not_found')
const button = (name: string | RegExp) => screen.findByRole('button', { name })

test('the button of a link begins; photos are decided, hidden and held, and the address keeps no secret', async () => {
  let isBegun = false
  let photos = [1, 2].map((number) => helperPhoto(number))
  let hold: string | null = null
  const calls: unknown[] = []
  server.answer(beginHelping, ({ body }) => {
    calls.push(body)
    isBegun = true
    return null
  })
  server.answer(helperReview, ({ query: { list } }) => {
    if (!isBegun) return gone()
    const isShown = ({ review }: HelperPhoto) => review !== 'waiting'
    return helperList(
      photos.filter((photo) => isShown(photo) === (list === 'shown')),
      hold,
    )
  })
  server.answer(helperDecide, ({ body: { ids, to } }) => {
    photos = photos.map((photo) => (ids.includes(photo.id) ? { ...photo, review: to } : photo))
    return { results: ids.map((id) => ({ id, outcome: 'done' as const, review: to })), waiting_count: 1 }
  })
  server.answer(helperHide, ({ body: { ids, hidden } }) => {
    photos = photos.map((photo) => (ids.includes(photo.id) ? { ...photo, hidden } : photo))
    return { ids }
  })
  server.answer(helperHold, ({ body: { photo_id } }) => {
    hold = photo_id
    return { hold: photo_id === null ? null : { photo_id, until: '2199-01-01T00:00:00Z', remaining_ms: 600_000 } }
  })
  const { person, where } = await visit(server, { at: `/h#${secret}` })
  expect(calls).toEqual([])
  expect(screen.queryByRole('navigation')).toBeNull()
  await person.click(await button('Begin'))
  expect(await screen.findByText('1 of 2')).toBeVisible()
  expect(calls).toEqual([{ secret }])
  await waitFor(() => expect(where()).toBe('/h'))
  expect(screen.getByText('Lotte & Bram')).toBeVisible()
  expect(screen.queryByRole('button', { name: /Block/ })).toBeNull()
  await person.click(await button(/^Approve$/))
  expect(await screen.findByText('1 of 1')).toBeVisible()

  await person.click(screen.getByRole('radio', { name: 'Shown' }))
  const list = within(await screen.findByRole('list', { name: 'Photos that guests can see' }))
  await person.click(await list.findByRole('button', { name: /^Hold on the screen\. From Lien/ }))
  expect(await list.findByText('On the screen now')).toBeVisible()
  await person.click(list.getByRole('button', { name: /^Release/ }))
  await waitFor(() => expect(hold).toBeNull())
  await person.click(list.getByRole('button', { name: /^Hide/ }))
  expect(await list.findByText('Hidden')).toBeVisible()
  await person.click(list.getByRole('button', { name: /^Show again/ }))
  await waitFor(() => expect(photos[0]!.hidden).toBe(false))
  server.answer(helperHide, () => ({ ids: [] }))
  await person.click(await list.findByRole('button', { name: /^Hide/ }))
  expect(await screen.findByText('That was changed somewhere else meanwhile.')).toBeVisible()

  // The host ends it.
  isBegun = false
  await person.click(screen.getByRole('radio', { name: 'Waiting' }))
  server.answer(helperDecide, gone)
  await person.click(await button(/^Reject$/))
  expect(await screen.findByRole('heading', { name: 'This link doesn’t work any more' })).toBeVisible()
})

test('a second device waits until the host allows it', async () => {
  let isAllowed = false
  server.answer(beginHelping, () => refuse(403, 'This link is used on another device.', 'forbidden'))
  let hasAsked = false
  server.answer(helperReview, () => {
    if (isAllowed) return helperList([])
    if (hasAsked) return refuse(403, 'This link is used on another device.', 'forbidden')
    hasAsked = true
    return gone()
  })
  const { person } = await visit(server, { at: `/h#${secret}` })
  await person.click(await button('Begin'))
  expect(await screen.findByRole('heading', { name: 'This link is used on another device' })).toBeVisible()
  isAllowed = true
  expect(
    await screen.findByText('All looked at. New ones appear here by themselves.', {}, { timeout: 8_000 }),
  ).toBeVisible()
}, 15_000)

test('a link that does not work says so, and without a connection the button can be pressed again', async () => {
  server.answer(helperReview, gone)
  server.answer(beginHelping, () => noResponse)
  const { person } = await visit(server, { at: `/h#${secret}` })
  await person.click(await button('Begin'))
  await waitFor(() => expect(document.querySelector('.note--bad')).toBeVisible())
  server.answer(beginHelping, gone)
  await person.click(await button('Begin'))
  expect(await screen.findByRole('heading', { name: 'This link doesn’t work any more' })).toBeVisible()
})

// The owner's panel

let list: Helper[]
beforeEach(() => {
  list = []
  server.answer(listHelpers, () => ({ helpers: list }))
})
const open = () =>
  visit(server, {
    at: '/settings',
    token: server.addUser().token,
    part: () => <Helpers event={{ id: 'event1' } as Event} />, // the card reads nothing else
  })

test('a helper is added after the password; the link is shown once', async () => {
  let isConfirmed = false
  server.answer(createHelper, ({ body: { name } }) => {
    if (!isConfirmed) return refuse(403, 'Please enter your password to go on.', 'confirm_password')
    list = [sampleHelper({ name })]
    return { refuse: 201, body: { helper: list[0], link: `https://photos.example/h#${secret}`, qr_svg: '<svg/>' } }
  })
  server.answer(confirmPassword, () => {
    isConfirmed = true
    return { confirmed_until: '2199-01-01T00:00:00Z' }
  })
  const { person } = await open()
  expect(await screen.findByText('There is no helper yet.')).toBeVisible()
  await person.click(await button('Add a helper'))
  const form = within(await screen.findByRole('dialog', { name: 'Add a helper' }))
  await person.click(form.getByRole('button', { name: 'Make the link' }))
  expect(form.getByText('Please enter a name')).toBeVisible()
  await person.type(form.getByLabelText('Their name'), 'Anna')
  await person.click(form.getByRole('button', { name: 'Make the link' }))
  await person.type(await form.findByLabelText('Your password'), 'Correct.Horse.9')
  await person.click(form.getByRole('button', { name: 'Make the link' }))
  const shown = within(await screen.findByRole('dialog', { name: 'Link for Anna' }))
  expect(shown.getByText(`https://photos.example/h#${secret}`)).toBeVisible()
  expect(shown.getByRole('img', { name: 'QR code of the link' })).toBeVisible()
  await person.click(shown.getByRole('button', { name: 'Done' }))
  expect(await screen.findByText('Not begun')).toBeVisible()
  expect(document.body.textContent).not.toContain(secret)
})

test('shows what each did, allows another device, undoes all of it and ends the access', async () => {
  list = [
    sampleHelper({
      state: 'asks',
      begun_at: '2026-11-14T20:00:00Z',
      asked_at: '2026-11-14T22:00:00Z',
      approved: 12,
      hidden: 1,
    }),
  ]
  const calls: unknown[] = []
  server.answer(allowHelperDevice, ({ params, body }) => {
    expect(body).toEqual({ asked_at: '2026-11-14T22:00:00Z' })
    calls.push(['allow', params])
    list = [{ ...list[0]!, state: 'begun', asked_at: null }]
    return list[0]!
  })
  server.answer(undoHelper, ({ params }) => {
    calls.push(['undo', params])
    list = [{ ...list[0]!, approved: 0, hidden: 0 }]
    return { waiting: 12, shown: 1, waiting_count: 12 }
  })
  server.answer(endHelper, ({ params }) => {
    calls.push(['end', params])
    list = [{ ...list[0]!, state: 'ended' }]
    return list[0]!
  })
  const { person } = await open()
  expect(await screen.findByText('Approved: 12. Rejected: 0. Hidden: 1.')).toBeVisible()
  await person.click(await button('Allow this device: Anna'))
  expect(await screen.findByText('On a device')).toBeVisible()
  await person.click(await button('Undo all: Anna'))
  const question = await screen.findByRole('alertdialog', { name: 'Undo what Anna did?' })
  expect(question).toHaveTextContent('Photos that wait again: 12. Photos that are shown again: 1.')
  await person.click(within(question).getByRole('button', { name: 'Undo all' }))
  expect(await screen.findByText('Undone. Waiting again: 12. Shown again: 1.')).toBeVisible()
  expect(await screen.findByText('Nothing decided yet.')).toBeVisible()
  await person.click(await button('End: Anna'))
  await person.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'End' }))
  expect(await button('Remove: Anna')).toBeVisible()
  const params = { id: 'event1', helper_id: 'helper1' }
  expect(calls).toEqual(['allow', 'undo', 'end'].map((what) => [what, params]))
})
