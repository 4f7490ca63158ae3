import { latestPhoto, listPhotos, type Photo } from '@keepsnap/contract/photos.ts'
import { decideReport } from '@keepsnap/contract/reports.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startFakeServer, type FakeServer } from '../test/fake-server.ts'
import { samplePhoto } from '../test/sample-photos.ts'
import { visit } from '../test/render.tsx'
import { sampleReport } from '../test/sample-requests.ts'

// Pages are loaded on demand; the first load is slow when many tests run at once.
beforeAll(() =>
  Promise.all([
    import('./GalleryPage.tsx'),
    import('./LatestPage.tsx'),
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

test('the viewer shows no QR code for a hidden photo, and unhides it after a confirmation', async () => {
  serve(samplePhoto(2, { hidden: true }), samplePhoto(1))
  server.answer(decideReport, ({ body: { decision } }) => {
    const hidden = decision === 'hide'
    serve(samplePhoto(2, { hidden }), samplePhoto(1))
    return sampleReport(2, { open: false, hidden, decision })
  })
  const { person } = await visit(server, { at: '/gallery?photo=photo2', token })
  const viewer = await screen.findByRole('dialog', { name: 'IMG_4002.jpg' })
  expect(within(viewer).getByText('Hidden from guests')).toBeVisible()
  expect(within(viewer).queryByRole('img', { name: /QR code/ })).toBeNull()
  await person.click(within(viewer).getByRole('button', { name: 'Show again' }))
  const confirmation = screen.getByRole('alertdialog', { name: 'Show this photo again?' })
  await person.click(within(confirmation).getByRole('button', { name: 'Show again' }))
  await waitFor(() => expect(within(viewer).queryByText('Hidden from guests')).toBeNull())
  expect(server.calls).toContain('POST /photos/photo2/decision')
  expect(await within(viewer).findByRole('img', { name: 'QR code for IMG_4002.jpg' })).toBeInTheDocument()
})

test('cancelling the confirmation leaves the viewer open', async () => {
  serve(samplePhoto(2, { hidden: true }), samplePhoto(1))
  const { person, where } = await visit(server, { at: '/gallery?photo=photo2', token })
  await person.click(await screen.findByRole('button', { name: 'Show again' }))
  await person.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(screen.getByRole('dialog', { name: 'IMG_4002.jpg' })).toBeInTheDocument()
  await waitFor(() => expect(where()).toBe('/gallery?photo=photo2'))
})

test('the Latest page shows a message when the newest photos are all hidden', async () => {
  serve(samplePhoto(2, { hidden: true }), samplePhoto(1, { hidden: true }))
  await visit(server, { at: '/latest', token })
  expect(await screen.findByText('Your newest photos are hidden from guests.')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Open the gallery' })).toHaveAttribute('href', '/gallery')
})
