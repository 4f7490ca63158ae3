import { latestPhoto, listPhotos, type Photo } from '@keepsnap/contract/photos.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Indicator } from '../features/live/Indicator.tsx'
import { refuse, startFakeServer, type FakeServer } from '../test/fakeServer.ts'
import { failedPhoto, processingPhoto, samplePhoto } from '../test/photos.ts'
import { visit } from '../test/render.tsx'

let server: FakeServer
beforeEach(async () => {
  server = await startFakeServer()
  // This browser draws nothing; every picture counts as decoded.
  Object.defineProperty(HTMLImageElement.prototype, 'decode', { configurable: true, value: async () => {} })
})
afterEach(() => {
  Reflect.deleteProperty(HTMLImageElement.prototype, 'decode')
  return server.close()
})

const photoOf = (name: string) => screen.findByAltText(new RegExp(`^${name}`))
const code = () => screen.findByAltText('QR code for the photo on the screen')

async function open(photo: Photo | null, { before = [], ...facts }: { before?: Photo[] } & Facts = {}) {
  serve(photo, before)
  const { token } = server.addUser(facts)
  return visit(server, { at: '/latest', token, indicator: <Indicator /> })
}
type Facts = Parameters<FakeServer['addUser']>[0]

function serve(photo: Photo | null, before: Photo[] = []): void {
  server.answer(latestPhoto, () => photo ?? refuse(404, 'No photos', 'not_found'))
  server.answer(listPhotos, () => (photo ? [photo, ...before] : []))
}

describe('the stage', () => {
  test('shows the newest photo with the code that downloads it', async () => {
    await open(samplePhoto(1))
    expect(await photoOf('IMG_4001.jpg')).toHaveAttribute('src', expect.stringMatching(/\/media\/photo1\?s=signed$/))
    expect(await code()).toHaveAttribute('src', expect.stringMatching(/\/qr\/d\/photo1\.svg$/))
    expect(screen.getByText('Scan to keep this photo')).toBeVisible()
  })

  test('shows the code that asks for an e-mail address when its owner wants that', async () => {
    await open(samplePhoto(1), { ask_email_to_receive_photo: true })
    expect(await code()).toHaveAttribute('src', expect.stringMatching(/\/qr\/r\/photo1\.svg$/))
    expect(screen.getByText('It comes by e-mail')).toBeVisible()
  })

  test('shows no code while the photo is processed, and none when that failed', async () => {
    await open(processingPhoto(1))
    expect(await screen.findByText('Processing your photo')).toBeVisible()
    expect(screen.queryByAltText(/QR code/)).toBeNull()
    expect(screen.getByRole('button', { name: 'QR code' })).toBeDisabled()
    await waitFor(() => {
      act(() => server.push({ action: 'photo_update', photo: failedPhoto(1, { error_message: 'It is damaged.' }) }))
      expect(screen.getByRole('alert')).toHaveTextContent('It is damaged.')
    })
    expect(screen.getByText('No code for this photo')).toBeVisible()
    expect(screen.queryByAltText(/QR code/)).toBeNull()
    expect(await screen.findByText('Photo updated!')).toBeVisible()
  })

  test('gives the stage to a photo that arrives, and keeps the one before as a small print', async () => {
    await open(samplePhoto(1))
    await photoOf('IMG_4001.jpg')
    await waitFor(() => {
      act(() => server.push({ action: 'new_photo', type: 'photo_added', photo: samplePhoto(2) }))
      expect(screen.getByAltText(/^IMG_4002/)).toBeVisible()
    })
    expect(await code()).toHaveAttribute('src', expect.stringMatching(/\/qr\/d\/photo2\.svg$/))
    expect(screen.getByAltText('QR code for IMG_4001.jpg')).toBeVisible()
    expect(await screen.findByText('New photo received!')).toBeVisible()
  })

  test('shows four photos before it at the most, until that is switched off', async () => {
    const before = [5, 4, 3, 2, 1].map((number) => samplePhoto(number))
    const { person } = await open(samplePhoto(6), { before })
    const prints = await screen.findByRole('list', { name: 'The photos before' })
    expect(within(prints).getAllByRole('listitem')).toHaveLength(4)
    await person.click(screen.getByRole('button', { name: 'Last four' }))
    expect(screen.queryByRole('list', { name: 'The photos before' })).toBeNull()
    expect(window.localStorage.getItem('stage-prints')).toBe('off')
  })

  test('leaves the last good photo when a refresh fails, and says so', async () => {
    const { person } = await open(samplePhoto(1))
    await photoOf('IMG_4001.jpg')
    await person.click(screen.getByRole('button', { name: 'Refresh' }))
    expect(await screen.findByText('Latest photo updated!')).toBeVisible()
    server.answer(latestPhoto, () => refuse(500, 'English from the server'))
    await person.click(screen.getByRole('button', { name: 'Refresh' }))
    expect((await screen.findAllByText('Failed to load latest photo')).length).toBeGreaterThan(0)
    expect(screen.getByAltText(/^IMG_4001/)).toBeVisible()
  })

  test('shows the code large, and lets it be saved', async () => {
    const { person } = await open(samplePhoto(1))
    await code()
    await person.click(screen.getByRole('button', { name: 'QR code' }))
    const dialog = await screen.findByRole('dialog', { name: 'QR code' })
    expect(within(dialog).getByRole('link', { name: 'download QR' })).toHaveAttribute('download', 'IMG_4001-code.png')
  })

  test('fills the screen without the help of the browser, and Escape ends that', async () => {
    const { person } = await open(samplePhoto(1))
    await code()
    await person.click(screen.getByRole('button', { name: 'Full screen' }))
    expect(document.querySelector('.stage')).toHaveClass('stage--full')
    await person.keyboard('{Escape}')
    expect(document.querySelector('.stage')).not.toHaveClass('stage--full')
  })
})

