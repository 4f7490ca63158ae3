import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { changeEvent, listEvents } from '@keepsnap/contract/events.ts'
import {
  blockContributor,
  decideReview,
  listReview,
  type ReviewPhoto,
  type ReviewState,
  unblockContributor,
} from '@keepsnap/contract/event-photos.ts'
import { sampleEvent } from '../../test/samples.ts'
import { noResponse, refuse, useFakeServer } from '../../test/fake-server.ts'
import { visit, type Visit } from '../../test/render.tsx'
import { reviewList, reviewPhoto } from '../../test/samples.ts'

const server = useFakeServer()
const at = '/events/event1/review'
type Call = { ids: string[]; from: ReviewState; to: ReviewState }

let photos: ReviewPhoto[]
/** The decisions that the server got. */
let calls: Call[]
const wedding = sampleEvent(1, { name: 'Lotte & Bram', guest_photos: 'review', is_current: true })
let event = wedding

const waiting = (): ReviewPhoto[] => photos.filter(({ review }) => review === 'waiting')
const set = (id: string, review: ReviewState): void => {
  photos = photos.map((photo) => (photo.id === id ? { ...photo, review } : photo))
}
function decide({ ids, from, to }: Call) {
  const results = ids.map((id) => {
    const review = photos.find((photo) => photo.id === id)?.review ?? null
    if (review === null) return { id, outcome: 'not found' as const, review }
    if (review !== from) return { id, outcome: 'conflict' as const, review }
    set(id, to)
    return { id, outcome: 'done' as const, review: to }
  })
  return { results, waiting_count: waiting().length }
}

const serveList = (): void =>
  server.answer(listReview, ({ query: { list } }) => ({
    ...reviewList(list === 'decided' ? photos.filter(({ review }) => review !== 'waiting') : waiting()),
    waiting_count: waiting().length,
  }))

beforeEach(() => {
  calls = []
  event = wedding
  photos = [1, 2, 3].map((number) => reviewPhoto(number))
  server.answer(listEvents, () => ({ events: [{ ...event, waiting_count: waiting().length }] }))
  serveList()
  server.answer(decideReview, ({ body }) => {
    calls.push(body)
    return decide(body)
  })
})

const open = (path = at): Promise<Visit> =>
  visit(server, { at: path, token: server.addUser({ current_event_id: 'event1' }).token })
const picture = () => screen.getByRole('img', { name: /^Photo\./ })
const shown = (): string | undefined => /photo\d+/.exec(picture().getAttribute('src') ?? '')?.[0]
const strip = () => within(screen.getByRole('list', { name: 'Waiting' })).queryAllByRole('button').length
const ready = () => screen.findByText('1 of 3')

test('keys decide, show others and take back; each decision is shown at once and sent in its order', async () => {
  const { person } = await open()
  await ready()
  expect(screen.getByText('3 photos from guests wait.')).toBeVisible()
  expect(screen.getByText('From Lien')).toBeVisible()
  expect(picture()).toHaveAccessibleName(/^Photo\. From Lien, Table 7, /)
  // The next ones are loaded in advance.
  expect(document.querySelectorAll('.review__photo > img')).toHaveLength(3)
  let answer = (): void => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  server.answer(decideReview, async ({ body }) => {
    calls.push(body)
    if (calls.length === 1) await held
    return decide(body)
  })
  await person.keyboard('{ArrowRight}')
  expect(shown()).toBe('photo2')
  await person.keyboard('a')
  expect(shown()).toBe('photo3')
  expect(screen.getByText('2 of 2')).toBeVisible()
  expect(screen.getByText('Approved.').closest('output')).toHaveTextContent('Approved. Next: From Lien, Table 7')
  await person.keyboard('r')
  expect(shown()).toBe('photo1')
  // Not sent yet, so it is not sent at all.
  await person.keyboard('u')
  expect(shown()).toBe('photo3')
  await person.keyboard('r')
  await person.keyboard('r')
  expect(await screen.findByText(/^All looked at/)).toBeVisible()
  answer()
  await waitFor(() => expect(calls).toHaveLength(2))
  expect(calls).toEqual([
    { ids: ['photo2'], from: 'waiting', to: 'approved' },
    { ids: ['photo3', 'photo1'], from: 'waiting', to: 'rejected' },
  ])
  await waitFor(() => expect(photos.map(({ review }) => review)).toEqual(['rejected', 'approved', 'rejected']))
  // What was sent is taken back by another call.
  await person.keyboard('u')
  expect(shown()).toBe('photo1')
  await waitFor(() => expect(calls[2]).toEqual({ ids: ['photo1'], from: 'rejected', to: 'waiting' }))
  expect(screen.getByText('1 of 1')).toBeVisible()
})

