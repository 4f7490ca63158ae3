import {
  type BulkOutcome,
  changePhoto,
  changePhotos,
  deletePhoto,
  getPhoto,
  listPhotos,
  type Photo,
  photoChanges,
  photoDays,
  retryPhoto,
} from '@keepsnap/contract/photos.ts'
import type { User } from '@keepsnap/contract/accounts.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { cachedPhoto } from './photo-cache.ts'
import { linkOfCode } from './photo-state.ts'
import { refuse, useFakeServer } from '../../test/fake-server.ts'
import { failedPhoto, processingPhoto, samplePhoto } from '../../test/samples.ts'
import { rendered, visit, type Visit } from '../../test/render.tsx'

const server = useFakeServer()

const threePhotos = [samplePhoto(3), samplePhoto(2), samplePhoto(1)]
const tile = (name: string | RegExp) => screen.findByRole('link', { name })
const shownIds = () =>
  Array.from(document.querySelectorAll('[data-photo]'), (element) => element.getAttribute('data-photo'))

async function open(photos: Photo[], at = '/gallery') {
  server.answer(listPhotos, () => photos)
  const visitor = await visit(server, { at, token: server.addUser().token })
  // Its first refetch would replace what a test changes only in the page.
  await visitor.connected()
  return visitor
}

/** Serves a list of two pages, the second of which fails until the returned function is called. */
function serveWithFailingRest(): () => void {
  let isDown = true
  server.answer(listPhotos, ({ query: { before } }) => {
    if (before === undefined) return { refuse: 200, body: [samplePhoto(2)], headers: { 'x-next-before': 'photo2' } }
    return isDown ? refuse(500, 'x') : [samplePhoto(1)]
  })
  server.refuseLiveConnections()
  return () => (isDown = false)
}

