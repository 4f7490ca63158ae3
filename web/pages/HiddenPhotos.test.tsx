import { changePhoto, latestPhoto, listPhotos, type Photo } from '@keepsnap/contract/photos.ts'
import { listReports } from '@keepsnap/contract/reports.ts'
import { listPhotoRequests } from '@keepsnap/contract/requests.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { refuse, startFakeServer, type FakeServer } from '../test/fake-server.ts'
import { samplePhoto } from '../test/sample-photos.ts'
import { sampleReport } from '../test/sample-requests.ts'
import { visit, type Visit } from '../test/render.tsx'
import { waitLimitMs } from '../test/eventually.ts'

// Pages are loaded on demand; the first load is slow when many tests run at once.
beforeAll(() =>
  Promise.all([
    import('./GalleryPage.tsx'),
    import('./LatestPage.tsx'),
    import('./PhotoRequestsPage.tsx'),
    import('../features/photos/gallery/viewer/Viewer.tsx'),
  ]),
)

let server: FakeServer
let token: string
beforeEach(async () => {
  server = await startFakeServer()
  token = server.addUser().token
})
afterEach(() => server.close())

const serve = (...photos: Photo[]) => {
  server.answer(listPhotos, () => photos)
  server.answer(latestPhoto, () => photos[0] ?? samplePhoto(0))
}

/** The server changes photo 2 as it is asked to. */
function acceptChanges(...others: Photo[]): void {
  server.answer(changePhoto, ({ params: { id }, body: { hidden } }) => {
    const photos = [samplePhoto(2), ...others].map((photo) => (photo.id === id ? { ...photo, hidden } : photo))
    serve(...photos)
    return photos.find((photo) => photo.id === id)!
  })
}
const press = async (person: Visit['person'], name: string) => person.click(await screen.findByRole('button', { name }))

test('the viewer hides a photo, which closes its code, and shows it again; both can be undone', async () => {
  serve(samplePhoto(2), samplePhoto(1))
  acceptChanges(samplePhoto(1))
  const { person } = await visit(server, { at: '/gallery?photo=photo2', token })
  const viewer = within(await screen.findByRole('dialog', { name: 'IMG_4002.jpg' }))
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
  expect(server.calls.filter((call) => call === 'PUT /photos/photo2')).toHaveLength(4)
})

