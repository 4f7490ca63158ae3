import { subscriptionStatus, type SubscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import { getPhoto, listPhotos, type Photo } from '@keepsnap/contract/photos.ts'
import { encodeQrCode, qrCodeSvg } from '../../../server/lib/qr-codes.ts'
import { act, screen, waitFor } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { subscriptionKey } from '../plans/plan-status.ts'
import { refuse, useFakeServer } from '../../test/fake-server.ts'
import { pseudo, rendered, visit } from '../../test/render.tsx'
import { failedPhoto, processingPhoto, samplePhoto, samplePlanStatus } from '../../test/samples.ts'
import { untranslatedTexts } from '../../test/translated-text.ts'

// The test browser decodes no pictures.
const loadImage = vi.hoisted(() => vi.fn<(src: string) => Promise<unknown>>())
vi.mock('../../lib/images.ts', async (original) => ({ ...(await original()), loadImage }))

let token: string
const codeUrls: string[] = []
beforeAll(() => import('./PrintPage.tsx'))
const server = useFakeServer((server) => {
  token = server.addUser({ subscription_tier: 'pro', logo_url: 'http://photos.example/b/logo' }).token
  codeUrls.length = 0
  loadImage.mockImplementation((src: string) => Promise.resolve({ src, naturalWidth: 1500, naturalHeight: 1000 }))
  answerCodes(() => new Response(qrCodeSvg(encodeQrCode('https://keepsnap.example/d/x'))))
})

/** Codes are pictures, not calls of the contract. */
function answerCodes(answer: () => Response): void {
  const original = globalThis.fetch
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    if (!url.includes('/qr/')) return original(url, init)
    codeUrls.push(url)
    return Promise.resolve(answer())
  })
}

const serve = (photo: Photo): void => server.answer(getPhoto, () => photo)
const open = (language?: typeof pseudo) =>
  visit(server, { at: '/print?photo=photo1', token, ...(language && { language }) })
/** What is printed, one line after the other. */
const printedText = async (): Promise<string> =>
  Array.from((await sheet()).querySelectorAll('text'), ({ textContent }) => textContent).join(' ')
const sheet = () => screen.findByRole('img', { name: /IMG_4001\.jpg and its QR code/ })

describe('which photo', () => {
  test('without one in the URL it is the newest that has a code, and stays it', async () => {
    server.answer(listPhotos, () => [
      processingPhoto(4),
      samplePhoto(3, { hidden: true }),
      samplePhoto(1),
      samplePhoto(0),
    ])
    serve(samplePhoto(1))
    const { where } = await visit(server, { at: '/print', token })
    await sheet()
    expect(where()).toBe('/print?photo=photo1')
  })

  test('without photos it leads to the upload', async () => {
    server.answer(listPhotos, () => [])
    await visit(server, { at: '/print', token })
    expect(await screen.findByText(/No photos yet/)).toBeVisible()
    expect(screen.getByRole('link', { name: 'Upload Photos' })).toHaveAttribute('href', '/upload')
  })

  test('one that is processed, failed, hidden or deleted says so and leads to the photo', async () => {
    const cases: [Photo, RegExp][] = [
      [processingPhoto(1), /is being processed/],
      [failedPhoto(1), /couldn’t be processed/],
      [samplePhoto(1, { hidden: true }), /is hidden from guests/],
    ]
    serve(cases[0]![0])
    const { state } = await open()
    for (const [photo, sentence] of cases) {
      serve(photo)
      await act(() => state.queryClient.resetQueries())
      expect(await screen.findByText(sentence)).toBeVisible()
      expect(screen.getByRole('link', { name: 'Open the photo' })).toHaveAttribute('href', '/gallery?photo=photo1')
      expect(screen.queryByRole('button', { name: 'Print' })).toBeNull()
    }
    server.answer(getPhoto, () => refuse(404, 'Not found', 'not_found'))
    await act(() => state.queryClient.resetQueries())
    expect(await screen.findByText('This photo no longer exists.')).toBeVisible()
  })

  test('is shown with its form once the plan is known, which decides about the logo', async () => {
    const status = Promise.withResolvers<SubscriptionStatus>()
    server.answer(subscriptionStatus, () => status.promise)
    serve(samplePhoto(1))
    await open()
    await waitFor(() => expect(server.calls).toContain('GET /photos/photo1'))
    // The page itself is loading before, with the same words.
    await waitFor(() => expect(document.querySelector('.print-kit__skeleton')).not.toBeNull())
    expect(screen.queryByRole('button', { name: 'Print' })).toBeNull()
    status.resolve(samplePlanStatus(0))
    expect(await screen.findByRole('button', { name: 'Print' })).toBeVisible()
  })

  test('has no switch for the logo when the plan cannot be loaded, and keeps what was typed while it is fetched again', async () => {
    server.answer(subscriptionStatus, () => refuse(503, 'Busy', 'unavailable'))
    serve(samplePhoto(1))
    const { person, state } = await open()
    expect(await screen.findByRole('button', { name: 'Print' })).toBeVisible()
    expect(screen.queryByRole('checkbox', { name: 'Your logo' })).toBeNull()
    const line = screen.getByLabelText('Your line')
    await person.clear(line)
    await person.click(line)
    await person.paste('Anna and Bram')
    server.answer(subscriptionStatus, () => new Promise(() => {}))
    void state.queryClient.invalidateQueries({ queryKey: subscriptionKey })
    await rendered()
    expect(state.queryClient.isFetching({ queryKey: subscriptionKey })).toBe(1)
    expect(line).toBeVisible()
    expect(line).toHaveValue('Anna and Bram')
  })

  test('one that cannot be fetched can be fetched again', async () => {
    server.refuseLiveConnections()
    server.answer(getPhoto, () => refuse(500, 'x'))
    const { person } = await open()
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to load this photo')
    serve(samplePhoto(1))
    await person.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await sheet()).toBeVisible()
  })
})

