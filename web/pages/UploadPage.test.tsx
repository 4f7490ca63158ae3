import { getPhoto, latestPhoto, listPhotos, uploadPhoto } from '@keepsnap/contract/photos.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hangUp, refuse, startFakeServer, type FakeServer, type Handler } from '../test/fakeServer.ts'
import { failedPhoto, processingPhoto, samplePhoto } from '../test/photos.ts'
import { visit } from '../test/render.tsx'

let server: FakeServer
beforeEach(async () => {
  server = await startFakeServer()
  server.answer(latestPhoto, () => samplePhoto(1))
  server.answer(listPhotos, () => [])
})
afterEach(() => server.close())

const image = (name: string) => new File(['picture'], name, { type: 'image/jpeg' })
const picker = () => screen.findByLabelText('Choose photos', { selector: 'input' })
const submit = () => screen.findByRole('button', { name: 'Upload Photo' })
const row = (name: string) => within(screen.getByText(name).closest('li')!) // a row is a list item

async function open(...files: File[]) {
  const { token } = server.addUser()
  const visitor = await visit(server, { at: '/upload', token })
  const input = await picker()
  if (files.length > 0) await visitor.person.upload(input, files)
  return visitor
}

describe('one file', () => {
  test('is shown before it goes up, and can be taken away', async () => {
    const { person } = await open(image('cake.jpg'))
    expect(await screen.findByAltText('Preview of cake.jpg')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Remove cake.jpg' }))
    expect(await picker()).toBeInTheDocument()
    expect(server.calls.filter((call) => call.startsWith('POST /photos'))).toEqual([])
  })

  test('is uploaded, awaited, and leads to the big screen', async () => {
    server.answer(uploadPhoto, () => processingPhoto(1))
    let asked = 0
    server.answer(getPhoto, () => (asked++ === 0 ? processingPhoto(1) : samplePhoto(1)))
    const { person, where } = await open(image('cake.jpg'))
    await person.click(await submit())
    expect(await screen.findByText('Photo uploaded successfully!')).toBeVisible()
    expect(screen.getByText(/^Processing your photo\./)).toBeVisible()
    await waitFor(() => expect(where()).toBe('/latest'), { timeout: 6_000 })
  })

  test('says so when it cannot be processed, with the reason', async () => {
    server.answer(uploadPhoto, () => processingPhoto(1))
    server.answer(getPhoto, () => failedPhoto(1, { error_message: 'This photo is damaged.' }))
    const { person, where } = await open(image('cake.jpg'))
    await person.click(await submit())
    expect(await screen.findByText('Processing failed!', {}, { timeout: 4_000 })).toBeVisible()
    expect(screen.getByText(/Photo processing failed\. Please try again\./)).toBeVisible()
    expect(screen.getByText('Processing failed')).toBeVisible()
    expect(screen.getByText('There was an error processing your photo. Please try uploading again.')).toBeVisible()
    expect(screen.getByText('This photo is damaged.')).toBeVisible()
    await waitFor(() => expect(where()).toBe('/upload'))
  })

  const answers: [string, Handler<typeof uploadPhoto>, string][] = [
    [
      'the server’s own words',
      () => refuse(413, 'Your plan takes files up to 50 MB.', 'too_large'),
      'Your plan takes files up to 50 MB.',
    ],
    ['a failure without words', () => refuse(500, undefined), 'Failed to upload photo. Please try again.'],
    ['no answer', () => hangUp, 'No response from server. Check your connection.'],
  ]
  test.each(answers)('that is refused says why: %s', async (_, answer, sentence) => {
    server.answer(uploadPhoto, answer)
    const { person } = await open(image('cake.jpg'))
    await person.click(await submit())
    expect(await screen.findByText(sentence)).toBeVisible()
  })

  test('is tried again by the same button when nobody answered', async () => {
    let calls = 0
    server.answer(uploadPhoto, () => (calls++ === 0 ? hangUp : processingPhoto(1)))
    server.answer(getPhoto, () => processingPhoto(1))
    const { person } = await open(image('cake.jpg'))
    await person.click(await submit())
    await screen.findByText('No response from server. Check your connection.')
    await person.click(await submit())
    expect(await screen.findByText('Photo uploaded successfully!')).toBeVisible()
    expect(calls).toBe(2)
  })

  test('that is no photo is refused before it is sent', async () => {
    const { token } = server.addUser()
    const { person } = await visit(server, { at: '/upload', token })
    const input = await picker()
    input.removeAttribute('accept')
    await person.upload(input, new File(['hello'], 'notes.txt', { type: 'text/plain' }))
    expect(await screen.findByText(/^This file is not a photo\./)).toBeVisible()
  })

  test('a dead session leads to the sign-in page', async () => {
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
  test('each has its row; one that fails is tried again alone', async () => {
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
    expect(await row('one.jpg').findByRole('link', { name: 'one.jpg on the big screen' })).toHaveAttribute(
      'href',
      '/latest',
    )
    expect(row('one.jpg').getByAltText('QR code for one.jpg')).toBeVisible()
    await person.click(row('two.jpg').getByRole('button', { name: 'Retry two.jpg' }))
    expect(await row('two.jpg').findByAltText('QR code for two.jpg')).toBeVisible()
    expect(calls).toBe(4)
  })

  test('what the plan has no room for waits, in the server’s words', async () => {
    server.answer(uploadPhoto, () => refuse(403, 'Your plan, Free, takes 10 photos a month.', 'quota_photos'))
    await open(image('one.jpg'), image('two.jpg'))
    const refused = () => screen.getAllByText('Your plan, Free, takes 10 photos a month.')
    await waitFor(() => expect(refused()).toHaveLength(2))
    expect(screen.getByText('2 waiting for room')).toBeVisible()
    expect(screen.getByText(/^Photos that your plan has no room for stay here/)).toBeVisible()
  })

  test('that are pasted are taken as well', async () => {
    server.answer(uploadPhoto, () => processingPhoto(1))
    await open()
    const paste = Object.assign(new Event('paste', { bubbles: true, cancelable: true }), {
      clipboardData: { files: [image('pasted.jpg')] },
    })
    act(() => void document.dispatchEvent(paste))
    expect(await screen.findByAltText('Preview of pasted.jpg')).toBeVisible()
  })
})

test('the page names the plan’s own limit beside the hint', async () => {
  await open()
  expect(screen.getByText(/JPG, PNG, GIF up to 10MB/)).toBeVisible()
  expect(screen.getByText('Your plan, Free, takes files up to 50 MB.')).toBeVisible()
})
