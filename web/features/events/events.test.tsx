import { createApiKey } from '@keepsnap/contract/integrations.ts'
import { listEvents, movePhotos } from '@keepsnap/contract/events.ts'
import { exportPhotoRequests, listPhotoRequests, listReports } from '@keepsnap/contract/guests.ts'
import { getHold } from '@keepsnap/contract/screen.ts'
import { exportInsights, insights } from '@keepsnap/contract/insights.ts'
import { subscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import { latestPhoto, listPhotos, type Photo, photoHours, uploadPhoto } from '@keepsnap/contract/photos.ts'
import type { User } from '@keepsnap/contract/accounts.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { ApiKeysCard } from '../integrations/ApiKeysCard.tsx'
import { insightsOfEvent } from './events.ts'
import { serveEvents } from '../../test/events.ts'
import { refuse, useFakeServer } from '../../test/fake-server.ts'
import { openPart, serveSettings, visit } from '../../test/render.tsx'
import { planStatusOf, sampleEvent, sampleInsights, samplePhoto, sampleRequestList } from '../../test/samples.ts'

const server = useFakeServer()

const wedding = sampleEvent(1, { name: 'Lotte & Bram', state: 'on_now', is_current: true, photo_count: 2 })
const fair = sampleEvent(2, { name: 'Bruidsbeurs', state: 'past', photo_count: 1 })
const ofWedding = [3, 1].map((number) => samplePhoto(number, { event_id: 'event1' }))
const ofFair = [samplePhoto(2, { event_id: 'event2' })]
const inEvent = (event: string | undefined): Photo[] =>
  event === 'event1' ? ofWedding : event === 'event2' ? ofFair : event === 'none' ? [] : [...ofWedding, ...ofFair]

function servePhotos(): void {
  server.answer(listPhotos, ({ query }) => inEvent(query.event))
  server.answer(latestPhoto, ({ query }) => inEvent(query.event)[0] ?? refuse(404, 'None', 'not_found'))
  server.answer(getHold, () => ({ hold: null }))
}

/** Opens a page as the owner of both events. */
async function open(at: string, fields: Partial<User> = {}) {
  const served = serveEvents(
    server,
    [wedding, fair],
    new Map([...ofWedding, ...ofFair].map(({ id, event_id }) => [id, event_id ?? null])),
  )
  servePhotos()
  const { token, user } = server.addUser({ current_event_id: 'event1', photo_count: 3, ...fields })
  return { ...(await visit(server, { at, token, withFrame: true })), served, user }
}

const button = (name: string | RegExp) => screen.findByRole('button', { name })
const shownIds = () =>
  Array.from(document.querySelectorAll('[data-photo]'), (element) => element.getAttribute('data-photo'))
const queriesOf = (path: string) =>
  server.calls.filter((call) => call.startsWith(`GET ${path}?`)).map((call) => new URLSearchParams(call.split('?')[1]))

test('an account without events asks for none, and has one line in its menu', async () => {
  servePhotos()
  const { token } = server.addUser({ photo_count: 3 })
  const { person } = await visit(server, { at: '/gallery', token, withFrame: true })
  await waitFor(() => expect(shownIds()).toHaveLength(3))
  await person.click(await button('Account menu'))
  expect(await screen.findByRole('link', { name: 'Events' })).toHaveAttribute('href', '/events')
  expect(screen.queryByRole('button', { name: /^Photos shown/ })).toBeNull()
  expect(server.calls.filter((call) => /event/.test(call))).toEqual([])
})

describe('the switcher', () => {
  test('shows the current event first, then what is chosen, and says where new photos go', async () => {
    const { person, served } = await open('/gallery')
    await waitFor(() => expect(shownIds()).toEqual(['photo3', 'photo1']))
    await person.click(await button('Photos shown: Lotte & Bram'))
    await person.click(await button(/^Bruidsbeurs/))
    await waitFor(() => expect(shownIds()).toEqual(['photo2']))
    expect(await screen.findByText('Showing “Bruidsbeurs”. New photos go to “Lotte & Bram”.')).toBeVisible()
    expect(served.list.find(({ is_current }) => is_current)?.id).toBe('event1')
    // The toast comes first in the page.
    await person.click((await screen.findAllByRole('button', { name: 'New photos go here' })).at(-1)!)
    await waitFor(() => expect(served.list.find(({ is_current }) => is_current)?.id).toBe('event2'))
  })

  test('keeps the choice for other pages until another event is the current one', async () => {
    const { user, state, person } = await open('/gallery?event=event2')
    await button('Photos shown: Bruidsbeurs')
    await person.click(screen.getAllByRole('link', { name: 'Upload' })[0]!)
    await screen.findByRole('heading', { level: 1, name: /upload/i })
    expect(await button('Photos shown: Bruidsbeurs')).toBeVisible()
    await act(async () => state.queryClient.setQueryData(['user', 'me'], { ...user, current_event_id: null }))
    expect(await button('Photos shown: All photos')).toBeVisible()
  })

  test('falls back to the current event when the chosen one is deleted', async () => {
    const { served } = await open('/gallery?event=event2')
    await waitFor(() => expect(shownIds()).toEqual(['photo2']))
    served.list = [wedding, { ...fair, deleted_at: '2026-11-20T10:00:00.000Z' }]
    await waitFor(() => expect(server.connections()).toBe(1))
    act(() => server.push({ action: 'events_changed' }))
    await waitFor(() => expect(shownIds()).toEqual(['photo3', 'photo1']))
  })

  test('on Latest, changes what the screen shows after a question', async () => {
    const { person, served } = await open('/latest')
    await person.click(await button('On the screen: Lotte & Bram'))
    await person.click(await button(/^Bruidsbeurs/))
    expect(served.list.find(({ is_current }) => is_current)?.id).toBe('event1')
    await person.click(await button('Show and send new photos there'))
    expect(await button('On the screen: Bruidsbeurs')).toBeVisible()
  })
})

describe('the order of an event', () => {
  const taken = (number: number, time: string) =>
    samplePhoto(number, { event_id: 'event1', taken_at: `2026-11-14T${time}Z` })
  const byTaken = [taken(1, '21:10:00'), taken(3, '18:05:00')]
  const serveOrders = () => {
    server.answer(photoHours, ({ query: { order } }) => ({
      hours: (order === 'taken' ? ['21', '18'] : ['22', '20']).map((hour) => ({
        at: `2026-11-14T${hour}:00:00.000Z`,
        evening: '2026-11-14',
        count: 1,
      })),
      time_zone: 'UTC',
    }))
    server.answer(listPhotos, ({ query: { event, order, until } }) => {
      const photos = order === 'taken' ? byTaken : inEvent(event)
      return until === undefined ? photos : photos.filter(({ taken_at: at }) => at != null && at < until)
    })
  }

  test('is by time added until another is chosen, which stays in this tab; new photos come to their places', async () => {
    const { person } = await open('/gallery')
    serveOrders()
    await waitFor(() => expect(shownIds()).toEqual(['photo3', 'photo1']))
    await person.click(await screen.findByRole('radio', { name: 'By time taken' }))
    await waitFor(() => expect(shownIds()).toEqual(['photo1', 'photo3']))
    await waitFor(() => expect(server.connections()).toBe(1))
    const created_at = '2026-11-14T23:00:00Z'
    const late = { ...taken(8, '20:00:00'), created_at, processing: true, processing_complete: false, taken_at: null }
    act(() => server.push({ action: 'new_photo', type: 'photo_added', photo: late }))
    await waitFor(() => expect(shownIds()[0]).toBe('photo8'))
    act(() => server.push({ action: 'photo_update', photo: { ...taken(8, '20:00:00'), created_at } }))
    await waitFor(() => expect(shownIds()).toEqual(['photo1', 'photo8', 'photo3']))
    await person.click(await button('6:00 PM, 1 photo'))
    await waitFor(() => expect(shownIds()).toEqual(['photo3']))
    expect(queriesOf('/photos').at(-1)?.get('until')).toBe('2026-11-14T19:00:00.000Z')
    expect(window.sessionStorage.getItem('gallery-order')).toBe('taken')
    window.sessionStorage.clear()
  })

  test('is not offered for all photos', async () => {
    const { person } = await open('/gallery')
    serveOrders()
    await screen.findByRole('radio', { name: 'By time taken' })
    await person.click(await button('Photos shown: Lotte & Bram'))
    await person.click(await button('All photos'))
    await waitFor(() => expect(shownIds()).toHaveLength(3))
    expect(screen.queryByRole('radio', { name: 'By time taken' })).toBeNull()
  })
})

describe('pages of the chosen event', () => {
  test('Latest shows the current event: photos of others do not change it, and its gate decides the code', async () => {
    const { served } = await open('/latest')
    const code = () => document.querySelector('.latest img[src*="/qr/"]')?.getAttribute('src')
    await waitFor(() => expect(code()).toContain('/qr/d/photo3'))
    served.list = [{ ...wedding, ask_email: true }, fair]
    await waitFor(() => expect(server.connections()).toBe(1))
    act(() => server.push({ action: 'events_changed' }))
    await waitFor(() => expect(code()).toContain('/qr/r/photo3'))
    const other = samplePhoto(9, { event_id: 'event2' })
    const own = samplePhoto(8, { event_id: 'event1' })
    act(() => server.push({ action: 'new_photo', type: 'photo_added', photo: other }))
    act(() => server.push({ action: 'new_photo', type: 'photo_added', photo: own }))
    await waitFor(() => expect(code()).toContain('photo8'))
  })

  test('requests, their CSV and insights are limited to it', async () => {
    server.answer(listReports, () => ({ reports: [] }))
    server.answer(listPhotoRequests, () => sampleRequestList([]))
    server.answer(exportPhotoRequests, () => refuse(500, 'x'))
    server.answer(insights, () => sampleInsights())
    const { person } = await open('/photo-requests', { subscription_tier: 'pro' })
    await waitFor(() => expect(queriesOf('/user/photo-requests').at(-1)?.get('event')).toBe('event1'))
    const list = document.querySelector<HTMLElement>('.event-switcher')!
    await person.click(within(list).getByRole('button', { name: 'Photos shown: Lotte & Bram' }))
    await person.click(within(list).getByRole('button', { name: 'All photos' }))
    await waitFor(() => expect(queriesOf('/user/photo-requests').at(-1)?.has('event')).toBe(false))
  })

  test('insights of it are by hour, with a table and a CSV', async () => {
    const none = { photo_scans: 0, event_scans: 0, views: 0, downloads: 0, requests: 0, joins: 0, photos: 0 }
    const hourOf = (at: string, evening: string, hour: number, more: object) => ({
      ...none,
      at,
      evening,
      hour,
      ...more,
    })
    const hours = [
      hourOf('2026-11-13T20:00:00.000Z', '2026-11-13', 21, { photo_scans: 1 }),
      hourOf('2026-11-14T20:00:00.000Z', '2026-11-14', 21, {
        photo_scans: 4,
        event_scans: 6,
        downloads: 3,
        requests: 2,
      }),
      hourOf('2026-11-14T22:00:00.000Z', '2026-11-14', 23, { photos: 8, joins: 2 }),
    ]
    let listed = hours
    server.answer(subscriptionStatus, () => planStatusOf('pro_yearly'))
    server.answer(insights, () => sampleInsights({ event_hours: listed }))
    server.answer(exportInsights, () => refuse(500, 'x'))
    const { person, state } = await open('/insights?event=event1', { subscription_tier: 'pro' })
    const table = await screen.findByRole('table', { name: 'By hour' })
    const rows = within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) => Array.from(row.children, (cell) => cell.lastElementChild?.textContent ?? cell.textContent))
    expect(rows).toEqual([
      [expect.stringMatching(/^9\s–\s10\sPM/), '4', '6', '0', '3', '2', '0', '0', '50%'],
      [expect.stringMatching(/^10\s–\s11\sPM/), '0', '0', '0', '0', '0', '0', '0', '–'],
      [expect.stringMatching(/^11\sPM\s–/), '0', '0', '0', '0', '0', '2', '8', '–'],
    ])
    const tile = (name: string) => screen.getByText(name, { selector: 'dt' }).closest('div')!
    expect(tile('Scans')).toHaveTextContent('115 of photos, 6 of the event')
    expect(tile('Photos added')).toHaveTextContent('8')
    expect(tile('Scan to photo')).toHaveTextContent('45%')
    await person.selectOptions(screen.getByLabelText('Evening'), '2026-11-13')
    expect(within(table).getAllByRole('row')).toHaveLength(2)
    await person.click(screen.getByRole('button', { name: 'Export as CSV' }))
    expect(await screen.findByText('The table couldn’t be exported. Please try again.')).toBeVisible()
    expect(queriesOf('/user/insights/export').at(-1)?.get('event')).toBe('event1')
    const saved: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
      saved.push(this.download)
    })
    server.answer(exportInsights, () => ({ refuse: 200, text: 'x', headers: { 'content-type': 'text/csv' } }))
    await person.click(screen.getByRole('button', { name: 'Export as CSV' }))
    await waitFor(() => expect(saved).toEqual([expect.stringMatching(/^Lotte & Bram insights-\d.*\.csv$/)]))
    listed = []
    await act(() => state.queryClient.invalidateQueries())
    expect(await screen.findByText('Nobody has scanned a code of this event on these days yet.')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Codes of the event' })).toHaveAttribute('href', '/events/event1')
  })

  test.each([
    [null, null, ''],
    ['2026-12-01', null, ''],
    ['2026-11-14', null, '&from=2026-11-14&to=2026-11-20'],
    ['2026-09-01', '2026-09-02', '&from=2026-09-01&to=2026-10-02'],
  ])('the page of an event from %s to %s leads to insights of its days', (starts_on, ends_on, days) => {
    expect(insightsOfEvent(sampleEvent(1, { starts_on, ends_on }), '2026-11-20')).toBe(`/insights?event=event1${days}`)
  })

  test('uploads go where the page says, whatever else is chosen, and the file stays there', async () => {
    const sent: (string | undefined)[] = []
    const { person } = await open('/upload?event=event2')
    server.answer(uploadPhoto, ({ query }) => {
      sent.push(query.event)
      return samplePhoto(7, { event_id: query.event ?? null })
    })
    await waitFor(() => expect(screen.getByLabelText('These photos go to')).toHaveDisplayValue('Lotte & Bram'))
    const picker = await screen.findByLabelText('Choose photos', { selector: 'input' })
    const file = (name: string) => new File(['x'], name, { type: 'image/jpeg' })
    await person.upload(picker, [file('a.jpg'), file('b.jpg')])
    expect(await screen.findAllByText('Goes to “Lotte & Bram”')).toHaveLength(2)
    await waitFor(() => expect(sent).toEqual(['event1', 'event1']))
    await person.click(await button('Upload to “Bruidsbeurs”'))
    await person.upload(picker, [file('c.jpg')])
    await waitFor(() => expect(sent).toEqual(['event1', 'event1', 'event2']))
  })

  test('an API key can be bound to an event', async () => {
    const bodies: object[] = []
    serveSettings(server)
    server.answer(subscriptionStatus, () => planStatusOf('pro_yearly'))
    serveEvents(server, [wedding])
    server.answer(createApiKey, ({ body }) => {
      bodies.push(body)
      return refuse(500, 'x')
    })
    const fields = { subscription_tier: 'pro', current_event_id: null } as const
    const { person } = await openPart(server, ({ plan }) => plan && <ApiKeysCard plan={plan} />, fields)
    await person.click(await button('Create your first key'))
    await person.type(screen.getByLabelText('Name'), 'Booth')
    await screen.findByRole('option', { name: 'Lotte & Bram' })
    await person.selectOptions(screen.getByLabelText('Event'), 'event1')
    await person.click(screen.getByRole('dialog').querySelector('[type=submit]')!)
    await waitFor(() => expect(bodies).toEqual([{ name: 'Booth', event_id: 'event1' }]))
  })
})

