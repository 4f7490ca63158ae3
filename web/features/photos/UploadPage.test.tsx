import { subscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import { getHold } from '@keepsnap/contract/screen.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import { getPhoto, latestPhoto, listPhotos, uploadPhoto } from '@keepsnap/contract/photos.ts'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { noResponse, refuse, useFakeServer } from '../../test/fake-server.ts'
import { failedPhoto, planStatusOf, processingPhoto, samplePhoto, samplePlanStatus } from '../../test/samples.ts'
import { visit } from '../../test/render.tsx'
import { waitLimitMs } from '../../test/eventually.ts'

const server = useFakeServer((server) => {
  server.answer(latestPhoto, () => samplePhoto(1))
  server.answer(listPhotos, () => [])
  server.answer(getHold, () => ({ hold: null }))
})
/** Lets the time until the next poll of the photo pass. */
const nextPoll = () => act(() => vi.advanceTimersByTimeAsync(limits.uploadStatusPollMs))

const image = (name: string) => new File(['picture'], name, { type: 'image/jpeg' })
const picker = () => screen.findByLabelText('Choose photos', { selector: 'input' })
const submit = () => screen.findByRole('button', { name: 'Upload Photo' })
const row = (name: string) => within(screen.getByText(name).closest('li')!) // a row is a list item

const rowNames = () => Array.from(document.querySelectorAll('.upload-row__name'), ({ textContent }) => textContent)

async function open(...files: File[]) {
  const visitor = await visit(server, { at: '/upload', token: server.addUser().token })
  const input = await picker()
  if (files.length > 0) await visitor.person.upload(input, files)
  return visitor
}

test.each([
  ['can be opened on phones', true],
  ['is not offered on computers, where the page has one file input', false],
])('the camera %s', async (_, hasCamera) => {
  const matchMedia = window.matchMedia.bind(window)
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    matchMedia(query.includes('pointer: fine') ? (hasCamera ? 'not all' : 'all') : query),
  )
  await open()
  expect(screen.queryByRole('button', { name: 'Take a photo' }) !== null).toBe(hasCamera)
  const captures = Array.from(document.querySelectorAll('input[type=file]'), (input) => input.getAttribute('capture'))
  expect(captures).toEqual(hasCamera ? [null, 'environment'] : [null])
})

test.each([
  ['the picker is closed without a file', (input: HTMLElement) => fireEvent(input, new Event('cancel'))],
  [
    'an empty folder is dropped',
    (input: HTMLElement) => fireEvent.drop(input, { dataTransfer: { files: [], types: ['Files'] } }),
  ],
])('the page asks for a file when %s', async (_, choose) => {
  await open()
  choose(await picker())
  expect(await screen.findByText('Please select a file to upload.')).toBeVisible()
})

test('what a Mac writes beside a photo is left out without a word', async () => {
  await open(image('._cake.jpg'), image('cake.jpg'))
  expect(await submit()).toBeVisible()
  expect(screen.queryByText(/_cake\.jpg/)).toBeNull()
})

