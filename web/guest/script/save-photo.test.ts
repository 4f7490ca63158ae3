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
  const tap = (): boolean => {
    let isHandled = false
    const stayOnPage = (event: Event): void => {
      isHandled = event.defaultPrevented
      event.preventDefault()
    }
    document.addEventListener('click', stayOnPage, { once: true })
    button().click()
    return isHandled
  }
  const fetched = (main: HTMLElement): Promise<void> =>
    eventually(() => expect(main.querySelector('.guest__picture')?.getAttribute('src')).toMatch(/^blob:/))
  const ios = photoOnly({ ios: true })
  const answerOf = (type: string): Response => new Response('the photo', { headers: { 'content-type': type } })
  const jpeg = answerOf('image/jpeg')
  /** The number of requests for a path so far. */
  const callsFor = (path: string): number => server.calls.filter((call) => call.path.endsWith(path)).length
  /** Observes where the script leads the browser to. */
  const observeLocation = () => vi.spyOn(window.location, 'href', 'set').mockReturnValue()
  beforeEach(() => {
    share.mockReset().mockResolvedValue()
    vi.stubGlobal('navigator', { languages: ['en'], onLine: true, canShare: () => true, share })
    vi.stubGlobal('matchMedia', () => ({ matches: false }))
  })

  test('shares the file, fetched before the tap, under its neutral name', async () => {
    server.answer(jpeg)
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
    late.resolve(jpeg)
    await eventually(() => expect(document.querySelector('[aria-busy=true]')).toBeNull())
    await eventually(() => expect(status()).toBe('Your photo is ready. Tap Save again.'))
    share.mockResolvedValue()
    tap()
    await eventually(() => expect(share).toHaveBeenCalledTimes(2))
    expect([button().textContent, status()]).toEqual(['Save', ''])
  })

  test('works again although a share never ends', async () => {
    share.mockReturnValue(new Promise(() => {}))
    server.answer(jpeg)
    await fetched(open(ios))
    tap()
    tap()
    await eventually(() => expect(share).toHaveBeenCalledTimes(2))
  })

  test.each([
    [
      'the browser cannot share files',
      () => vi.stubGlobal('navigator', { languages: ['en'], onLine: true, canShare: () => false, share }),
    ],
    ['the page uses plain http', () => vi.stubGlobal('navigator', { languages: ['en'], onLine: true })],
  ])('remains a download link if %s', async (_, arrange) => {
    server.answer(jpeg)
    arrange()
    open(ios)
    await eventually(() => expect(tap()).toBe(false))
    expect(share).not.toHaveBeenCalled()
    expect(button().getAttribute('href')).toBe('/g/secret/download')
    expect(callsFor(file.inlineUrl)).toBeLessThan(2)
  })

  test.each([
    ['the server was busy', json(503, {})],
    ['the connection was lost', null],
  ])('fetches the file again after a tap if %s when the page was opened', async (_, failure) => {
    const followLink = observeLocation()
    server.answer(failure, jpeg)
    open(ios)
    await eventually(() => expect(callsFor(file.inlineUrl)).toBe(1))
    expect(tap()).toBe(true)
    await eventually(() => expect(share).toHaveBeenCalledOnce())
    expect(await share.mock.calls[0]![0].files![0]!.text()).toBe('the photo')
    expect(callsFor(file.inlineUrl)).toBe(2)
    expect(followLink).not.toHaveBeenCalled()
  })

  test.each([
    ['of a photo that no longer exists', json(404, {})],
    // What a redirect to the request page ends with, and what the sign-in page of a hotel's Wi-Fi is.
    ['that is a page', answerOf('text/html; charset=utf-8')],
    ['that does not arrive', null],
  ])('follows the link, which shows what is wrong, after a second answer %s', async (_, answer) => {
    const followLink = observeLocation()
    server.answer(answer)
    open(ios)
    await eventually(() => expect(callsFor(file.inlineUrl)).toBe(1))
    expect(tap()).toBe(true)
    await eventually(() => expect(followLink).toHaveBeenCalledExactlyOnceWith(button().href))
    expect(callsFor(file.inlineUrl)).toBe(2)
    expect(share).not.toHaveBeenCalled()
    expect([button().getAttribute('aria-busy'), button().textContent]).toEqual([null, 'Save'])
  })

  test('has the first shared photo counted as a download, without its bytes', async () => {
    const { promise, reject } = Promise.withResolvers<void>()
    server.answer(jpeg, null)
    await fetched(open(ios))
    share.mockReturnValue(promise)
    tap()
    reject(new DOMException('cancelled', 'AbortError'))
    await eventually(() => expect(share).toHaveBeenCalledOnce())
    expect(callsFor('/download')).toBe(0)
    share.mockResolvedValue()
    for (let times = 2; times < 4; times++) {
      tap()
      await eventually(() => expect(share).toHaveBeenCalledTimes(times))
      await eventually(() => expect(callsFor('/download')).toBe(1))
    }
    // A redirect would lead to a store that the page may not call.
    const countRequest = { headers: { range: 'bytes=0-0' }, redirect: 'manual' }
    expect(fetch).toHaveBeenLastCalledWith(button().href, countRequest)
  })

  test('has a Share button beside it if the browser can share', () => {
    server.answer(jpeg)
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