describe('moving photos', () => {
  async function select(person: Awaited<ReturnType<typeof open>>['person']) {
    await waitFor(() => expect(shownIds()).toHaveLength(2))
    await person.click(await button('Select'))
    await person.click(await button(/^Select IMG_4003/))
    await person.click(await button(/^Select IMG_4001/))
    await person.click(await button('Move to event…'))
  }

  test('takes them out of the list, and Undo moves each back', async () => {
    const { person, served } = await open('/gallery')
    await select(person)
    await person.selectOptions(await screen.findByLabelText('To'), 'Bruidsbeurs')
    await person.click(await button('Move'))
    expect(await screen.findByText('2 photos moved to “Bruidsbeurs”.')).toBeVisible()
    await waitFor(() => expect(shownIds()).toEqual([]))
    await person.click(await button('Undo'))
    expect(await screen.findByText('2 photos moved back.')).toBeVisible()
    expect(served.moves).toEqual([
      { ids: ['photo3', 'photo1'], event_id: 'event2' },
      { ids: ['photo3', 'photo1'], event_id: 'event1' },
    ])
  })

  test('creates the event first when it is new, and says what was refused', async () => {
    const { person, served } = await open('/gallery')
    server.answer(movePhotos, ({ body: { ids } }) => ({
      results: ids.map((id, at) => ({ id, outcome: at === 0 ? 'done' : 'refused', from: 'event1' }) as const),
    }))
    await select(person)
    await person.selectOptions(await screen.findByLabelText('To'), 'New event…')
    expect(screen.getByLabelText('To')).toHaveDisplayValue('New event…')
    await person.type(await screen.findByLabelText('Name of the new event'), 'Brunch')
    await person.click(await button('Move'))
    expect(await screen.findByText('1 photo moved to “Brunch”.')).toBeVisible()
    expect(await screen.findByText('1 photo waits for your review and can’t be moved before.')).toBeVisible()
    expect(served.list.map(({ name }) => name)).toContain('Brunch')
  })
})