describe('a single file', () => {
  test('is uploaded, and the Latest page opens once it is processed', async () => {
    server.answer(uploadPhoto, () => processingPhoto(1))
    let polls = 0
    server.answer(getPhoto, () => (polls++ === 0 ? processingPhoto(1) : samplePhoto(1)))
    const { person, where, connected } = await open(image('cake.jpg'))
    await connected() // it would fetch the photo before the next poll
    vi.useFakeTimers({ shouldAdvanceTime: true })
    await person.click(await submit())
    expect(await screen.findByText('Photo uploaded successfully!')).toBeVisible()
    expect(screen.getByText(/^Processing your photo\./)).toBeVisible()
    await nextPoll()
    await waitFor(() => expect(polls).toBeGreaterThan(0))
    await nextPoll()
    await waitFor(() => expect(where()).toBe('/latest'))
  })

  test('that is the first fetches the user again: Home no longer asks for a first photo', async () => {
    server.answer(uploadPhoto, ({ user }) => {
      user!.photo_count += 1
      return processingPhoto(1)
    })
    server.answer(getPhoto, () => processingPhoto(1))
    const { person } = await visit(server, {
      at: '/upload',
      token: server.addUser({ photo_count: 0, first_visit: true }).token,
    })
    await person.upload(await picker(), [image('cake.jpg')])
    await person.click(await submit())
    await screen.findByText('Photo uploaded successfully!')
    await person.click(screen.getByRole('link', { name: 'Keepsnap' }))
    expect(await screen.findByRole('link', { name: 'Open the big screen' })).toBeVisible()
  })

  test.each([[true], [false]])(
    'shows the reason when it cannot be processed; to be tried again: %s',
    async (can_retry) => {
      server.answer(uploadPhoto, () => processingPhoto(1))
      server.answer(getPhoto, () => failedPhoto(1, { error_message: 'This photo is damaged.', can_retry }))
      const { person, where, connected } = await open(image('cake.jpg'))
      await connected() // it would fetch the photo before the next poll
      vi.useFakeTimers({ shouldAdvanceTime: true })
      await person.click(await submit())
      await screen.findByText('Photo uploaded successfully!')
      await nextPoll()
      expect(await screen.findByText('Processing failed!')).toBeVisible()
      expect(screen.getByText(/Photo processing failed\. Please try again\./)).toBeVisible()
      expect(screen.getByText('There was an error processing your photo. Please try uploading again.')).toBeVisible()
      expect(screen.getByText('This photo is damaged.')).toBeVisible()
      expect(screen.queryByRole('button', { name: 'Try Again' }) !== null).toBe(can_retry)
      expect(screen.queryByRole('button', { name: 'Choose another' }) !== null).toBe(true)
      await waitFor(() => expect(where()).toBe('/upload'))
    },
  )

  test('is uploaded again by the same button after no response', async () => {
    server.answer(uploadPhoto, () => noResponse)
    server.answer(getPhoto, () => processingPhoto(1))
    const { person } = await open(image('cake.jpg'))
    await person.click(await submit())
    await screen.findByText('No response from server. Check your connection.')
    server.answer(uploadPhoto, () => processingPhoto(1))
    await person.click(await submit())
    expect(await screen.findByText('Photo uploaded successfully!')).toBeVisible()
  })

  test('that is not a photo is rejected without a request, by a note that is scrolled into view', async () => {
    const scrolled = vi.spyOn(HTMLElement.prototype, 'scrollIntoView')
    const { person } = await visit(server, { at: '/upload', token: server.addUser().token })
    const input = await picker()
    input.removeAttribute('accept')
    await person.upload(input, new File(['hello'], 'notes.txt', { type: 'text/plain' }))
    const note = await screen.findByText(/^This file is not a photo\./)
    expect(note).toBeVisible()
    expect(scrolled.mock.contexts.map((element) => element instanceof Element && element.contains(note))).toEqual([
      true,
    ])
  })

  test('opens the sign-in page when the session has ended', async () => {
    server.answer(uploadPhoto, () => processingPhoto(1))
    const { token } = server.addUser()
    const { person, where } = await visit(server, { at: '/upload', token })
    await person.upload(await picker(), image('cake.jpg'))
    server.revoke(token)
    await person.click(await submit())
    await waitFor(() => expect(where()).toBe('/login?return=%2Fupload'))
  })
})