describe('without a photo', () => {
  test('the first upload is one step away', async () => {
    await open(null)
    expect(await screen.findByText('No photos uploaded yet.')).toBeVisible()
    expect(screen.getByText('No photos found. Upload your first photo!')).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Upload Your First Photo' })).toHaveAttribute('href', '/upload')
  })

  test('a failure is said, and can be tried again', async () => {
    server.answer(latestPhoto, () => refuse(500, 'English from the server'))
    server.answer(listPhotos, () => [])
    const { token } = server.addUser()
    const { person } = await visit(server, { at: '/latest', token })
    expect(await screen.findByText('Error loading your latest photo')).toBeVisible()
    expect(await screen.findByText('Failed to load latest photo')).toBeVisible()
    serve(samplePhoto(1))
    await person.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await photoOf('IMG_4001.jpg')).toBeVisible()
  })

  test('a stranger is sent to sign in', async () => {
    const { where } = await visit(server, { at: '/latest' })
    await waitFor(() => expect(where()).toBe('/login?return=%2Flatest'))
  })
})

describe('for admins', () => {
  test('the bar says whether the channel stands, and the panel tells more', async () => {
    const { person } = await open(samplePhoto(1), { is_admin: true })
    expect(await screen.findByText('WS: Connected')).toBeVisible()
    await person.click(await screen.findByRole('button', { name: 'Show Debug' }))
    const panel = within(screen.getByRole('region', { name: 'Debug' }))
    expect(panel.getByText('Connected')).toBeVisible()
    expect(panel.getByText('photo1')).toBeVisible()
    await person.click(panel.getByRole('button', { name: 'Test' }))
    expect(panel.getByText('Test sent, no answer yet.')).toBeVisible()
    act(() => server.push({ action: 'test' }))
    expect(await panel.findByText(/^Test answered at/)).toBeVisible()
  })

  test('nobody else sees any of it', async () => {
    await open(samplePhoto(1))
    await code()
    expect(screen.queryByText(/^WS:/)).toBeNull()
    expect(screen.queryByRole('button', { name: 'Show Debug' })).toBeNull()
  })
})