describe('the list of events', () => {
  test('without events says that none is needed; a name alone makes one, and the switcher appears', async () => {
    const served = serveEvents(server, [])
    const { person, where } = await visit(server, { at: '/events', token: server.addUser().token, withFrame: true })
    expect(await screen.findByText('You don’t need one: photos work without.')).toBeVisible()
    await person.click(await button('Make your first event'))
    await person.click(await button('Create event'))
    expect(screen.getByText('Please enter a name')).toBeVisible()
    await person.type(screen.getByLabelText('Name'), 'Lotte & Bram')
    await person.click(await button('Create event'))
    await waitFor(() => expect(where()).toBe('/events/event1'))
    expect(served.list[0]).toMatchObject({ name: 'Lotte & Bram', starts_on: null, ends_on: null })
    expect(await button('Photos shown: All photos')).toBeVisible()
  })

  test('shows a failure, and on request the events, archived ones only when asked', async () => {
    const { token } = server.addUser({ current_event_id: null })
    server.answer(listEvents, () => refuse(500, 'x'))
    const { person } = await visit(server, { at: '/events', token })
    expect(await screen.findByText('We couldn’t load your events.')).toBeVisible()
    serveEvents(server, [wedding, { ...fair, archived_at: '2026-11-20T10:00:00.000Z' }])
    await person.click(await button('Try Again'))
    expect(await screen.findByRole('link', { name: 'Lotte & Bram' })).toHaveAttribute('href', '/events/event1')
    expect(screen.queryByRole('link', { name: 'Bruidsbeurs' })).toBeNull()
    await person.click(screen.getByRole('checkbox', { name: 'Show archived events (1)' }))
    expect(screen.getByRole('link', { name: 'Bruidsbeurs' })).toBeVisible()
  })

  test('brings back a deleted event, which can become the current one again', async () => {
    const { token } = server.addUser({ current_event_id: null })
    serveEvents(server, [{ ...fair, deleted_at: '2026-11-20T10:00:00.000Z', gone_at: '2026-11-27T10:00:00.000Z' }])
    const { person } = await visit(server, { at: '/events', token })
    await person.click(await button('Undo the deletion of Bruidsbeurs'))
    expect(await screen.findByRole('link', { name: 'Bruidsbeurs' })).toBeVisible()
    expect(screen.getByText('“Bruidsbeurs” is back. New photos go to no event.')).toBeVisible()
    await person.click(await button('New photos go here'))
    expect(await screen.findByText('New photos go to “Bruidsbeurs” now, and Latest shows it.')).toBeVisible()
  })
})

