import { signOut } from '@keepsnap/contract/accounts.ts'
import { deletePhoto, getPhoto, listPhotos, retryPhoto, type Photo } from '@keepsnap/contract/photos.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cachedPhoto } from '../features/photos/photo-cache.ts'
import { photoKeys } from '../features/photos/queries.ts'
import { refuse, startFakeServer, type FakeServer } from '../test/fake-server.ts'
import { failedPhoto, processingPhoto, samplePhoto } from '../test/sample-photos.ts'
import { rendered, visit } from '../test/render.tsx'

let server: FakeServer
beforeEach(async () => {
  server = await startFakeServer()
})
afterEach(() => server.close())

const threePhotos = [samplePhoto(3), samplePhoto(2), samplePhoto(1)]
const tile = (name: string | RegExp) => screen.findByRole('link', { name })
const shownIds = () =>
  Array.from(document.querySelectorAll('[data-photo]'), (element) => element.getAttribute('data-photo'))

async function open(photos: Photo[], at = '/gallery') {
  server.answer(listPhotos, () => photos)
  const { token } = server.addUser()
  const visitor = await visit(server, { at, token })
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
  test('shows the photos, newest first, and their number', async () => {
    await open(threePhotos)
    expect(await screen.findByText('3 photos, newest first')).toBeVisible()
    expect(shownIds()).toEqual(['photo3', 'photo2', 'photo1'])
  })

  test('links to the upload page when there are no photos', async () => {
    await open([])
    expect(await screen.findByText('No photos yet. Upload some photos to get started!')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Upload Photos' })).toHaveAttribute('href', '/upload')
  })

  test('shows a failure and loads again on request', async () => {
    const { token } = server.addUser()
    server.refuseLiveConnections()
    server.answer(listPhotos, () => refuse(500, 'English from the server'))
    const { person } = await visit(server, { at: '/gallery', token })
    expect(await screen.findByText('Failed to load photos. Please try again later.')).toBeVisible()
    const answer = Promise.withResolvers<Photo[]>()
    server.answer(listPhotos, () => answer.promise)
    const tryAgain = screen.getByRole('button', { name: 'Try Again' })
    await person.click(tryAgain)
    await waitFor(() => expect(tryAgain).toHaveAttribute('aria-busy', 'true'))
    expect(tryAgain).toHaveFocus()
    answer.resolve(threePhotos)
    expect(await screen.findByText('3 photos, newest first')).toBeVisible()
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

  test('stays until a sign-out is answered, also when its own call is refused first', async () => {
    const { person, state, where } = await open(threePhotos)
    const revoked = Promise.withResolvers<void>()
    const response = Promise.withResolvers<null>()
    server.answer(signOut, ({ token }) => {
      if (token !== null) server.revoke(token)
      revoked.resolve()
      return response.promise
    })
    await person.click(await screen.findByRole('button', { name: /^Account menu/ }))
    // The sign-out is given up after three seconds. These pass in steps, and a busy machine takes fewer of them.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    await person.click(screen.getByRole('button', { name: 'Sign out' }))
    await revoked.promise
    await act(() => state.queryClient.invalidateQueries({ queryKey: photoKeys.list }))
    await rendered()
    expect([where(), shownIds()]).toEqual(['/gallery', ['photo3', 'photo2', 'photo1']])
    response.resolve(null)
    await waitFor(() => expect(where()).toBe('/login'))
  })

  test('marks photos in processing and failed ones, which can be processed again', async () => {
    const { person } = await open([processingPhoto(2), failedPhoto(1)])
    expect(await tile('IMG_4002.jpg is being processed')).toBeVisible()
    expect(await tile('IMG_4001.jpg: processing failed')).toBeVisible()
    server.answer(retryPhoto, () => processingPhoto(1))
    await person.click(screen.getByRole('button', { name: 'Retry IMG_4001.jpg' }))
    expect(await tile('IMG_4001.jpg is being processed')).toBeVisible()
    expect(server.calls).toContain('POST /photos/photo1/retry')
  })

  test('keeps a photo that is ready before the response to its retry arrives', async () => {
    const { person, state } = await open([failedPhoto(1)])
    await tile('IMG_4001.jpg: processing failed')
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

describe('selecting photos', () => {
  test('deletes the selected photos after a confirmation, and keeps those that the server could not delete', async () => {
    const { person } = await open(threePhotos)
    server.answer(deletePhoto, ({ params: { id } }) => (id === 'photo1' ? refuse(500, 'no') : null))
    await person.click(await screen.findByRole('button', { name: 'Select' }))
    for (const name of [/^Select IMG_4003/, /^Select IMG_4001/])
      await person.click(screen.getByRole('button', { name }))
    expect(screen.getByText('2 selected')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Delete' }))
    const dialog = await screen.findByRole('alertdialog')
    expect(dialog).toHaveTextContent('Are you sure you want to delete these 2 photos? This action cannot be undone.')
    await person.click(within(dialog).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Failed to delete the photo. Please try again later.')).toBeVisible()
    await waitFor(() => expect(shownIds()).toEqual(['photo2', 'photo1']))
  })

  test('selects a range with the shift key', async () => {
    const { person } = await open(threePhotos)
    await person.click(await screen.findByRole('button', { name: 'Select' }))
    await person.click(screen.getByRole('button', { name: /^Select IMG_4003/ }))
    await person.keyboard('{Shift>}')
    await person.click(screen.getByRole('button', { name: /^Select IMG_4001/ }))
    await person.keyboard('{/Shift}')
    expect(screen.getByText('3 selected')).toBeVisible()
  })
})

describe('the viewer', () => {
  const viewer = () => screen.findByRole('dialog')

  test('opens from a tile, and shows the next photos with the keyboard and their positions', async () => {
    const { person, where } = await open(threePhotos)
    await person.click(await tile(/IMG_4003/))
    expect(await viewer()).toHaveAccessibleName('IMG_4003.jpg')
    await waitFor(() => expect(where()).toBe('/gallery?photo=photo3'))
    expect(screen.getByRole('button', { name: 'Close' })).toHaveFocus()
    await person.keyboard('{ArrowRight}')
    expect(await screen.findByText('Photo 2 of 3')).toBeVisible()
    await person.keyboard('{End}')
    expect(await screen.findByText('Photo 3 of 3')).toBeVisible()
    await person.keyboard('{Home}')
    expect(await screen.findByText('Photo 1 of 3')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Next photo' }))
    await waitFor(() => expect(where()).toBe('/gallery?photo=photo2'))
  })

  test('shows the QR code, the date and both downloads of its photo', async () => {
    await open(threePhotos, '/gallery?photo=photo2')
    const dialog = within(await viewer())
    expect(dialog.getByAltText('QR code for IMG_4002.jpg')).toHaveAttribute('src', expect.stringMatching(/\.svg$/))
    expect(dialog.getByRole('link', { name: 'download photo' })).toHaveAttribute(
      'href',
      `${server.origin}/media/photo2?s=signed&download=1`,
    )
    expect(dialog.getByRole('link', { name: 'download QR' })).toHaveAttribute('download', 'IMG_4002-code.png')
    expect(dialog.getByText(/2026/)).toHaveAttribute('datetime', threePhotos[1]!.created_at)
  })

  test('returns to the gallery when it is closed', async () => {
    const { person, where } = await open(threePhotos)
    await person.click(await tile(/IMG_4003/))
    await viewer()
    await person.keyboard('{ArrowRight}')
    await screen.findByText('Photo 2 of 3')
    await person.click(screen.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(where()).toBe('/gallery'))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('closed twice in a moment returns to the gallery, not to the page before it', async () => {
    server.answer(listPhotos, () => threePhotos)
    const { token } = server.addUser()
    const { person, where } = await visit(server, { at: ['/profile', '/gallery'], token })
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

  test('deletes a photo after a confirmation, and shows the next one', async () => {
    const { person } = await open(threePhotos, '/gallery?photo=photo2')
    server.answer(deletePhoto, () => null)
    await viewer()
    await person.click(screen.getByRole('button', { name: 'Delete photo' }))
    const sure = await screen.findByRole('alertdialog', { name: 'Delete photo' })
    expect(sure).toHaveTextContent('Are you sure you want to delete this photo? This action cannot be undone.')
    await person.click(within(sure).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByRole('dialog', { name: 'IMG_4001.jpg' })).toBeVisible()
    expect(screen.getByText('Photo 2 of 2')).toBeVisible()
  })

  test('keeps a photo that could not be deleted, with a message', async () => {
    const { person } = await open(threePhotos, '/gallery?photo=photo2')
    server.answer(deletePhoto, () => refuse(500, 'no'))
    await viewer()
    await person.click(screen.getByRole('button', { name: 'Delete photo' }))
    const sure = await screen.findByRole('alertdialog', { name: 'Delete photo' })
    await person.click(within(sure).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Failed to delete the photo. Please try again later.')).toBeVisible()
    expect(screen.getByRole('dialog', { name: 'IMG_4002.jpg' })).toBeVisible()
  })

  test('shows why a photo failed, and that another is in processing', async () => {
    const { person } = await open(
      [processingPhoto(2), failedPhoto(1, { error_message: 'This photo is damaged.' })],
      '/gallery?photo=photo2',
    )
    expect(await within(await viewer()).findByText('Processing your photo')).toBeVisible()
    expect(screen.queryByRole('link', { name: 'download photo' })).toBeNull()
    await person.keyboard('{ArrowRight}')
    expect(await screen.findByText('This photo is damaged.')).toBeVisible()
    expect(screen.getByText(/Please try uploading again/)).toBeVisible()
  })

  test('shows one sentence about a damaged photo, and no Retry that cannot help', async () => {
    const [damaged, other] = [
      failedPhoto(1, { error_message: 'This photo is damaged.', can_retry: false }),
      failedPhoto(2, { error_message: 'It took too long.' }),
    ]
    await open([other, damaged], '/gallery?photo=photo1')
    const sentence = await screen.findByText('This photo is damaged.')
    expect(sentence.parentElement).toHaveTextContent(/^Processing failedThis photo is damaged\.$/)
    const retries = document.querySelectorAll('.photo-tile__retry')
    expect(Array.from(retries, (button) => button.getAttribute('aria-label'))).toEqual([`Retry ${other.filename}`])
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