test('a photo that cannot be hidden stays, and a toast says so', async () => {
  serve(samplePhoto(2), samplePhoto(1))
  server.answer(changePhoto, () => refuse(500, 'no'))
  const { person } = await visit(server, { at: '/gallery?photo=photo2', token })
  await press(person, 'Hide from guests')
  expect(await screen.findByText('The photo couldn’t be hidden. Please try again.')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Hide from guests' })).toBeVisible()
})

test('the gallery hides the selected photos and shows them again', async () => {
  serve(samplePhoto(2), samplePhoto(1))
  const hiddenIds = new Set<string>()
  server.answer(changePhoto, ({ params: { id }, body: { hidden } }) => {
    if (hidden) hiddenIds.add(id)
    else hiddenIds.delete(id)
    return samplePhoto(Number(id.slice(-1)), { hidden })
  })
  const { person } = await visit(server, { at: '/gallery', token })
  await press(person, 'Select')
  for (const name of [/^Select IMG_4002/, /^Select IMG_4001/]) await person.click(screen.getByRole('button', { name }))
  await press(person, 'Hide')
  expect(await screen.findByText('2 photos hidden from guests.')).toBeVisible()
  expect(hiddenIds.size).toBe(2)
  await press(person, 'Show')
  expect(await screen.findByText('Guests can open 2 photos again.')).toBeVisible()
  expect(hiddenIds.size).toBe(0)
})

test('the big screen hides its photo, goes to the one before, and undoes it', async () => {
  serve(samplePhoto(2), samplePhoto(1))
  server.answer(changePhoto, ({ body: { hidden } }) => {
    const photo = samplePhoto(2, { hidden })
    server.answer(latestPhoto, () => (hidden ? samplePhoto(1) : photo))
    server.answer(listPhotos, () => [photo, samplePhoto(1)])
    return photo
  })
  const { person } = await visit(server, { at: '/latest', token })
  await screen.findByRole('img', { name: /^IMG_4002/ })
  await press(person, 'Hide from guests')
  expect(await screen.findByRole('img', { name: /^IMG_4001/ })).toBeVisible()
  await press(person, 'Undo')
  expect(await screen.findByRole('img', { name: /^IMG_4002/ })).toBeVisible()
})

test('the Latest page shows a message when the newest photos are all hidden', async () => {
  serve(samplePhoto(2, { hidden: true }), samplePhoto(1, { hidden: true }))
  await visit(server, { at: '/latest', token })
  expect(await screen.findByText('Your newest photos are hidden from guests.')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Open the gallery' })).toHaveAttribute('href', '/gallery')
})

describe('a photo that the operator hid', () => {
  const decided = { message: 'The <b>parents</b>\nasked us.', decided_at: '2026-11-14T22:00:00.000Z' } as const
  const hidden = (fields: Partial<typeof decided> | { message: null } = {}): Photo =>
    samplePhoto(2, { hidden: true, operator_decision: { ...decided, ...fields, decision: 'hide' } })

  test('says so with the reason and the way to support, and offers no button to show it', async () => {
    serve(hidden(), samplePhoto(1))
    await visit(server, { at: '/gallery?photo=photo2', token })
    const viewer = within(await screen.findByRole('dialog', { name: 'IMG_4002.jpg' }))
    expect(await viewer.findByText('Hidden by the operator')).toBeVisible()
    expect(viewer.getByText(/^The operator of this site hid this photo from guests on /)).toBeVisible()
    expect(viewer.getByText(/The <b>parents<\/b>/)).toBeVisible()
    expect(viewer.getByRole('link', { name: 'Contact support' })).toHaveAttribute('href', '/support')
    expect(viewer.queryByRole('button', { name: 'Show again' })).toBeNull()
    expect(viewer.getByRole('button', { name: 'Delete photo' })).toBeVisible()
    expect(viewer.queryByRole('img', { name: /QR code/ })).toBeNull()
  })

  test('has a sentence of ours without a message, and says when it was allowed again', async () => {
    serve(hidden({ message: null }), samplePhoto(1))
    await visit(server, { at: '/gallery?photo=photo2', token })
    expect(await screen.findByText('A guest reported it, and it was reviewed.')).toBeVisible()
    const shown = samplePhoto(2, { operator_decision: { ...decided, message: null, decision: 'show' } })
    serve(shown, samplePhoto(1))
    // The live connection may not be open at first.
    await vi.waitFor(
      async () => {
        await act(async () => server.push({ action: 'photo_update', photo: shown }))
        expect(screen.getByText(/^The operator of this site made it visible again on /)).toBeVisible()
      },
      { timeout: waitLimitMs, interval: 200 },
    )
    expect(screen.getByRole('button', { name: 'Hide from guests' })).toBeVisible()
    expect(screen.queryByText('Hidden by the operator')).toBeNull()
  })

  test('is marked in the gallery, where Show leaves it out', async () => {
    serve(hidden(), samplePhoto(1, { hidden: true }))
    const changed: string[] = []
    server.answer(changePhoto, ({ params: { id } }) => {
      changed.push(id)
      return samplePhoto(1)
    })
    const { person } = await visit(server, { at: '/gallery', token })
    expect(await screen.findByTitle('Hidden by the operator')).toBeVisible()
    await press(person, 'Select')
    await person.click(screen.getByRole('button', { name: /^Select IMG_4002.*by the operator of this site$/ }))
    expect(screen.getByRole('button', { name: 'Hide' })).toBeDisabled()
    await person.click(screen.getByRole('button', { name: /^Select IMG_4001/ }))
    await press(person, 'Show')
    expect(await screen.findByText('Guests can open the photo again.')).toBeVisible()
    expect(changed).toEqual(['photo1'])
  })

  test('has no action in the list of reported photos but the way to support', async () => {
    serve()
    server.answer(listPhotoRequests, () => ({ requests: [], total: 0, sent: 0, failed: 0 }))
    server.answer(listReports, () => ({
      reports: [sampleReport(1, { hidden: true, hidden_by_operator: true, open: false })],
    }))
    await visit(server, { at: '/photo-requests', token })
    expect(await screen.findByText('Hidden by the operator')).toBeInTheDocument()
    expect(screen.getByText('Contact support', { selector: 'a' })).toHaveAttribute('href', '/support')
    expect(screen.queryByText('Show again')).toBeNull()
  })
})
