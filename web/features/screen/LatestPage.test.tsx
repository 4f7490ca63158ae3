import { subscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import { liveTicket } from '@keepsnap/contract/live.ts'
import { getHold, holdPhoto, releaseHold } from '@keepsnap/contract/screen.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import { changePhoto, getPhoto, latestPhoto, listPhotos, type Photo } from '@keepsnap/contract/photos.ts'
import { updateSettings } from '@keepsnap/contract/accounts.ts'
import { useQuery } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { LiveIndicator } from '../live/LiveIndicator.tsx'
import { latestQuery, photoKeys } from '../photos/photo-cache.ts'
import { useApi } from '../../lib/app-services.tsx'
import { type ErrorReply, type FakeServer, refuse, useFakeServer } from '../../test/fake-server.ts'
import { failedPhoto, processingPhoto, samplePhoto, samplePlanStatus } from '../../test/samples.ts'
import { rendered, visit } from '../../test/render.tsx'
import { eventually, waitLimitMs } from '../../test/eventually.ts'

const server = useFakeServer()

const photoOf = (name: string) => screen.findByAltText(new RegExp(`^${name}`))
/** Toasts disappear after three seconds: waits for one beside what else is waited for. */
const toast = (text: string) => eventually(() => expect(screen.getByText(text)).toBeVisible())
const codeName = 'QR code for the photo on the screen'
const code = () => screen.findByAltText(codeName)

async function open(photo: Photo | null, { before = [], ...user }: { before?: Photo[] } & UserOptions = {}) {
  serve(photo, before)
  const visitor = await visit(server, {
    at: '/latest',
    token: server.addUser(user).token,
    indicator: <LiveIndicator />,
  })
  // Its first refetch would replace what a test changes only in the page.
  await visitor.connected()
  return visitor
}
type UserOptions = Parameters<FakeServer['addUser']>[0]

/** A control of the menu, which is opened for it. */
async function inMenu(name: string): Promise<HTMLElement> {
  const more = await screen.findByRole('button', { name: 'More' })
  if (more.getAttribute('aria-expanded') === 'false') act(() => more.click())
  return screen.findByRole(/^(Download|Print)/.test(name) ? 'link' : 'button', { name })
}

/** Photos of the samples are of tonight. */
beforeEach(() => {
  const later = Date.now() - Date.parse(samplePhoto(30).created_at)
  const { now } = Date
  vi.spyOn(Date, 'now').mockImplementation(() => now() - later)
})

function serve(photo: Photo | null, before: Photo[] = []): void {
  server.answer(latestPhoto, () => photo ?? refuse(404, 'No photos', 'not_found'))
  server.answer(listPhotos, () => (photo ? [photo, ...before] : []))
  server.answer(getHold, () => ({ hold: null }))
}

/** Says when the app has the answer of the newest photo; in the navigation of admins. */
function KnownLatest() {
  const { data } = useQuery({ ...latestQuery(useApi()), enabled: false })
  return data ? <p>{`Known: ${data.id}`}</p> : null
}

describe('the Latest page', () => {
  test('shows the newest photo with the code that leads to it, and keeps the focus when the photo changes', async () => {
    await open(samplePhoto(1))
    expect(await photoOf('IMG_4001.jpg')).toHaveAttribute('src', expect.stringMatching(/\/screen\/photo1\?s=signed$/))
    expect(await code()).toHaveAttribute('src', expect.stringMatching(/\/qr\/d\/photo1\.svg$/))
    expect(screen.getByText('Scan to keep this photo')).toBeVisible()
    // Of admins only.
    expect(screen.queryByText(/^WS:/)).toBeNull()
    expect(screen.queryByRole('button', { name: 'Show Debug' })).toBeNull()
    const download = await inMenu('Download')
    act(() => download.focus())
    act(() => server.push({ action: 'photo_update', photo: processingPhoto(1) }))
    expect(await screen.findByText('Processing your photo')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Download' })).toHaveFocus()
  })

  test('says when the photo cannot be loaded, and shows it when that is possible again', async () => {
    const decode = vi.spyOn(HTMLImageElement.prototype, 'decode').mockRejectedValue(new Error('no connection'))
    serve(samplePhoto(1))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await visit(server, { at: '/latest', token: server.addUser({ is_admin: true }).token })
    await eventually(() => expect(screen.getByText('Show Debug')).toBeVisible())
    await eventually(() => expect(decode).toHaveBeenCalled())
    expect(screen.getByText('Loading...')).toBeInTheDocument()
    await act(() => vi.advanceTimersByTimeAsync(130_000))
    const failure = screen.getByRole('alert')
    expect(failure).toHaveTextContent('Error loading your latest photo')
    expect(within(failure).getByRole('button', { name: 'Try Again' })).toBeVisible()
    decode.mockResolvedValue()
    await act(() => vi.advanceTimersByTimeAsync(limits.latestPollMs))
    await eventually(() => expect(screen.getByAltText(/^IMG_4001/)).toBeVisible())
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('shows a new photo when it can be seen, announces it once, and has no code of a failed one', async () => {
    await open(samplePhoto(1))
    await photoOf('IMG_4001.jpg')
    await waitFor(() => {
      act(() => server.push({ action: 'new_photo', type: 'photo_added', photo: processingPhoto(2) }))
      expect(screen.getByText('Processing your photo')).toBeVisible()
    })
    expect(screen.queryByAltText(codeName)).toBeNull()
    expect(await inMenu('QR code')).toHaveAttribute('aria-disabled', 'true')
    expect(screen.queryByText('New photo received!')).toBeNull()
    act(() => server.push({ action: 'photo_update', photo: samplePhoto(2) }))
    await toast('New photo received!')
    expect(await photoOf('IMG_4002.jpg')).toBeVisible()
    expect(await code()).toHaveAttribute('src', expect.stringMatching(/\/qr\/d\/photo2\.svg$/))
    expect(screen.getByAltText('QR code for IMG_4001.jpg')).toBeVisible()
    act(() => server.push({ action: 'photo_update', photo: failedPhoto(2, { error_message: 'It is damaged.' }) }))
    await Promise.all([toast('Photo updated!'), waitFor(() => expect(screen.getByRole('alert')).toBeVisible())])
    expect(screen.getByRole('alert')).toHaveTextContent('It is damaged.')
    expect(screen.getByText('No code for this photo')).toBeVisible()
    expect(screen.queryByAltText(codeName)).toBeNull()
  })

  test('shows the first photo together with the others, which would move its code', async () => {
    const listed = Promise.withResolvers<Photo[]>()
    serve(samplePhoto(2))
    server.answer(listPhotos, () => listed.promise)
    await visit(server, { at: '/latest', token: server.addUser({ is_admin: true }).token, indicator: <KnownLatest /> })
    // The photo alone would come in the same commit.
    expect(await screen.findByText('Known: photo2')).toBeVisible()
    expect(screen.queryByAltText(/QR code/)).toBeNull()
    expect(screen.getByText('Loading...')).toBeInTheDocument()
    listed.resolve([samplePhoto(2), samplePhoto(1)])
    expect(await code()).toBeVisible()
    expect(screen.getByAltText('QR code for IMG_4001.jpg')).toBeVisible()
  })

  test('shows the photo without the others when these cannot be loaded', async () => {
    serve(samplePhoto(2))
    server.answer(listPhotos, () => refuse(503, 'Busy', 'unavailable'))
    const { state, connected } = await visit(server, { at: '/latest', token: server.addUser().token })
    const shownCode = await code()
    expect(shownCode).toBeVisible()
    expect(screen.queryByRole('list', { name: 'Other photos' })).toBeNull()
    await connected()
    server.answer(listPhotos, () => new Promise(() => {}))
    void state.queryClient.invalidateQueries({ queryKey: photoKeys.recents })
    await rendered()
    expect(state.queryClient.isFetching({ queryKey: photoKeys.recents })).toBe(1)
    expect(shownCode).toBeVisible()
  })

  test('keeps the photo and shows a message when a refresh fails', async () => {
    const { person } = await open(samplePhoto(1))
    await photoOf('IMG_4001.jpg')
    await person.click(await inMenu('Refresh'))
    expect(await screen.findByText('Latest photo updated!')).toBeVisible()
    server.answer(latestPhoto, () => refuse(500, 'English from the server'))
    await person.click(await inMenu('Refresh'))
    expect((await screen.findAllByText('Failed to load latest photo')).length).toBeGreaterThan(0)
    expect(screen.getByAltText(/^IMG_4001/)).toBeVisible()
  })

  test('offers neither code nor download of a photo that was hidden, and its dialog does not open again', async () => {
    const { person } = await open(samplePhoto(2), { before: [samplePhoto(1)] })
    await code()
    await person.click(await inMenu('QR code'))
    const dialog = await screen.findByRole('dialog', { name: 'QR code' })
    expect(within(dialog).getByRole('link', { name: 'download QR' })).toHaveAttribute('download', 'IMG_4002-code.png')
    expect(within(dialog).getByRole('link', { name: 'Print card' })).toHaveAttribute('href', '/print?photo=photo2')
    const decoded = Promise.withResolvers<void>()
    vi.spyOn(HTMLImageElement.prototype, 'decode').mockReturnValue(decoded.promise)
    serve(samplePhoto(1))
    await waitFor(() => {
      act(() => server.push({ action: 'photo_update', photo: samplePhoto(2, { hidden: true }) }))
      expect(screen.queryByAltText(/^IMG_4002/)).toBeNull()
    })
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.queryByAltText(/QR code/)).toBeNull()
    expect(await inMenu('QR code')).toHaveAttribute('aria-disabled', 'true')
    const download = await inMenu('Download')
    expect(download).toHaveAttribute('aria-disabled', 'true')
    expect(download).not.toHaveAttribute('href')
    decoded.resolve()
    expect(await photoOf('IMG_4001.jpg')).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('keeps the full screen and the screen on while there is no photo, and can leave it then', async () => {
    const release = vi.fn<() => Promise<void>>(async () => {})
    const request = vi.fn<() => Promise<unknown>>(async () => ({ release }))
    Object.defineProperty(window.navigator, 'wakeLock', { configurable: true, value: { request } })
    onTestFinished(() => void Reflect.deleteProperty(window.navigator, 'wakeLock'))
    const { person } = await open(samplePhoto(1))
    await code()
    await person.click(screen.getByRole('button', { name: 'Full screen' }))
    serve(null)
    act(() => server.push({ action: 'photo_deleted', type: 'photo_deleted', id: 'photo1' }))
    expect(await screen.findByText('The first photo appears here')).toBeVisible()
    expect(screen.queryByText('No photos uploaded yet.')).toBeNull()
    expect(within(screen.getByRole('main')).queryByRole('link')).toBeNull()
    expect(document.querySelector('.latest')).toHaveClass('latest--full-screen')
    serve(samplePhoto(2))
    act(() => server.push({ action: 'new_photo', type: 'photo_added', photo: samplePhoto(2) }))
    await photoOf('IMG_4002.jpg')
    expect(document.querySelector('.latest')).toHaveClass('latest--full-screen')
    serve(null)
    act(() => server.push({ action: 'photo_deleted', type: 'photo_deleted', id: 'photo2' }))
    await screen.findByText('The first photo appears here')
    await person.click(screen.getByRole('button', { name: 'Exit full screen' }))
    expect(await screen.findByText('No photos uploaded yet.')).toBeVisible()
    expect(document.querySelector('.latest')).not.toHaveClass('latest--full-screen')
    expect([request.mock.calls.length, release.mock.calls.length]).toEqual([1, 0])
  })
})

describe('the controls', () => {
  const more = () => screen.getByRole('button', { name: 'More' })

  test('previous, hold, next, hide and full screen are there at once, everything else in a menu, which Escape closes', async () => {
    const { person } = await open(samplePhoto(2), { before: [samplePhoto(1)] })
    await code()
    const toolbar = within(screen.getByRole('group', { name: 'Photo' }))
    const always = ['Previous', 'Hold', 'Next', 'Hide', 'Full screen', 'More']
    expect(toolbar.getAllByRole('button').map((control) => control.textContent)).toEqual(always)
    expect(toolbar.queryByRole('link')).toBeNull()
    act(() => more().click())
    const others = ['Ask for email: off', 'Refresh', 'QR code', 'Other photos', 'Keyboard shortcuts']
    expect(toolbar.getAllByRole('button').map((control) => control.textContent)).toEqual([...always, ...others])
    const download = toolbar.getByRole('link', { name: 'Download' })
    expect(download).toHaveAttribute('href', expect.stringContaining('/media/photo2'))
    await person.click(screen.getByRole('button', { name: 'Full screen' }))
    await person.click(more())
    await person.keyboard('{Escape}')
    expect(more()).toHaveAttribute('aria-expanded', 'false')
    expect(document.querySelector('.latest')).toHaveClass('latest--full-screen')
    await person.keyboard('{Escape}')
    expect(document.querySelector('.latest')).not.toHaveClass('latest--full-screen')
  })

  test('switches show their new state in the menu, which stays open; a choice closes it', async () => {
    const { person } = await open(samplePhoto(2), { before: [samplePhoto(1)] })
    await code()
    expect(screen.getByRole('list', { name: 'Other photos' })).toBeVisible()
    await person.click(more())
    await person.click(screen.getByRole('button', { name: 'Other photos', pressed: true }))
    expect(screen.queryByRole('list', { name: 'Other photos' })).toBeNull()
    expect(window.localStorage.getItem('stage-prints')).toBe('off')
    expect(screen.getByRole('button', { name: 'Other photos', pressed: false })).toHaveFocus()
    await person.click(screen.getByRole('button', { name: 'Refresh' }))
    expect(await screen.findByText('Latest photo updated!')).toBeVisible()
    expect(more()).toHaveAttribute('aria-expanded', 'false')
    expect(more()).toHaveFocus()
  })
})

describe('within reach of one hand', () => {
  const shownPhoto = () => screen.getByRole('figure').querySelector('img')?.getAttribute('alt')?.split(',')[0]
  const before = [3, 2, 1].map((number) => samplePhoto(number))
  const hold = (photo_id: string, remaining_ms = 600_000) => ({
    photo_id,
    until: new Date(Date.now() + remaining_ms).toISOString(),
    remaining_ms,
  })
  const isEnabled = (name: string) => screen.getByRole('button', { name }).getAttribute('aria-disabled') === null
  const press = async (person: { click: (element: Element) => Promise<void> }, name: string | RegExp) =>
    person.click(await screen.findByRole('button', { name }))

  test('previous and next go through the photos until a new one arrives', async () => {
    const { person } = await open(samplePhoto(4), { before })
    await photoOf('IMG_4004.jpg')
    expect(isEnabled('Next')).toBe(false)
    await press(person, 'Previous')
    await photoOf('IMG_4003.jpg')
    await press(person, 'Previous')
    await photoOf('IMG_4002.jpg')
    expect(await code()).toHaveAttribute('src', expect.stringMatching(/photo2\.svg$/))
    await press(person, 'Next')
    await photoOf('IMG_4003.jpg')
    await waitFor(() => {
      act(() => server.push({ action: 'new_photo', type: 'photo_added', photo: samplePhoto(5) }))
      expect(shownPhoto()).toBe('IMG_4005.jpg')
    })
  })

  test('a held photo stays while new ones wait as small prints, until it is released', async () => {
    const held: string[] = []
    server.answer(holdPhoto, ({ body }) => {
      held.push(body.photo_id)
      server.answer(getHold, () => ({ hold: hold(body.photo_id) }))
      return { hold: hold(body.photo_id) }
    })
    server.answer(releaseHold, () => {
      server.answer(getHold, () => ({ hold: null }))
      return { hold: null }
    })
    const { person } = await open(samplePhoto(4), { before })
    await photoOf('IMG_4004.jpg')
    await press(person, 'Hold')
    await screen.findByRole('button', { name: 'Release' })
    expect(held).toEqual(['photo4'])
    await waitFor(() => {
      act(() => server.push({ action: 'new_photo', type: 'photo_added', photo: samplePhoto(5) }))
      expect(screen.getByAltText('QR code for IMG_4005.jpg')).toBeVisible()
    })
    expect(shownPhoto()).toBe('IMG_4004.jpg')
    expect(isEnabled('Previous')).toBe(false)
    expect(screen.getByText(/^Held on all your screens until \d/)).toBeVisible()
    await press(person, 'Release')
    await photoOf('IMG_4005.jpg')
    expect(screen.queryByText(/^Held on all your screens/)).toBeNull()
  })

  test('keys press the controls that name them, unless they are switched off or a field uses the key', async () => {
    const { person } = await open(samplePhoto(4), { before })
    await photoOf('IMG_4004.jpg')
    const titles = ['Previous', 'Hold', 'Next', 'Hide from guests', 'Full screen'].map(
      (name) => screen.getByRole('button', { name }).title,
    )
    expect(titles.map((title) => /\((.+)\)$/.exec(title)?.[1])).toEqual(['←', 'Space', '→', 'H', 'F'])
    const isFull = () => document.querySelector('.latest--full-screen') !== null
    await person.keyboard('{ArrowLeft}')
    await photoOf('IMG_4003.jpg')
    await person.keyboard('{ArrowRight}')
    await photoOf('IMG_4004.jpg')
    await person.keyboard('f')
    expect(isFull()).toBe(true)
    await person.keyboard('{Control>}f{/Control}')
    expect(isFull()).toBe(true)
    const held = vi.fn<() => void>()
    server.answer(holdPhoto, ({ body }) => {
      held()
      return { hold: hold(body.photo_id) }
    })
    await person.keyboard(' ')
    await screen.findByRole('button', { name: 'Release' })
    expect(held).toHaveBeenCalledOnce()
    await inMenu('Refresh')
    act(() => screen.getByRole('combobox', { name: 'Slideshow' }).focus())
    await person.keyboard('f')
    expect(isFull()).toBe(true)
    await person.click(await inMenu('Keyboard shortcuts'))
    act(() => screen.getByRole('button', { name: 'More' }).focus())
    await person.keyboard('f')
    expect(isFull()).toBe(true)
    expect(screen.getByRole('button', { name: 'Hide from guests' }).title).toBe('Hide from guests')
  })

  test('controls keep the focus when they are disabled, and when the photo is hidden', async () => {
    const { person } = await open(samplePhoto(2), { before: [samplePhoto(1)] })
    await photoOf('IMG_4002.jpg')
    await press(person, 'Previous')
    await photoOf('IMG_4001.jpg')
    const previous = screen.getByRole('button', { name: 'Previous' })
    expect([previous, isEnabled('Previous')]).toEqual([document.activeElement, false])
    await person.keyboard('{Enter}')
    await press(person, 'Next')
    await photoOf('IMG_4002.jpg')
    let answer = (): void => {}
    server.answer(changePhoto, async () => {
      server.answer(latestPhoto, () => new Promise<Photo>((resolve) => (answer = () => resolve(samplePhoto(1)))))
      return samplePhoto(2, { hidden: true })
    })
    const hide = screen.getByRole('button', { name: 'Hide from guests' })
    await person.click(hide)
    await waitFor(() => expect(screen.queryByAltText(/^IMG_4002/)).toBeNull())
    expect(hide).toHaveFocus()
    act(() => answer())
    await photoOf('IMG_4001.jpg')
    expect(hide).toHaveFocus()
  })

  test('a hold that was fetched before it changed does not come back', async () => {
    let answerFirst = (): void => {}
    let isFirst = true
    serve(samplePhoto(4), before)
    server.answer(getHold, () => {
      if (!isFirst) return { hold: null }
      isFirst = false
      return new Promise((resolve) => (answerFirst = () => resolve({ hold: hold('photo2') })))
    })
    await visit(server, { at: '/latest', token: server.addUser().token })
    await photoOf('IMG_4004.jpg')
    await waitFor(() => {
      act(() => server.push({ action: 'photo_hold', hold: hold('photo3') }))
      expect(shownPhoto()).toBe('IMG_4003.jpg')
    })
    act(() => server.push({ action: 'photo_hold', hold: null }))
    await waitFor(() => expect(shownPhoto()).toBe('IMG_4004.jpg'))
    answerFirst()
    await waitFor(() => expect(server.calls.filter((call) => call === 'GET /user/hold').length).toBeGreaterThan(1))
    await screen.findByRole('button', { name: 'Hold' })
    expect(shownPhoto()).toBe('IMG_4004.jpg')
  })

  test('a held photo stays when newer ones take its place among the recent photos', async () => {
    server.answer(getPhoto, () => new Promise(() => {}))
    const { state } = await open(samplePhoto(4), { before })
    await photoOf('IMG_4004.jpg')
    act(() => server.push({ action: 'photo_hold', hold: hold('photo2') }))
    await photoOf('IMG_4002.jpg')
    const newer = Array.from({ length: 12 }, (_, index) => samplePhoto(20 - index))
    serve(newer[0]!, newer.slice(1))
    await act(() => state.queryClient.invalidateQueries({ queryKey: photoKeys.recents }))
    await waitFor(() => expect(server.calls).toContain('GET /photos/photo2'))
    await rendered()
    expect(shownPhoto()).toBe('IMG_4002.jpg')
    expect(screen.getByRole('figure')).toBeVisible()
  })

  test('a photo that another screen holds is shown until that releases it, it is deleted or hidden, or its time is over', async () => {
    server.answer(getPhoto, () => new Promise(() => {}))
    await open(samplePhoto(4), { before })
    await photoOf('IMG_4004.jpg')
    const ends: [number, Parameters<typeof server.push>[0] | null][] = [
      [2, { action: 'photo_hold', hold: null }],
      [2, { action: 'photo_deleted', type: 'photo_deleted', id: 'photo2' }],
      [3, { action: 'photo_update', photo: samplePhoto(3, { hidden: true }) }],
      [1, null],
    ]
    for (const [number, message] of ends) {
      await waitFor(() => {
        act(() => server.push({ action: 'photo_hold', hold: hold(`photo${number}`, message ? 600_000 : 300) }))
        expect(shownPhoto()).toBe(`IMG_400${number}.jpg`)
      })
      if (message) act(() => server.push(message))
      await waitFor(() => expect(shownPhoto()).toBe('IMG_4004.jpg'))
    }
  })

  test('the switch asks guests for an email address, the code changes at once, and Undo changes it back', async () => {
    const { person } = await open(samplePhoto(4))
    expect(await code()).toHaveAttribute('src', expect.stringMatching(/\/qr\/d\//))
    server.answer(updateSettings, ({ user, body }) => Object.assign(user!, body))
    await person.click(await inMenu('Ask for email: off'))
    await waitFor(async () => expect(await code()).toHaveAttribute('src', expect.stringMatching(/\/qr\/r\//)))
    expect(screen.getByText('We’ll email it to you')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Ask for email: on' })).toBeVisible()
    expect(await screen.findByText('Email setting updated successfully')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Undo' }))
    await waitFor(async () => expect(await code()).toHaveAttribute('src', expect.stringMatching(/\/qr\/d\//)))
    await toast('Email setting updated successfully')
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })

  test('the slideshow is off at first; a list has one, three and five minutes', async () => {
    const saved: unknown[] = []
    server.answer(updateSettings, ({ user, body }) => {
      saved.push(body)
      return Object.assign(user!, body)
    })
    const { person } = await open(samplePhoto(4))
    await inMenu('Refresh')
    const list = screen.getByRole('combobox', { name: 'Slideshow' })
    expect(list).toHaveDisplayValue('Slideshow: off')
    for (const delay of [' after 1 min', ' after 3 min', ' after 5 min', ': off'])
      await person.selectOptions(list, `Slideshow${delay}`)
    await waitFor(() => expect(saved).toEqual([1, 3, 5, 0].map((slow_show_minutes) => ({ slow_show_minutes }))))
  })
})

test('hides its photo, goes to the one before, and undoes it', async () => {
  server.answer(changePhoto, ({ body: { hidden } }) => {
    const photo = samplePhoto(2, { hidden })
    serve(hidden ? samplePhoto(1) : photo, [samplePhoto(1)])
    return photo
  })
  const { person } = await open(samplePhoto(2), { before: [samplePhoto(1)] })
  await photoOf('IMG_4002.jpg')
  await person.click(screen.getByRole('button', { name: 'Hide from guests' }))
  expect(await photoOf('IMG_4001.jpg')).toBeVisible()
  await person.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await photoOf('IMG_4002.jpg')).toBeVisible()
})

test('says when the newest photos are all hidden', async () => {
  await open(samplePhoto(2, { hidden: true }), { before: [samplePhoto(1, { hidden: true })] })
  expect(await screen.findByText('Your newest photos are hidden from guests.')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Open the gallery' })).toHaveAttribute('href', '/gallery')
})

describe('without a photo', () => {
  test('the page links to the upload, and has the banner about the plan and the panel of admins', async () => {
    server.answer(subscriptionStatus, () => samplePlanStatus(10))
    const { person } = await open(null, { is_admin: true })
    expect(await screen.findByText('No photos uploaded yet.')).toBeVisible()
    expect(screen.getByText('No photos found. Upload your first photo!')).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Upload Your First Photo' })).toHaveAttribute('href', '/upload')
    expect(await screen.findByText(/^All 10 photos of this month are used/)).toBeVisible()
    await person.click(await screen.findByRole('button', { name: 'Show Debug' }))
    expect(within(await screen.findByRole('region', { name: 'Debug' })).getByText('None')).toBeVisible()
  })

  test('a failure stays with its button while the photo is fetched again, which happens also on request', async () => {
    const connected = Promise.withResolvers<{ ticket: string }>()
    const second = Promise.withResolvers<ErrorReply>()
    let count = 0
    serve(null)
    server.answer(liveTicket, () => connected.promise)
    server.answer(latestPhoto, () => ((count += 1) === 1 ? refuse(500, 'English from the server') : second.promise))
    const { person } = await visit(server, { at: '/latest', token: server.addUser().token })
    expect(await screen.findByText('Failed to load latest photo')).toBeVisible()
    const tryAgain = await screen.findByRole('button', { name: 'Try Again' })
    act(() => tryAgain.focus())
    connected.resolve({ ticket: 'ticket' })
    await waitFor(() => expect(tryAgain).toHaveAttribute('aria-busy', 'true'))
    expect(screen.getByText('Error loading your latest photo')).toBeVisible()
    expect(tryAgain).toHaveFocus()
    second.resolve(refuse(500, 'English from the server'))
    await waitFor(() => expect(tryAgain).not.toHaveAttribute('aria-busy'))
    serve(samplePhoto(1))
    await person.click(tryAgain)
    expect(await photoOf('IMG_4001.jpg')).toBeVisible()
  })
})

test('admins see the state of the live connection in the navigation, and details in a panel', async () => {
  const { person } = await open(samplePhoto(1), { is_admin: true })
  await code()
  expect(await screen.findByText('WS: Connected')).toBeVisible()
  await person.click(await screen.findByRole('button', { name: 'Show Debug' }))
  const panel = within(await screen.findByRole('region', { name: 'Debug' }))
  expect(panel.getByText('Connected')).toBeVisible()
  expect(await panel.findByText('photo1')).toBeVisible()
  await person.click(panel.getByRole('button', { name: 'Test' }))
  expect(panel.getByText('Test sent. Waiting for the answer.')).toBeVisible()
  act(() => server.push({ action: 'test' }))
  expect(await panel.findByText(/^Test answered at/)).toBeVisible()
  server.refuseLiveConnections()
  expect(await screen.findByText('WS: Disconnected')).toBeVisible()
})

test('a banner says what is left of the month from 80 % on, until it is hidden', async () => {
  server.answer(latestPhoto, () => samplePhoto(1))
  server.answer(listPhotos, () => [samplePhoto(1)])
  let photos = 7
  server.answer(subscriptionStatus, () => samplePlanStatus(photos))
  const { person } = await visit(server, { at: '/latest', token: server.addUser().token })
  await screen.findByRole('img', { name: /^IMG_4001/ })
  await waitFor(() => expect(server.calls).toContain('GET /subscriptions/status'))
  expect(screen.queryByText(/left until/)).toBeNull()
  photos = 8
  await vi.waitFor(
    async () => {
      await act(async () => server.push({ action: 'photo_deleted', type: 'photo_deleted', id: 'other' }))
      expect(screen.getByText(/^8 of 10 of this month’s photos are used, 2 left until/)).toBeVisible()
    },
    { timeout: waitLimitMs, interval: 200 },
  )
  expect(screen.getByRole('link', { name: 'See the plans' })).toHaveAttribute('href', '/#pricing')
  await person.click(screen.getByRole('button', { name: 'Hide until 90%' }))
  expect(screen.queryByText(/left until/)).toBeNull()
  photos = 9
  act(() => server.push({ action: 'photo_deleted', type: 'photo_deleted', id: 'other' }))
  expect(await screen.findByText(/^9 of 10 of this month’s photos are used/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Hide until 90%' })).toBeNull()
})
