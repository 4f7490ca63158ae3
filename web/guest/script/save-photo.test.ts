import { beforeEach, describe, expect, test, vi } from 'vitest'
import { eventually } from '../../test/eventually.ts'
import { json, open, useFakeFetch } from '../test/fake-fetch.ts'
import { file, photo, photoOnly } from '../test/samples.ts'

const server = useFakeFetch()

describe('the Save button on iOS', () => {
  const share = vi.fn<(data: ShareData) => Promise<void>>()
  const button = (): HTMLAnchorElement => document.querySelector('[data-save]')!
  const status = (): string => document.querySelector('.guest__status')?.textContent ?? ''
  /** Taps the button; true if the script handles the tap, false if the browser follows the link. */
  const tap = (): boolean => !button().dispatchEvent(new MouseEvent('click', { cancelable: true, bubbles: true }))
  const fetched = (main: HTMLElement): Promise<void> =>
    eventually(() => expect(main.querySelector('.guest__picture')?.getAttribute('src')).toMatch(/^blob:/))
  const ios = photoOnly({ ios: true })
  beforeEach(() => {
    share.mockReset().mockResolvedValue()
    vi.stubGlobal('navigator', { languages: ['en'], onLine: true, canShare: () => true, share })
    vi.stubGlobal('matchMedia', () => ({ matches: false }))
  })

  test('shares the file, fetched before the tap, under its neutral name', async () => {
    server.answer(new Response('the photo'))
    await fetched(open(ios))
    expect(server.calls).toEqual([{ path: file.inlineUrl, body: undefined }])
    expect(tap()).toBe(true)
    await eventually(() => expect(share).toHaveBeenCalledOnce())
    const [shared] = share.mock.calls[0]![0].files!
    expect([shared?.name, shared?.type, await shared?.text()]).toEqual([photo.filename, 'image/jpeg', 'the photo'])
  })

  test('shows progress after an early tap, and asks for another tap if the first no longer counts', async () => {
    const late = Promise.withResolvers<Response>()
    server.answer(late.promise)
    open(ios)
    tap()
    tap()
    expect([button().getAttribute('aria-busy'), button().textContent]).toEqual(['true', 'Getting your photo'])
    expect(button().querySelector('.spin')).not.toBeNull()
    share.mockRejectedValue(new DOMException('too late', 'NotAllowedError'))
    late.resolve(new Response('the photo'))
    await eventually(() => expect(document.querySelector('[aria-busy=true]')).toBeNull())
    await eventually(() => expect(status()).toBe('Your photo is ready. Tap Save again.'))
    share.mockResolvedValue()
    tap()
    await eventually(() => expect(share).toHaveBeenCalledTimes(2))
    expect([button().textContent, status()]).toEqual(['Save', ''])
  })

  test('works again although a share never ends', async () => {
    share.mockReturnValue(new Promise(() => {}))
    server.answer(new Response('the photo'))
    await fetched(open(ios))
    tap()
    tap()
    await eventually(() => expect(share).toHaveBeenCalledTimes(2))
  })

  test.each([
    ['the file cannot be fetched', () => server.answer(json(404, {}))],
    [
      'the browser cannot share files',
      () => vi.stubGlobal('navigator', { languages: ['en'], onLine: true, canShare: () => false, share }),
    ],
    ['the page uses plain http', () => vi.stubGlobal('navigator', { languages: ['en'], onLine: true })],
  ])('remains a download link if %s', async (_, arrange) => {
    server.answer(new Response('the photo'))
    arrange()
    open(ios)
    await eventually(() => expect(tap()).toBe(false))
    expect(share).not.toHaveBeenCalled()
    expect(button().getAttribute('href')).toBe(file.downloadUrl)
  })

  test('has a Share button beside it if the browser can share', () => {
    server.answer(new Response('the photo'))
    open(photoOnly())
    const shareButton = document.querySelector<HTMLButtonElement>('[data-share]')!
    expect(shareButton.hidden).toBe(false)
    shareButton.click()
    expect(share).toHaveBeenCalledWith({ title: 'Your photo · Keepsnap', url: window.location.href })
    vi.stubGlobal('navigator', { languages: ['en'], onLine: true })
    open(photoOnly())
    expect(document.querySelector<HTMLButtonElement>('[data-share]')?.hidden).toBe(true)
  })
})