describe('several files', () => {
  test('have a row each, and a failed one is retried alone', async () => {
    let calls = 0
    server.answer(uploadPhoto, ({ raw }) => {
      calls += 1
      if (raw.includes('two.jpg') && calls <= 3) return refuse(500, 'The disk is full.')
      return samplePhoto(raw.includes('one.jpg') ? 1 : raw.includes('two.jpg') ? 2 : 3)
    })
    server.answer(getPhoto, ({ params: { id } }) => samplePhoto(Number(id.slice(-1))))
    const { person } = await open(image('one.jpg'), image('two.jpg'), image('three.jpg'))
    expect(await screen.findByRole('heading', { name: '3 photos' })).toBeVisible()
    expect(await row('two.jpg').findByText('The disk is full.')).toBeVisible()
    expect(await row('one.jpg').findByRole('link', { name: 'one.jpg in the gallery' })).toHaveAttribute(
      'href',
      '/gallery?photo=photo1',
    )
    // The newest photo is the only one that the big screen shows.
    expect(await row('three.jpg').findByRole('link', { name: 'three.jpg on the big screen' })).toHaveAttribute(
      'href',
      '/latest',
    )
    expect(row('one.jpg').getByText(/ · Ready$/)).toBeVisible()
    expect(screen.getAllByText(/ · On the big screen$/)).toHaveLength(1)
    expect(rowNames()).toEqual(['two.jpg', 'one.jpg', 'three.jpg'])
    expect(row('one.jpg').getByAltText('QR code for one.jpg')).toBeVisible()
    await person.click(row('two.jpg').getByRole('button', { name: 'Retry two.jpg' }))
    expect(await row('two.jpg').findByAltText('QR code for two.jpg')).toBeVisible()
    expect(calls).toBe(4)
  })

  test('are counted down from what is left with no message about them; a failed one is given back', async () => {
    let photos = 0
    server.answer(subscriptionStatus, () => samplePlanStatus(photos))
    server.answer(uploadPhoto, () => processingPhoto(++photos))
    server.answer(getPhoto, ({ params: { id } }) => processingPhoto(Number(id.slice(-1))))
    const { person, connected } = await open()
    await connected()
    expect(await screen.findByText(/^10 of 10 photos left/)).toBeVisible()
    await person.upload(await picker(), [image('one.jpg'), image('two.jpg'), image('three.jpg')])
    expect(await screen.findByText(/^7 of 10 photos left/)).toBeVisible()
    photos -= 1
    act(() => server.push({ action: 'photo_update', photo: failedPhoto(2) }))
    expect(await screen.findByText(/^8 of 10 photos left/)).toBeVisible()
  })

  test('over the month wait with one sentence and one action, and go up by themselves when there is room', async () => {
    let photos = 10
    server.answer(subscriptionStatus, () => samplePlanStatus(photos))
    server.answer(uploadPhoto, ({ raw }) =>
      photos < 10
        ? samplePhoto(raw.includes('one.jpg') ? 1 : 2)
        : refuse(403, 'Your plan, Free, takes 10 photos a month.', 'quota_photos'),
    )
    server.answer(getPhoto, ({ params: { id } }) => samplePhoto(Number(id.slice(-1))))
    await open(image('one.jpg'), image('two.jpg'))
    expect(await row('one.jpg').findByText(/Over your plan’s limit/)).toBeVisible()
    expect(await row('two.jpg').findByText(/Over your plan’s limit/)).toBeVisible()
    expect(screen.getByText('2 over your plan’s limit')).toBeVisible()
    const [note, ...others] = await screen.findAllByText(/10 photos/)
    expect(others).toEqual([])
    expect(note).toHaveTextContent(
      'All 10 photos of this month are used. More photos wait in the upload list and upload automatically on December 1, 2026 or after an upgrade.',
    )
    expect(screen.getByRole('link', { name: 'See the plans' })).toHaveAttribute('href', '/#pricing')
    expect(screen.queryByRole('button', { name: /^Retry/ })).toBeNull()

    photos = 0
    await vi.waitFor(
      async () => {
        await act(async () => server.push({ action: 'photo_deleted', type: 'photo_deleted', id: 'other' }))
        expect(row('one.jpg').getByAltText('QR code for one.jpg')).toBeVisible()
        expect(row('two.jpg').getByAltText('QR code for two.jpg')).toBeVisible()
      },
      { timeout: waitLimitMs, interval: 200 },
    )
    expect(await screen.findByText('10 of 10 photos left until December 1, 2026.')).toBeVisible()
  })

  test('over the storage wait, too, and lead to the gallery', async () => {
    server.answer(subscriptionStatus, () => samplePlanStatus(3))
    server.answer(uploadPhoto, () => refuse(403, 'Your plan, Free, includes 1 GB.', 'quota_storage'))
    await open(image('one.jpg'), image('two.jpg'))
    expect(await screen.findByText(/^Your storage of 1 GB is full\./)).toBeVisible()
    expect(screen.getByRole('link', { name: 'Open the gallery' })).toHaveAttribute('href', '/gallery')
    expect(screen.queryByRole('button', { name: /^Retry/ })).toBeNull()
  })

  test('over the limit of uploads wait with the reason and the time; after a reload, the page names them until that is dismissed', async () => {
    const limited = { ...refuse(429, 'Rate limit exceeded', 'rate_limited'), headers: { 'retry-after': '120' } }
    server.answer(uploadPhoto, () => limited)
    const { token } = server.addUser()
    const first = await visit(server, { at: '/upload', token })
    await first.person.upload(await picker(), [image('one.jpg'), image('two.jpg')])
    expect(
      await screen.findByText(
        /^Waiting for 2 minutes: 600 photos in 10 minutes is the limit\. Goes on at \d+:\d+( [AP]M)?\.$/,
      ),
    ).toBeVisible()
    fireEvent(window, new Event('pagehide'))
    cleanup()
    const { person } = await visit(server, { at: '/upload', token })
    expect(await screen.findByText('2 photos were not sent: choose them again.')).toBeVisible()
    await person.click(screen.getByText('Show which'))
    expect(screen.getByText('one.jpg')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(screen.queryByText(/not sent/)).toBeNull()
  })

  test('that have no answer wait, and the page says that the device is offline', async () => {
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    server.answer(uploadPhoto, () => noResponse)
    await open(image('one.jpg'), image('two.jpg'))
    expect(await screen.findByText('You are offline. The upload goes on when the connection is back.')).toBeVisible()
    onLine.mockReturnValue(true)
    server.answer(uploadPhoto, ({ raw }) => samplePhoto(raw.includes('one.jpg') ? 1 : 2))
    server.answer(getPhoto, ({ params: { id } }) => samplePhoto(Number(id.slice(-1))))
    act(() => void fireEvent(window, new Event('online')))
    expect(await screen.findByText('2 done')).toBeVisible()
    expect(screen.queryByText(/You are offline/)).toBeNull()
  })

  test('that take long to process wait by themselves while the server has no time, and JPEGs do not', async () => {
    const busy = { ...refuse(429, 'Many are waiting.', 'processing_limit'), headers: { 'retry-after': '60' } }
    server.answer(uploadPhoto, ({ raw }) => (raw.includes('one.png') ? busy : samplePhoto(2)))
    server.answer(getPhoto, () => samplePhoto(2))
    await open(new File(['picture'], 'one.png', { type: 'image/png' }), image('two.jpg'))
    expect(
      await row('one.png').findByText(/^Many files that take long to process are ahead of this one\./),
    ).toBeVisible()
    expect(row('one.png').queryByRole('button', { name: /^Retry/ })).toBeNull()
    expect(await row('two.jpg').findByAltText('QR code for two.jpg')).toBeVisible()
  })
})

test('a file can be pasted, is shown before its upload, and can be removed', async () => {
  const { person } = await open()
  const clipboardData = { files: [image('cake.jpg')] }
  const paste = Object.assign(new Event('paste', { bubbles: true, cancelable: true }), { clipboardData })
  act(() => void document.dispatchEvent(paste))
  expect(await screen.findByAltText('Preview of cake.jpg')).toBeVisible()
  expect(screen.getByText('JPG, PNG, GIF up to 10MB')).toBeVisible()
  await person.click(screen.getByRole('button', { name: 'Remove cake.jpg' }))
  expect(await picker()).toBeInTheDocument()
  expect(server.calls.filter((call) => call.startsWith('POST /photos'))).toEqual([])
})

test('the page shows no maximum file size before the plan is known, then the one of the plan', async () => {
  const answer = Promise.withResolvers<ReturnType<typeof planStatusOf>>()
  server.answer(subscriptionStatus, () => answer.promise)
  await open()
  expect(screen.getByText(/JPG, PNG, GIF up to 10MB/)).toBeVisible()
  expect(screen.queryByText(/allows files up to/)).toBeNull()
  answer.resolve(planStatusOf('free'))
  expect(await screen.findByText('Your plan (Free) allows files up to 50 MB.')).toBeVisible()
})