describe('the gallery', () => {
  test('links to the upload page when there are no photos', async () => {
    await open([])
    expect(await screen.findByText('No photos yet. Upload some photos to get started!')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Upload Photos' })).toHaveAttribute('href', '/upload')
  })

  test('shows a failure, and on request the photos, newest first, and their number', async () => {
    server.refuseLiveConnections()
    server.answer(listPhotos, () => refuse(500, 'English from the server'))
    const { person } = await visit(server, { at: '/gallery', token: server.addUser().token })
    expect(await screen.findByText('Failed to load photos. Please try again later.')).toBeVisible()
    const answer = Promise.withResolvers<Photo[]>()
    server.answer(listPhotos, () => answer.promise)
    const tryAgain = screen.getByRole('button', { name: 'Try Again' })
    await person.click(tryAgain)
    await waitFor(() => expect(tryAgain).toHaveAttribute('aria-busy', 'true'))
    expect(tryAgain).toHaveFocus()
    answer.resolve(threePhotos)
    expect(await screen.findByText('3 photos, newest first')).toBeVisible()
    expect(shownIds()).toEqual(['photo3', 'photo2', 'photo1'])
  })

  test('sends a visitor who is not signed in to the sign-in page, with the way back', async () => {
    server.answer(listPhotos, () => threePhotos)
    const { where } = await visit(server, { at: '/gallery' })
    await waitFor(() => expect(where()).toBe('/login?return=%2Fgallery'))
  })

  test('asks for more photos once, and after a failure on request', async () => {
    const restore = serveWithFailingRest()
    const { person, state } = await visit(server, { at: '/gallery', token: server.addUser().token })
    expect(await screen.findByText('Failed to load photos. Please try again later.')).toBeVisible()
    await rendered()
    await waitFor(() => expect(state.queryClient.isFetching()).toBe(0))
    expect(server.calls.filter((call) => call.includes('before=photo2'))).toHaveLength(1)
    expect(shownIds()).toEqual(['photo2'])
    restore()
    await person.click(screen.getByRole('button', { name: 'Try Again' }))
    await waitFor(() => expect(shownIds()).toEqual(['photo2', 'photo1']))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('marks photos in processing and failed ones, which can be processed again', async () => {
    const { thumbhash } = samplePhoto(1)
    const { person } = await open([processingPhoto(2, { thumbhash }), failedPhoto(1, { thumbhash })])
    expect((await tile('IMG_4002.jpg is being processed')).style.backgroundImage).not.toBe('')
    const failed = await tile('Processing failed: IMG_4001.jpg')
    expect(failed).toHaveTextContent('Processing failed IMG_4001.jpg')
    expect(failed.style.backgroundImage).toBe('') // the text has a plain ground
    server.answer(retryPhoto, () => processingPhoto(1))
    await person.click(screen.getByRole('button', { name: 'Retry IMG_4001.jpg' }))
    expect(await tile('IMG_4001.jpg is being processed')).toBeVisible()
    expect(server.calls).toContain('POST /photos/photo1/retry')
  })

  test('keeps a photo that is ready before the response to its retry arrives', async () => {
    const { person, state } = await open([failedPhoto(1)])
    await tile('Processing failed: IMG_4001.jpg')
    let respond = (): void => {}
    server.answer(retryPhoto, async () => {
      await new Promise<void>((resolve) => {
        respond = resolve
      })
      return processingPhoto(1)
    })
    await person.click(screen.getByRole('button', { name: 'Retry IMG_4001.jpg' }))
    await waitFor(() => expect(server.calls).toContain('POST /photos/photo1/retry'))
    await waitFor(() => {
      act(() => server.push({ action: 'photo_update', photo: samplePhoto(1) }))
      expect(screen.getByRole('link', { name: /^IMG_4001\.jpg, / })).toBeVisible()
    })
    respond()
    await waitFor(() => expect(state.queryClient.isMutating()).toBe(0))
    expect(cachedPhoto(state.queryClient, 'photo1')).toEqual(samplePhoto(1))
  })

  test('shows a new photo first, with a toast when it can be seen', async () => {
    await open(threePhotos)
    await tile(/IMG_4003/)
    await waitFor(() => expect(server.calls.some((call) => call.startsWith('GET /photos?'))).toBe(true))
    await waitFor(() => {
      act(() => server.push({ action: 'new_photo', type: 'photo_added', photo: processingPhoto(4) }))
      expect(shownIds()[0]).toBe('photo4')
    })
    expect(screen.queryByText('New photo received!')).toBeNull()
    act(() => server.push({ action: 'photo_update', photo: samplePhoto(4) }))
    expect(await screen.findByText('New photo received!')).toBeVisible()
  })
})

describe('finding photos', () => {
  const listCalls = () => server.calls.filter((call) => call.startsWith('GET /photos?'))
  const days = [
    { day: '2026-11-14', count: 250 },
    { day: '2026-10-31', count: 1 },
  ]
  const october = samplePhoto(1, { filename: 'halloween.jpg', created_at: '2026-10-31T21:00:00.000Z' })
  test('of an evening, without those between, which come before it', async () => {
    server.answer(photoDays, () => ({ days, next: null, time_zone: 'UTC' }))
    server.answer(listPhotos, ({ query: { from, after } }) => {
      if (from !== undefined) return { refuse: 200, body: [october], headers: { 'x-next-after': 'photo1' } }
      return after === undefined ? [samplePhoto(3)] : [samplePhoto(2)]
    })
    const { person } = await visit(server, { at: '/gallery', token: server.addUser({ photo_count: 251 }).token })
    await person.click((await screen.findAllByRole('button', { name: 'Go to date' }))[0]!)
    const dialog = within(await screen.findByRole('dialog', { name: 'Go to date' }))
    expect(await dialog.findByRole('heading', { name: 'November 2026 250' })).toBeVisible()
    await person.click(dialog.getByRole('button', { name: 'Saturday, October 31 1' }))
    await waitFor(() => expect(shownIds()).toEqual(['photo2', 'photo1']))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(listCalls().slice(1)).toEqual([
      'GET /photos?limit=120&from=2026-10-31',
      'GET /photos?limit=200&after=photo1',
    ])
  })

  test('by their file names, with a sentence when there are none', async () => {
    server.answer(listPhotos, ({ query: { name } }) =>
      name === undefined ? [samplePhoto(3), october] : name === 'hallo' ? [october] : [],
    )
    const { person } = await visit(server, { at: '/gallery', token: server.addUser().token })
    const field = await screen.findByRole('textbox', { name: 'Search by file name' })
    await person.type(field, 'hallo')
    expect(await screen.findByText('1 photo found')).toBeVisible()
    expect(shownIds()).toEqual(['photo1'])
    await person.type(field, 'x')
    expect(await screen.findByText('No file name contains “hallox”.')).toBeVisible()
    expect(listCalls().slice(1)).toEqual(['GET /photos?limit=200&name=hallo', 'GET /photos?limit=200&name=hallox'])
    await person.click(screen.getAllByRole('button', { name: 'Clear search' })[0]!)
    await waitFor(() => expect(shownIds()).toEqual(['photo3', 'photo1']))
    expect(field).toHaveValue('')
  })

  test.each([
    ['reads only what has changed', false, 1],
    ['reads the page in view again when the server cannot say what has changed', true, 2],
  ])('after a lost connection %s', async (_, reset, calls) => {
    const { state } = await open(threePhotos)
    await tile(/IMG_4003/)
    server.answer(listPhotos, () => [samplePhoto(4), samplePhoto(2)])
    server.answer(photoChanges, () => ({ photos: [samplePhoto(4)], deleted: ['photo3', 'photo1'], next: '2', reset }))
    await act(() => state.queryClient.invalidateQueries({ queryKey: ['photos', 'changes'] }))
    await waitFor(() => expect(shownIds()).toEqual(['photo4', 'photo2']))
    expect(listCalls()).toHaveLength(calls)
  })
})

describe('selecting photos', () => {
  /** The server answers calls for many photos so, and lists only the others from then on. */
  function serveBulk(photos: Photo[], outcomeOf: (id: string) => BulkOutcome, wait = Promise.resolve()) {
    server.answer(changePhotos, async ({ body: { ids } }) => {
      const results = ids.map((id) => ({ id, outcome: outcomeOf(id) }))
      const left = photos.filter(({ id }) => !results.some((result) => result.id === id && result.outcome === 'done'))
      server.answer(listPhotos, () => left)
      await wait
      return { results, photo_count: left.length }
    })
  }
  const deleteButton = () => within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Delete' })

  test('selects a range with the shift key, and deletes what is selected but what the server could not delete', async () => {
    const { person } = await open(threePhotos)
    const outcomes: Record<string, BulkOutcome> = { photo1: 'failed', photo3: 'done' }
    serveBulk(threePhotos, (id) => outcomes[id]!)
    await person.click(await screen.findByRole('button', { name: 'Select' }))
    await person.click(screen.getByRole('button', { name: /^Select IMG_4003/ }))
    await person.keyboard('{Shift>}')
    await person.click(screen.getByRole('button', { name: /^Select IMG_4001/ }))
    await person.keyboard('{/Shift}')
    expect(await screen.findByText('3 selected')).toBeVisible()
    await person.click(screen.getByRole('button', { name: /IMG_4002/ }))
    expect(screen.getByText('2 selected')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByRole('alertdialog')).toHaveTextContent(
      'Are you sure you want to delete these 2 photos? This action cannot be undone.',
    )
    await person.click(deleteButton())
    expect(await screen.findByText('Failed to delete the photo. Please try again later.')).toBeVisible()
    const dialog = screen.getByRole('alertdialog', { name: 'Not all photos were deleted' })
    expect(dialog).toHaveTextContent('1 photo was deleted. 1 is left and stays selected.')
    await waitFor(() => expect(shownIds()).toEqual(['photo2', 'photo1']))
    await person.click(within(dialog).getByRole('button', { name: 'Close' }))
    expect(screen.getByText('1 selected')).toBeVisible()
    outcomes['photo1'] = 'not found'
    await person.click(screen.getByRole('button', { name: 'Delete' }))
    await person.click(deleteButton())
    expect(await screen.findByText('1 photo was deleted.')).toBeVisible()
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  test('selects a whole evening, also photos that are not loaded, and deselects it', async () => {
    server.answer(listPhotos, ({ query: { on, before } }) => {
      if (before !== undefined) return on === undefined ? refuse(500, 'no') : [samplePhoto(1)]
      const [body, next] =
        on === undefined ? [[samplePhoto(3)], 'photo3'] : [[samplePhoto(3), samplePhoto(2)], 'photo2']
      return { refuse: 200, body, headers: { 'x-next-before': next } }
    })
    const { person } = await visit(server, { at: '/gallery', token: server.addUser().token })
    const evening = await screen.findByRole('button', { name: /^Select all photos of / })
    await person.click(evening)
    expect(await screen.findByText('3 selected')).toBeVisible()
    expect(evening).toHaveAttribute('aria-pressed', 'true')
    await person.click(evening)
    expect(screen.getByText('Choose photos to download, hide or delete.')).toBeVisible()
    server.answer(listPhotos, () => refuse(500, 'no'))
    await person.click(evening)
    expect(await screen.findByText('Failed to load the photos of this evening. Please try again.')).toBeVisible()
  })

  test('begins and extends a range with Shift and the arrow keys, where the focus is', async () => {
    const { person } = await open(threePhotos)
    act(() => (document.querySelector('[data-photo="photo3"]') as HTMLElement).focus())
    await person.keyboard('{Shift>}{ArrowRight}{/Shift}')
    expect(await screen.findByText('2 selected')).toBeVisible()
    await waitFor(() => expect(screen.getByRole('button', { name: /^Select IMG_4002/ })).toHaveFocus())
    await person.keyboard('{Shift>}{ArrowRight}{/Shift}')
    expect(await screen.findByText('3 selected')).toBeVisible()
    await waitFor(() => expect(screen.getByRole('button', { name: /^Select IMG_4001/ })).toHaveFocus())
    await person.keyboard('{Shift>}{ArrowLeft}{/Shift}')
    expect(await screen.findByText('2 selected')).toBeVisible()
  })

  test('a deletion says how far it is, and can be stopped by Escape: what is left stays selected', async () => {
    const photos = Array.from({ length: 15 }, (_, index) => samplePhoto(15 - index))
    const { person, state } = await open(photos)
    const call = Promise.withResolvers<void>()
    serveBulk(photos, () => 'done', call.promise)
    await person.keyboard('{Control>}')
    await person.click(await tile(/^IMG_4015/))
    await person.keyboard('{/Control}{Shift>}')
    await person.click(screen.getByRole('button', { name: /^Select IMG_4004/ }))
    await person.keyboard('{/Shift}')
    await person.click(screen.getByRole('button', { name: 'Delete' }))
    const cancel = () => fireEvent(screen.getByRole('alertdialog'), new Event('cancel', { cancelable: true }))
    act(() => void cancel())
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(server.calls.filter((each) => each.startsWith('POST /photos/bulk'))).toEqual([])
    const asksBeforeLeaving = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
    await person.click(screen.getByRole('button', { name: 'Delete' }))
    expect(asksBeforeLeaving()).toBe(false)
    await person.click(deleteButton())
    expect(await screen.findByRole('alertdialog', { name: 'Deleting 0 of 12' })).toBeVisible()
    expect(asksBeforeLeaving()).toBe(true)
    act(() => void cancel())
    expect(screen.getByRole('button', { name: 'Stopping…' })).toHaveAttribute('aria-busy', 'true')
    call.resolve()
    const dialog = await screen.findByRole('alertdialog', { name: 'Deletion stopped' })
    expect(dialog).toHaveTextContent('10 photos were deleted. 2 are left and stay selected.')
    expect(asksBeforeLeaving()).toBe(false)
    act(() => void cancel())
    expect(screen.getByText('2 selected')).toBeVisible()
    await waitFor(() => expect(shownIds()).toHaveLength(5))
    expect(state.queryClient.getQueryData<User>(['user', 'me'])?.photo_count).toBe(5)
  })

  test('a deletion stops when the page is left, and a message says what it has done', async () => {
    const photos = Array.from({ length: 12 }, (_, index) => samplePhoto(12 - index))
    server.answer(listPhotos, () => photos)
    const { person, where } = await visit(server, { at: '/gallery', token: server.addUser().token })
    const call = Promise.withResolvers<void>()
    serveBulk(photos, () => 'done', call.promise)
    await person.keyboard('{Shift>}')
    await person.click(await tile(/^IMG_4012/))
    await person.click(screen.getByRole('button', { name: /^Select IMG_4001/ }))
    await person.keyboard('{/Shift}')
    await person.click(screen.getByRole('button', { name: 'Delete' }))
    await person.click(deleteButton())
    await screen.findByRole('alertdialog', { name: 'Deleting 0 of 12' })
    await person.click(screen.getByRole('link', { name: 'Upload Photos', hidden: true }))
    await waitFor(() => expect(where()).toBe('/upload'))
    call.resolve()
    expect(await screen.findByText(/^Deletion stopped\. 10 photos were deleted\./)).toBeVisible()
    expect(server.calls.filter((each) => each === 'POST /photos/bulk')).toHaveLength(1)
  })
})

describe('the viewer', () => {
  const viewer = () => screen.findByRole('dialog')

  test('opens from a tile, shows the next photos with the keyboard, with code, date and downloads, and returns to the gallery', async () => {
    const { person, where } = await open(threePhotos)
    await person.click(await tile(/IMG_4003/))
    expect(await viewer()).toHaveAccessibleName('IMG_4003.jpg')
    await waitFor(() => expect(where()).toBe('/gallery?photo=photo3'))
    expect(screen.getByRole('button', { name: 'Close' })).toHaveFocus()
    await person.keyboard('{ArrowRight}')
    expect(await screen.findByText('Photo 2 of 3')).toBeVisible()
    await person.keyboard('{End}')
    expect(await screen.findByText('Photo 3 of 3')).toBeVisible()
    await person.keyboard('{ArrowLeft}')
    expect(await screen.findByText('Photo 2 of 3')).toBeVisible()
    await person.keyboard('{Home}')
    expect(await screen.findByText('Photo 1 of 3')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Next photo' }))
    await waitFor(() => expect(where()).toBe('/gallery?photo=photo2'))
    const dialog = within(await viewer())
    expect(dialog.getByAltText('QR code for IMG_4002.jpg')).toHaveAttribute('src', expect.stringMatching(/\.svg$/))
    const download = dialog.getByRole('link', { name: 'download photo' })
    expect(download).toHaveAttribute('href', `${server.origin}/media/photo2?s=signed&download=1`)
    expect(dialog.getByRole('link', { name: 'download QR' })).toHaveAttribute('download', 'IMG_4002-code.png')
    expect(dialog.getByRole('link', { name: 'print card' })).toHaveAttribute('href', '/print?photo=photo2')
    await person.click(dialog.getByRole('button', { name: 'Copy link' }))
    expect(await navigator.clipboard.readText()).toBe(linkOfCode(threePhotos[1]!.qr_code_url))
    expect(dialog.getByText(/2026/)).toHaveAttribute('datetime', threePhotos[1]!.created_at)
    await person.click(screen.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(where()).toBe('/gallery'))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('closed twice in a moment returns to the gallery, not to the page before it', async () => {
    server.answer(listPhotos, () => threePhotos)
    const { person, where } = await visit(server, { at: ['/profile', '/gallery'], token: server.addUser().token })
    for (let times = 0; times < 2; times++) {
      await person.click(await tile(/IMG_4003/))
      const dialog = await viewer()
      act(() => {
        fireEvent(dialog, new Event('cancel', { cancelable: true }))
        fireEvent(dialog, new Event('cancel', { cancelable: true }))
      })
      await waitFor(() => expect(where()).toBe('/gallery'))
      expect(screen.queryByRole('dialog')).toBeNull()
    }
  })

  test('loads more photos with Next after that failed', async () => {
    const restore = serveWithFailingRest()
    const at = '/gallery?photo=photo2'
    const { person, state } = await visit(server, { at, token: server.addUser().token })
    await viewer()
    await screen.findByText('Failed to load photos. Please try again later.')
    restore()
    await person.click(screen.getByRole('button', { name: 'Next photo' }))
    await waitFor(() => expect(state.queryClient.isFetching()).toBe(0))
    await person.click(screen.getByRole('button', { name: 'Next photo' }))
    expect(await screen.findByRole('dialog', { name: 'IMG_4001.jpg' })).toBeVisible()
  })

  test('deletes a photo after a confirmation, and shows the next one, else the one before; a failure is told', async () => {
    const { person, where } = await open(threePhotos, '/gallery?photo=photo2')
    server.answer(deletePhoto, () => refuse(500, 'no'))
    await viewer()
    const remove = async () => {
      await person.click(screen.getByRole('button', { name: 'Delete photo' }))
      const sure = await screen.findByRole('alertdialog', { name: 'Delete photo' })
      expect(sure).toHaveTextContent('Are you sure you want to delete this photo? This action cannot be undone.')
      await person.click(within(sure).getByRole('button', { name: 'Delete' }))
    }
    await remove()
    expect(await screen.findByText('Failed to delete the photo. Please try again later.')).toBeVisible()
    expect(screen.getByRole('dialog', { name: 'IMG_4002.jpg' })).toBeVisible()
    server.answer(deletePhoto, () => null)
    await remove()
    expect(await screen.findByRole('dialog', { name: 'IMG_4001.jpg' })).toBeVisible()
    expect(screen.getByText('Photo 2 of 2')).toBeVisible()
    await remove()
    expect(await screen.findByRole('dialog', { name: 'IMG_4003.jpg' })).toBeVisible()
    await remove()
    await waitFor(() => expect(where()).toBe('/gallery'))
  })

  test('shows that a photo is in processing, or why it failed, and Retry only where it can help', async () => {
    const damaged = failedPhoto(1, { error_message: 'This photo is damaged.', can_retry: false })
    const photos = [processingPhoto(3), failedPhoto(2, { error_message: 'It took too long.' }), damaged]
    const { person } = await open(photos, '/gallery?photo=photo3')
    expect(await within(await viewer()).findByText('Processing your photo')).toBeVisible()
    expect(screen.queryByRole('link', { name: 'download photo' })).toBeNull()
    await person.keyboard('{ArrowRight}')
    expect(await screen.findByText('It took too long.')).toBeVisible()
    expect(screen.getByText(/Please try uploading again/)).toBeVisible()
    await person.keyboard('{ArrowRight}')
    const sentence = await screen.findByText('This photo is damaged.')
    expect(sentence.parentElement).toHaveTextContent(/^Processing failedThis photo is damaged\.$/)
    const retries = document.querySelectorAll('.photo-tile__retry')
    expect(Array.from(retries, (button) => button.getAttribute('aria-label'))).toEqual(['Retry IMG_4002.jpg'])
  })

  test.each([
    ['was deleted', 404, 'This photo no longer exists.'],
    ['cannot be loaded', 500, 'This photo couldn’t be loaded.'],
  ])('shows a message when the photo of its URL %s', async (_, status, sentence) => {
    server.answer(getPhoto, () => refuse(status, 'English from the server'))
    await open(threePhotos, '/gallery?photo=photo9')
    expect(await within(await viewer()).findByText(sentence)).toBeVisible()
  })
})

describe('hiding', () => {
  /** The server changes these photos as it is asked to. */
  function acceptChanges(photos: Photo[]): void {
    server.answer(changePhoto, ({ params: { id }, body: { hidden } }) => {
      const changed = photos.map((photo) => (photo.id === id ? { ...photo, hidden } : photo))
      server.answer(listPhotos, () => changed)
      acceptChanges(changed)
      return changed.find((photo) => photo.id === id)!
    })
  }
  const press = async (person: Visit['person'], name: string | RegExp) =>
    person.click(await screen.findByRole('button', { name }))

  test('in the viewer closes the code of the photo; both can be undone, and a failure is told', async () => {
    const { person } = await open(threePhotos, '/gallery?photo=photo2')
    const viewer = within(await screen.findByRole('dialog', { name: 'IMG_4002.jpg' }))
    server.answer(changePhoto, () => refuse(500, 'no'))
    await press(person, 'Hide from guests')
    expect(await screen.findByText('The photo couldn’t be hidden. Please try again.')).toBeVisible()
    acceptChanges(threePhotos)
    await press(person, 'Hide from guests')
    expect(await viewer.findByText('Hidden from guests')).toBeVisible()
    expect(viewer.queryByRole('img', { name: /QR code/ })).toBeNull()
    // In the dialog: the page behind it cannot be pressed.
    expect(await viewer.findByText('Photo hidden from guests.')).toBeVisible()
    await person.click(viewer.getByRole('button', { name: 'Undo' }))
    expect(await viewer.findByRole('img', { name: 'QR code for IMG_4002.jpg' })).toBeInTheDocument()
    expect(await viewer.findByText('Guests can open the photo again.')).toBeVisible()
    expect(viewer.queryByRole('button', { name: 'Undo' })).toBeNull()
    await press(person, 'Hide from guests')
    await press(person, 'Show again')
    await waitFor(() => expect(viewer.queryByText('Hidden from guests')).toBeNull())
    expect(server.calls.filter((call) => call === 'PUT /photos/photo2')).toHaveLength(5)
  })

  test('the selected photos of the gallery, which can be undone, and says which could not be changed', async () => {
    const outcomes: Record<string, BulkOutcome> = { photo1: 'done', photo2: 'done', photo3: 'unchanged' }
    const asked: string[] = []
    server.answer(changePhotos, ({ body: { action, ids } }) => {
      asked.push(`${action} ${ids.join(' ')}`)
      return { results: ids.map((id) => ({ id, outcome: outcomes[id]! })), photo_count: 3 }
    })
    const { person } = await open(threePhotos)
    await press(person, 'Select')
    for (const name of [/^Select IMG_4003/, /^Select IMG_4002/, /^Select IMG_4001/]) await press(person, name)
    await press(person, 'Hide')
    expect(await screen.findByText('3 photos hidden from guests.')).toBeVisible()
    expect(screen.getAllByTitle('Hidden from guests')).toHaveLength(3)
    await press(person, 'Undo')
    expect(await screen.findByText('Guests can open 2 photos again.')).toBeVisible()
    expect(screen.getAllByTitle('Hidden from guests')).toHaveLength(1)
    Object.assign(outcomes, { photo1: 'refused', photo2: 'not found' })
    await press(person, 'Hide')
    expect(await screen.findByText('The operator of this site has hidden the photo, so it stays hidden.')).toBeVisible()
    expect(screen.getByText('The photo no longer exists.')).toBeVisible()
    await waitFor(() => expect(shownIds()).toEqual(['photo3', 'photo1']))
    expect(asked).toEqual(['hide photo3 photo2 photo1', 'show photo2 photo1', 'hide photo2 photo1'])
  })
})

describe('a photo that the operator hid', () => {
  const decided = { message: 'The <b>parents</b>\nasked us.', decided_at: '2026-11-14T22:00:00.000Z' } as const
  const hidden = (fields: { message?: null } = {}): Photo =>
    samplePhoto(2, { hidden: true, operator_decision: { ...decided, ...fields, decision: 'hide' } })

  test('says so with the reason and the way to support, and offers no button to show it', async () => {
    await open([hidden(), samplePhoto(1)], '/gallery?photo=photo2')
    const viewer = within(await screen.findByRole('dialog', { name: 'IMG_4002.jpg' }))
    const [label, slide] = await viewer.findAllByText('Hidden by the operator')
    expect(label).toBeVisible()
    expect(slide).toBeVisible()
    expect(viewer.getByText(/^The operator of this site hid this photo from guests on /)).toBeVisible()
    expect(viewer.getByText(/The <b>parents<\/b>/)).toBeVisible()
    expect(viewer.getByRole('link', { name: 'Contact support' })).toHaveAttribute('href', '/support')
    expect(viewer.queryByRole('button', { name: 'Show again' })).toBeNull()
    expect(viewer.getByRole('button', { name: 'Delete photo' })).toBeVisible()
    expect(viewer.queryByRole('img', { name: /QR code/ })).toBeNull()
    // A sentence of ours without a message, and when it was allowed again.
    act(() => server.push({ action: 'photo_update', photo: hidden({ message: null }) }))
    expect(await screen.findByText('A guest reported it, and it was reviewed.')).toBeVisible()
    const shown = samplePhoto(2, { operator_decision: { ...decided, message: null, decision: 'show' } })
    act(() => server.push({ action: 'photo_update', photo: shown }))
    expect(await screen.findByText(/^The operator of this site made it visible again on /)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Hide from guests' })).toBeVisible()
    expect(screen.queryByText('Hidden by the operator')).toBeNull()
  })

  test('is marked in the gallery, where Show leaves it out', async () => {
    const changed: string[] = []
    server.answer(changePhoto, ({ params: { id } }) => {
      changed.push(id)
      return samplePhoto(1)
    })
    const { person } = await open([hidden(), samplePhoto(1, { hidden: true })])
    expect(await screen.findByTitle('Hidden by the operator')).toBeVisible()
    await person.click(await screen.findByRole('button', { name: 'Select' }))
    await person.click(screen.getByRole('button', { name: /^Select IMG_4002.*by the operator of this site$/ }))
    expect(screen.getByRole('button', { name: 'Hide' })).toBeDisabled()
    await person.click(screen.getByRole('button', { name: /^Select IMG_4001/ }))
    await person.click(screen.getByRole('button', { name: 'Show' }))
    expect(await screen.findByText('Guests can open the photo again.')).toBeVisible()
    expect(changed).toEqual(['photo1'])
  })
})