test('shortcuts can be switched off', async () => {
  const { person } = await open()
  await ready()
  await person.click(screen.getByRole('button', { name: 'Keyboard shortcuts' }))
  await person.keyboard('a{ArrowRight}')
  expect(shown()).toBe('photo1')
  await person.click(screen.getByRole('button', { name: /^Approve$/ }))
  expect(shown()).toBe('photo2')
})

test('a refused decision is taken back, with the reason', async () => {
  const { person } = await open()
  await ready()
  server.answer(decideReview, () => refuse(409, 'This event was deleted.', 'conflict'))
  await person.keyboard('a')
  expect(
    await screen.findByText('We couldn’t save what you decided. The photo waits again. This event was deleted.'),
  ).toBeVisible()
  expect(strip()).toBe(3)
  await person.keyboard('u')
  expect(screen.getByText('There is nothing to undo.')).toBeVisible()
})

test('what somebody else has decided stays, and the same decision is no conflict', async () => {
  const { person } = await open()
  await ready()
  set('photo1', 'rejected')
  set('photo2', 'approved')
  await person.keyboard('aa')
  expect(await screen.findByText('Somebody else had decided about this photo already. That stays.')).toBeVisible()
  await waitFor(() => expect(strip()).toBe(1))
  expect(shown()).toBe('photo3')
  expect(photos[0]!.review).toBe('rejected')
})

test('without a connection decisions wait, and are sent when it is back; one note says so', async () => {
  const { person, state } = await open()
  await ready()
  server.answer(listReview, () => noResponse)
  await act(() => state.queryClient.refetchQueries({ queryKey: ['review'] }))
  expect(await screen.findByText(/^We couldn’t load the photos again/)).toBeVisible()
  server.answer(decideReview, () => noResponse)
  await person.keyboard('a')
  await person.keyboard('r')
  expect(await screen.findByText('No connection. 2 decisions are sent as soon as there is one.')).toBeVisible()
  expect(screen.queryByText(/^We couldn’t load the photos again/)).toBeNull()
  expect(strip()).toBe(1)
  serveList()
  server.answer(decideReview, ({ body }) => {
    calls.push(body)
    return decide(body)
  })
  window.dispatchEvent(new Event('online'))
  await waitFor(() => expect(calls.map(({ to }) => to)).toEqual(['approved', 'rejected']))
  await waitFor(() => expect(screen.queryByText(/^No connection/)).toBeNull())
  expect(photos.map(({ review }) => review)).toEqual(['approved', 'rejected', 'waiting'])
})

test('a swipe decides when it goes far enough; one that does not, and one down the page, decide nothing', async () => {
  await open()
  await ready()
  const figure = document.querySelector<HTMLElement>('.review__photo')!
  Object.defineProperty(figure, 'clientWidth', { value: 390 })
  Object.assign(figure, { setPointerCapture: () => {} })
  let now = 0
  /** How far the photo has moved with the finger. */
  const swipe = (x: number, y: number, ms: number): string => {
    const pointer = (name: 'pointerDown' | 'pointerMove' | 'pointerUp', part: number): void => {
      const at = { pointerId: 1, isPrimary: true, button: 0, clientX: 200 + x * part, clientY: 300 + y * part }
      const event = new PointerEvent(name.toLowerCase(), { bubbles: true, ...at })
      Object.defineProperty(event, 'timeStamp', { value: (now += ms / 4) })
      fireEvent(figure, event)
    }
    pointer('pointerDown', 0)
    for (const part of [0.3, 0.6, 1]) pointer('pointerMove', part)
    const moved = figure.style.getPropertyValue('--drag')
    pointer('pointerUp', 1)
    expect(figure.style.getPropertyValue('--drag')).toBe('')
    return moved
  }
  expect(swipe(90, 0, 2_000)).toBe('90px')
  expect(swipe(20, 300, 100)).toBe('')
  expect(shown()).toBe('photo1')
  swipe(130, 10, 2_000)
  expect(shown()).toBe('photo2')
  // A flick.
  swipe(-60, 0, 60)
  expect(shown()).toBe('photo3')
  await waitFor(() => expect(calls.map(({ to }) => to)).toEqual(['approved', 'rejected']))
})

test('all are approved after a dialog that says how many were seen', async () => {
  const { person } = await open()
  await ready()
  await person.keyboard('{ArrowRight}')
  await person.click(screen.getByRole('button', { name: 'Approve all 3' }))
  const dialog = await screen.findByRole('alertdialog', { name: 'Approve all 3?' })
  expect(dialog).toHaveTextContent('You have seen 2 of them.')
  // It came while the dialog was open: it waits.
  photos.push(reviewPhoto(4))
  await person.click(within(dialog).getByRole('button', { name: 'Approve all 3' }))
  await waitFor(() => expect(calls).toEqual([{ ids: ['photo1', 'photo2', 'photo3'], from: 'waiting', to: 'approved' }]))
  await waitFor(() => expect(shown()).toBe('photo4'))
})