describe('what is printed', () => {
  beforeEach(() => serve(samplePhoto(1)))

  test('the code of the photo, in two languages, with a line of at most 60 characters, and the logo unless it is off', async () => {
    const { person } = await open()
    expect(await printedText()).toContain('Scan to keep this photo')
    expect(codeUrls).toEqual([expect.stringMatching(/\/qr\/d\/photo1\.svg$/)])
    await person.selectOptions(screen.getByLabelText('Language of the guests'), 'Nederlands')
    await person.selectOptions(screen.getByLabelText('Second language'), 'Français')
    await person.click(screen.getByLabelText('Your line'))
    await person.paste('👨‍👩‍👧‍👦'.repeat(61))
    expect(screen.getByText('60 of 60 characters')).toBeVisible()
    const texts = await printedText()
    expect(texts).toContain('Scan en bewaar deze foto')
    expect(texts).toContain('Scannez pour garder cette photo')
    const pictures = () => document.querySelectorAll('.sheet image').length
    await waitFor(() => expect(pictures()).toBe(2))
    await person.click(screen.getByRole('checkbox', { name: 'Your logo' }))
    expect(pictures()).toBe(1)
  })

  test('the code of the request page, with other words; no logo where the plan has none', async () => {
    const fields = { ask_email_to_receive_photo: true, logo_url: 'http://photos.example/b/logo' }
    token = server.addUser({ email: 'gate@example.com', ...fields }).token
    await open()
    expect(await printedText()).toContain('Scan to get this photo')
    expect(codeUrls).toEqual([expect.stringMatching(/\/qr\/r\/photo1\.svg$/)])
    await waitFor(() => expect(server.calls.some((call) => call.includes(subscriptionStatus.path))).toBe(true))
    expect(screen.queryByRole('checkbox', { name: 'Your logo' })).toBeNull()
    expect(document.querySelectorAll('.sheet image')).toHaveLength(1)
  })

  test('is said to have no code when the code cannot be loaded, or is anything else', async () => {
    answerCodes(() => new Response('<!doctype html>'))
    await open()
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to load the code')
    expect(screen.getByRole('button', { name: 'Print' })).toHaveAttribute('aria-disabled', 'true')
  })

  test('the Wi-Fi network once it is complete; nothing of it is stored or sent', async () => {
    const print = vi.fn<() => void>()
    vi.stubGlobal('print', print)
    const { person } = await open()
    await sheet()
    await person.click(screen.getByRole('checkbox', { name: 'Wi-Fi code' }))
    await person.click(screen.getByRole('button', { name: 'Print' }))
    expect(print).not.toHaveBeenCalled()
    expect(screen.getByText('Please enter the name of the network.')).toBeVisible()
    expect(screen.getByLabelText('Network name')).toHaveFocus()
    await person.paste('Zaal')
    await person.click(screen.getByLabelText('Password'))
    await person.paste('lotteenbram')
    await person.click(screen.getByRole('button', { name: 'Print' }))
    expect(print).toHaveBeenCalledOnce()
    expect(await printedText()).toContain('lotteenbram')
    const kept = JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), server.calls, codeUrls])
    expect(kept).not.toMatch(/lotteenbram|Zaal/)
  })
})

test('every sentence comes from the message catalogue', async () => {
  serve(samplePhoto(1))
  const { person } = await open(pseudo)
  await waitFor(() => expect(document.querySelector('.sheet')).not.toBeNull())
  for (const box of screen.getAllByRole('checkbox')) if (!(box as HTMLInputElement).checked) await person.click(box) // checkboxes are inputs
  expect(untranslatedTexts(document.body)).toEqual([])
})