describe('the page of an event', () => {
  test('saves each setting, and asks before guests’ photos are shown unseen', async () => {
    const { person, served } = await open('/events/event2')
    await person.click(await screen.findByRole('radio', { name: 'Ask' }))
    await person.click(screen.getByRole('radio', { name: 'With the code or link' }))
    await person.click(screen.getByRole('radio', { name: 'Straight to the screen' }))
    await person.click(await button('Show them at once'))
    await waitFor(() =>
      expect(served.changes).toEqual([
        { id: 'event2', ask_email: true },
        { id: 'event2', gallery: 'link' },
        { id: 'event2', guest_photos: 'direct' },
      ]),
    )
    await person.click(await button('New photos go here'))
    await waitFor(() => expect(served.list.find(({ is_current }) => is_current)?.id).toBe('event2'))
  })

  test('refuses days in the wrong order, and saves name and days together', async () => {
    const { person, served } = await open('/events/event2')
    const days = await screen.findAllByLabelText(/optional/)
    await person.type(days[0]!, '2026-12-02')
    await person.type(days[1]!, '2026-12-01')
    const form = document.querySelector<HTMLElement>('.event-about')!
    await person.click(within(form).getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('The last day can’t be before the first.')).toBeVisible()
    await person.clear(days[1]!)
    await person.click(within(form).getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(served.changes).toEqual([{ id: 'event2', name: 'Bruidsbeurs', starts_on: '2026-12-02', ends_on: null }]),
    )
  })

  test.each([
    ['with its photos', false, 'delete'],
    ['without them', true, 'keep'],
  ])('deletes the event %s, which a toast can undo', async (_, keeps, photos) => {
    const { person, served, where } = await open('/events/event2')
    await person.click(await button('Delete…'))
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete “Bruidsbeurs”?' })
    expect(dialog).toHaveTextContent('Its 1 photo is deleted with it')
    if (keeps) await person.click(within(dialog).getByRole('checkbox', { name: 'Keep the 1 photo, without an event' }))
    await person.click(within(dialog).getByRole('button', { name: /^Delete/ }))
    await waitFor(() => expect(where()).toBe('/events'))
    expect(served.changes).toEqual([{ id: 'event2', deleted: photos }])
    await person.click(await button('Undo'))
    await waitFor(() => expect(served.list.every(({ deleted_at }) => deleted_at === null)).toBe(true))
  })

  test('says that an event does not exist', async () => {
    await open('/events/nothing')
    expect(await screen.findByText('This event doesn’t exist anymore.')).toBeVisible()
  })
})