test('a contributor is blocked with all photos after a question, and that can be undone', async () => {
  event = { ...wedding, guest_photos: 'direct' }
  server.answer(blockContributor, ({ params }) => {
    expect(params).toEqual({ id: 'event1', contributor_id: 'lien' })
    for (const { id } of photos) set(id, 'rejected')
    return { rejected: 3, hidden: 4, waiting_count: 0, review_on: true }
  })
  server.answer(unblockContributor, () => {
    for (const { id } of photos) set(id, 'waiting')
    return { rejected: 3, hidden: 4, waiting_count: 3, review_on: false }
  })
  const { person } = await open()
  await ready()
  await person.click(screen.getByRole('button', { name: 'Block this guest' }))
  const dialog = screen.getByRole('alertdialog', { name: 'Block Lien?' })
  expect(dialog).toHaveTextContent('all of their 7 photos')
  expect(dialog).toHaveTextContent('from now on photos of guests wait for you')
  await person.click(within(dialog).getByRole('button', { name: 'Block' }))
  expect(await screen.findByText(/^Blocked\. Rejected: 3\. Hidden: 4\. Photos of guests wait/)).toBeVisible()
  expect(await screen.findByText(/^All looked at/)).toBeVisible()
  await person.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('No longer blocked. Waiting again: 3. Shown again: 4.')).toBeVisible()
  expect(await ready()).toBeVisible()
})

test('adding is paused and goes on again', async () => {
  server.answer(changeEvent, ({ body }) => {
    event = { ...event, ...(body as object) }
    return event
  })
  const { person } = await open()
  await person.click(await screen.findByRole('button', { name: 'Pause' }))
  expect(await screen.findByText('Paused: guests can’t add photos for now.')).toBeVisible()
  expect(event.guest_paused).toBe(true)
  await person.click(screen.getByRole('button', { name: 'Go on' }))
  await waitFor(() => expect(event.guest_paused).toBe(false))
})

test('what was decided is listed, and can wait again', async () => {
  photos = [
    reviewPhoto(1, { review: 'rejected', gone_at: '2026-12-14T20:00:00.000Z' }),
    reviewPhoto(2, { review: 'approved', hidden: true, contributor: null, table: null }),
  ]
  const { person } = await open(`${at}?list=decided`)
  const list = await screen.findByRole('list', { name: 'Decided photos' })
  const [rejected, approved] = within(list).getAllByRole('listitem')
  expect(rejected).toHaveTextContent(/From Lien.*Rejected.*Deleted on 14 December 2026|December 14, 2026/)
  expect(approved).toHaveTextContent(/From a guest.*Approved.*Hidden/)
  await person.click(within(rejected!).getByRole('button', { name: /^Back to waiting/ }))
  expect(await screen.findByText('The photo waits again.')).toBeVisible()
  expect(calls).toEqual([{ ids: ['photo1'], from: 'rejected', to: 'waiting' }])
  await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(1))
})

test('new photos appear by themselves, and the account menu says how many wait', async () => {
  photos = []
  const { person, connected } = await open()
  expect(await screen.findByText('All looked at. New ones appear here by themselves.')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Open the screen' })).toHaveAttribute('href', '/latest')
  await connected()
  photos = [reviewPhoto(5)]
  server.push({ action: 'review_changed', event_id: 'event1', waiting_count: 1 })
  expect(await screen.findByText('1 of 1')).toBeVisible()
  await person.click(screen.getByRole('button', { name: 'Account menu' }))
  expect(await screen.findByRole('link', { name: 'Review “Lotte & Bram” 1 photo waits' })).toHaveAttribute('href', at)
})

test('says why there is nothing to see', async () => {
  server.refuseLiveConnections()
  server.answer(listReview, () => refuse(500, 'away'))
  const { person } = await open()
  expect(await screen.findByText('We couldn’t load the photos.')).toBeVisible()
  server.answer(listReview, () => ({ ...reviewList([]), adding: { ...reviewList([]).adding, state: 'off' as const } }))
  await person.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(await screen.findByText('Guests can’t add photos to this event.')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Open the event' })).toHaveAttribute('href', '/events/event1')
})

test('an event that is gone is told from one that cannot be loaded', async () => {
  server.refuseLiveConnections()
  server.answer(listReview, () => refuse(404, 'This event does not exist.', 'not_found'))
  await open()
  expect(await screen.findByText('This event doesn’t exist anymore.')).toBeVisible()
  expect(screen.getByRole('link', { name: 'All events' })).toHaveAttribute('href', '/events')
})
