import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { GuestPage } from '@keepsnap/contract/rendering.ts'
import { eventually } from '../../test/eventually.ts'
import { file, photo, photoId, photoOnly, rendererIn, request, show } from '../test/samples.ts'
import { createFormat } from '../../lib/format.ts'
import { enhance } from './enhance.ts'

type Answer = Response | Promise<Response> | null

let answers: Answer[] = []
const server = {
  /** Calls so far. */
  calls: [] as { path: string; body: unknown }[],
  /** Calls that count a visit, which are answered with 204. */
  visits: [] as string[],
  /** Queues responses: the last one is repeated; null rejects as if the device were offline. */
  answer: (...next: Answer[]): void => void (answers = next),
}

// Image decoding is what happy-dom lacks.
beforeEach(() => {
  server.calls = []
  server.visits = []
  answers = []
  const fakeFetch = async (path: string, options?: { body?: string }): Promise<Response> => {
    if (path.includes('/visits?')) {
      server.visits.push(path)
      return new Response(null, { status: 204 })
    }
    server.calls.push({ path, body: options?.body ? JSON.parse(options.body) : undefined })
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    if (!answer) throw new TypeError('Failed to fetch')
    return (await answer).clone()
  }
  vi.stubGlobal('fetch', vi.fn(fakeFetch))
  vi.spyOn(HTMLImageElement.prototype, 'decode').mockResolvedValue()
  vi.spyOn(window, 'setTimeout')
})
// A page that waits for its photo would go on in the next test.
afterEach(() => vi.mocked(window.setTimeout).mock?.results.forEach(({ value }) => window.clearTimeout(value as number)))

const json = (status: number, body: unknown): Response => Response.json(body, { status })

/** Shows a page and runs its script. */
function open(page: GuestPage): HTMLElement {
  const main = show(page)
  enhance(main)
  return main
}

describe('count visit', () => {
  const download = (): string | null | undefined => document.querySelector('.guest__actions a')?.getAttribute('href')
  const countedLink = '/g/secret/download'
  beforeEach(() => {
    vi.stubGlobal('navigator', { languages: ['en'], userAgent: '' })
  })

  test.each([
    ['of an email', photoOnly(), ['grant']],
    ['of a code', photoOnly({ by: 'code' }), ['code']],
    ['of a photo that is being processed', photoOnly({ by: 'code', file: null }), ['code']],
    ['on which a photo is requested', request(), ['code']],
    ['on which nothing can be requested', request({ state: 'off' }), ['code']],
    ['that answers a request', request({ state: 'sent', email: 'lotte@example.com' }), []],
    ['that says what is wrong with an address', request({ state: 'bad', problem: 'No' }), []],
  ])('opening the page %s is counted once', (_, page, by) => {
    open(page)
    document.dispatchEvent(new Event('visibilitychange'))
    expect(server.visits).toEqual(by.map((one) => `/photos/${photoId}/visits?by=${one}`))
  })

  test('a page that was opened in advance is counted when it is shown', () => {
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    open(photoOnly())
    expect([server.visits, download()]).toEqual([[], file.downloadUrl])
    hidden.mockReturnValue(false)
    document.dispatchEvent(new Event('visibilitychange'))
    expect([server.visits.length, download()]).toEqual([1, countedLink])
  })

  test.each(['reload', 'back_forward'])('%s is no new visit', (type) => {
    vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type } as unknown as PerformanceEntry])
    open(photoOnly())
    expect([server.visits, download()]).toEqual([[], countedLink])
  })

  test('the page in another language is no new visit', () => {
    window.history.replaceState(null, '', '?lang=nl')
    open(photoOnly())
    window.history.replaceState(null, '', '?')
    expect([server.visits, download()]).toEqual([[], countedLink])
  })

  test.each([
    ['is lost', () => Promise.reject(new TypeError('Failed to fetch'))],
    // By a node of an earlier version.
    ['is not known', () => Promise.resolve(new Response(null, { status: 404 }))],
  ])('when the call %s, the next click counts', async (_, answer) => {
    vi.mocked(fetch).mockImplementation(answer)
    open(photoOnly())
    expect(download()).toBe(countedLink)
    await eventually(() => expect(download()).toBe(file.downloadUrl))
  })
})

describe('enhance', () => {
  test("shows the time in the device's time zone, in its variant of the page's language", () => {
    const localTime = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' })
    vi.stubGlobal('navigator', { languages: ['nl-BE', 'en-US'] })
    open(photoOnly())
    expect(document.querySelector('time')?.textContent).toContain(localTime.format(new Date('2026-11-17T22:51:00Z')))
    expect(document.querySelector('time')?.textContent).not.toContain('UTC')
  })

  test('leaves size and time in the language of the page on a device in another', () => {
    vi.stubGlobal('navigator', { languages: ['en-US'] })
    const main = show(photoOnly(), rendererIn({ tag: 'fr', text: null, format: createFormat('fr') }))
    document.documentElement.lang = 'fr'
    enhance(main)
    expect(main.textContent).toContain('2,4 Mo')
    expect(main.querySelector('time')?.textContent).toMatch(/^(mardi 17|mercredi 18) novembre à \d\d:\d\d$/)
  })

  test.each([
    ['in a browser', true, 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_2) Version/18.2 Mobile/15E148 Safari/604.1', false],
    ['on plain http', false, 'Mozilla/5.0 (Linux; Android 14; K) Chrome/131.0.0.0 Mobile Safari/537.36', true],
    ['in an app', true, 'Mozilla/5.0 (Linux; Android 14; K; wv) Chrome/131.0.0.0 Mobile Safari/537.36', true],
  ])(
    'shows the image for screens as soon as it is loaded, and %s the full-size photo then: %s',
    async (_, isSecure, agent, isFull) => {
      vi.stubGlobal('isSecureContext', isSecure)
      vi.stubGlobal('navigator', { languages: ['en'], userAgent: agent })
      const decoded: string[] = []
      vi.spyOn(HTMLImageElement.prototype, 'decode').mockImplementation(async function (this: HTMLImageElement) {
        decoded.push(this.getAttribute('src') ?? '')
      })
      const main = open(photoOnly())
      const picture = (): string | null | undefined => main.querySelector('.guest__picture')?.getAttribute('src')
      expect(picture()).toBe(photo.thumbnailUrl)
      await eventually(() => expect(picture()).toBe(isFull ? file.inlineUrl : file.screenUrl))
      expect(decoded).toEqual(isFull ? [file.screenUrl, file.inlineUrl] : [file.screenUrl])
    },
  )

  const instagram =
    'Mozilla/5.0 (Linux; Android 14; Phone; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0 Mobile Safari/537.36 Instagram 361.0 Android'
  const facebook =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/490.0]'
  const chrome = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36'

  test.each([
    ['Instagram', instagram, photoOnly(), true],
    ['Facebook on an iPhone', facebook, photoOnly({ ios: true }), true],
    ['Instagram, once the photo is processed', instagram, photoOnly({ by: 'code', file: null }), true],
    ['a browser', chrome, photoOnly(), false],
  ])('in %s, a tap on Save is followed by another way: %s', (_, userAgent, page, isFollowed) => {
    vi.stubGlobal('navigator', { languages: ['en'], userAgent })
    const main = open(page)
    const status = (): string | null | undefined => main.querySelector('.guest__status')?.textContent
    expect(status()).toBe('')
    const save = main.querySelector('.guest__actions a')!
    save.addEventListener('click', (event) => event.preventDefault())
    save.querySelector('svg')!.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
    const advice = 'Nothing happened? Press and hold the picture, or open this page in your browser.'
    expect(status()).toBe(isFollowed ? advice : '')
  })
})

describe('report form', () => {
  const report = (): HTMLFormElement => document.querySelector('form[data-report]')!
  const thanks = (): HTMLElement => document.querySelector('[data-thanks]')!
  const send = (reason: string, note = ''): void => {
    report().querySelector<HTMLInputElement>(`[value=${reason}]`)!.checked = true
    report().querySelector<HTMLTextAreaElement>('[name=note]')!.value = note
    report().dispatchEvent(new Event('submit', { cancelable: true, bubbles: true }))
  }

  test('sends reason and note once and shows thanks', async () => {
    server.answer(json(200, {}))
    open(photoOnly())
    send('child', 'The girl in the middle')
    send('child', 'The girl in the middle')
    await eventually(() => expect(thanks().hidden).toBe(false))
    const body = { reason: 'child', note: 'The girl in the middle' }
    expect(server.calls).toEqual([{ path: `/photos/${photoId}/report`, body }])
    expect([report().hidden, document.activeElement]).toEqual([true, thanks()])
  })

  test('omits an empty note and keeps the form after a failure', async () => {
    server.answer(null)
    open(photoOnly())
    send('me')
    await eventually(() => expect(document.activeElement?.textContent).toContain('The report couldn’t be sent.'))
    expect(server.calls[0]?.body).toEqual({ reason: 'me' })
    expect([report().hidden, thanks().hidden]).toEqual([false, true])
  })

  test('moves the focus into the form when it opens, and scrolls it into view', async () => {
    const scrolled = vi.spyOn(HTMLElement.prototype, 'scrollIntoView')
    open(photoOnly())
    document.querySelector('details')!.open = true
    await eventually(() => expect(document.activeElement).toBe(report().querySelector('[name=reason]')))
    expect(scrolled).toHaveBeenCalledWith({ block: 'nearest' })
  })

  test('without a reason it says so itself, keeps the note and sends nothing', async () => {
    open(photoOnly())
    const missing = report().querySelector<HTMLElement>('.error')!
    expect([report().noValidate, missing.hidden]).toEqual([true, true])
    report().querySelector<HTMLTextAreaElement>('[name=note]')!.value = 'The girl in the middle'
    report().dispatchEvent(new Event('submit', { cancelable: true, bubbles: true }))
    await eventually(() => expect(missing.hidden).toBe(false))
    expect([missing.textContent, document.activeElement]).toEqual([
      'Please choose a reason.',
      report().querySelector('[name=reason]'),
    ])
    expect(server.calls).toEqual([])
    report().dispatchEvent(new Event('change'))
    expect(missing.hidden).toBe(true)
    expect(report().querySelector<HTMLTextAreaElement>('[name=note]')!.value).toBe('The girl in the middle')
  })
})

describe('request form', () => {
  const field = (): HTMLInputElement => document.querySelector('[name=email]')!
  const form = (): HTMLFormElement => document.querySelector('form[data-request]')!
  const submit = (email?: string): void => {
    if (email !== undefined) field().value = email
    form().dispatchEvent(new Event('submit', { cancelable: true, bubbles: true }))
  }
  const error = (): string => (document.querySelector<HTMLElement>('.error:not([hidden])')?.textContent ?? '').trim()
  const failure = (): string => document.querySelector('[data-failed]:not([hidden])')?.textContent ?? ''
  const sent = (): HTMLElement => document.querySelector('[data-sent]')!

  test('does not send what is not an address but shows the error at the focused field', () => {
    open(request())
    submit('lotte@example')
    expect(error()).toContain('The address is missing its ending, such as .com')
    expect([document.activeElement, field().getAttribute('aria-invalid')]).toEqual([field(), 'true'])
    expect(server.calls).toEqual([])
  })

  test('shows the address of an accepted request, moves the focus there, and offers an empty form for another', async () => {
    server.answer(json(200, { detail: 'yes' }))
    open(request())
    submit('  lotte@example.com ')
    await eventually(() => expect(sent().hidden).toBe(false))
    const path = `/photos/${photoId}/request-email`
    expect(server.calls).toEqual([{ path, body: { email: 'lotte@example.com', website: '', language: 'en' } }])
    expect(sent().textContent).toContain('lotte@example.com')
    expect([form().hidden, document.activeElement]).toEqual([true, sent().querySelector('h1')])
    sent().querySelector<HTMLElement>('[data-another]')!.click()
    expect([sent().hidden, form().hidden, field().value, document.activeElement]).toEqual([true, false, '', field()])
    submit('bram@example.com')
    await eventually(() => expect(sent().textContent).toContain('bram@example.com'))
  })

  test('asks to be told when the gallery opens, where the box is ticked', async () => {
    server.answer(json(200, { detail: 'yes' }))
    open(request({ opensAt: '2026-11-14T21:00:00Z' }))
    document.querySelector<HTMLInputElement>('[name=tell_me]')!.checked = true
    submit('lotte@example.com')
    await eventually(() => expect(server.calls[0]?.body).toMatchObject({ email: 'lotte@example.com', tell_me: true }))
  })

  test('leaves the focus where the guest has gone on to meanwhile', async () => {
    const late = Promise.withResolvers<Response>()
    server.answer(late.promise)
    open(request())
    submit('lotte@example.com')
    document.querySelector('details')!.open = true
    const reason = document.querySelector<HTMLInputElement>('[name=reason]')!
    await eventually(() => expect(document.activeElement).toBe(reason))
    late.resolve(json(200, {}))
    await eventually(() => expect(sent().hidden).toBe(false))
    expect(document.activeElement).toBe(reason)
  })

  test('sends once after two clicks and shows progress on the button', async () => {
    const late = Promise.withResolvers<Response>()
    server.answer(late.promise)
    open(request())
    // A bot has filled in the honeypot field.
    document.querySelector<HTMLInputElement>('[name=website]')!.value = 'http://spam.example'
    submit('lotte@example.com')
    submit()
    const button = form().querySelector('.btn--primary')!
    expect([button.getAttribute('aria-busy'), button.textContent, field().readOnly]).toEqual(['true', 'Sending', true])
    late.resolve(json(200, {}))
    await eventually(() => expect(sent().hidden).toBe(false))
    const body = { email: 'lotte@example.com', website: 'http://spam.example', language: 'en' }
    expect(server.calls.map((call) => call.body)).toEqual([body])
    expect([button.getAttribute('aria-busy'), button.textContent]).toEqual([null, 'Send Photo'])
  })

  const failed = 'Failed to submit request. Please try again later.'
  test.each([
    ['a server error', json(500, { detail: 'Internal problem' }), failed],
    ['a rejected request', json(429, { detail: 'Too many emails.' }), `${failed} Too many emails.`],
    ['an answer that is not JSON', new Response('<html>', { status: 502 }), failed],
    ['no answer', null, failed],
    ['being offline', null, `${failed} You seem to be offline. Check your connection and try again.`],
  ])('keeps the address and shows the failure after %s', async (after, answer, sentence) => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(after !== 'being offline')
    server.answer(answer)
    open(request())
    submit('lotte@example.com')
    await eventually(() => expect(failure()).toBe(sentence))
    expect([field().value, field().readOnly, form().hidden]).toEqual(['lotte@example.com', false, false])
    expect(document.activeElement).toBe(document.querySelector('[data-failed]'))
    server.answer(json(200, {}))
    submit()
    await eventually(() => expect(sent().hidden).toBe(false))
  })

  test("shows the server's error about the address at the field", async () => {
    server.answer(json(422, { code: 'invalid', detail: [{ loc: ['body', 'email'], msg: 'No mailbox there' }] }))
    open(request())
    submit('lotte@example.com')
    await eventually(() => expect(error()).toBe('No mailbox there'))
    expect([failure(), document.activeElement]).toEqual([failed, field()])
  })
})

describe('save photo', () => {
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
})

describe('wait for photo', () => {
  const unfinished = { ...photo, thumbnailUrl: null, width: null, height: null }
  const publicPhoto = (more: object) => ({
    processing_complete: false,
    thumbnail_url: null,
    width: null,
    height: null,
    ...more,
  })
  const advance = (seconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(seconds * 1000)
  beforeEach(() => {
    vi.useFakeTimers()
  })

  test('shows the photo in its aspect ratio when it is ready and stops polling', async () => {
    server.answer(
      json(200, publicPhoto({})),
      json(200, publicPhoto({ processing_complete: true, thumbnail_url: '/t/new', width: 800, height: 1200 })),
    )
    const main = open(request({ processing: true, photo: unfinished }))
    await advance(1.9)
    expect(server.calls).toEqual([])
    await advance(0.2)
    expect(server.calls).toEqual([{ path: `/photos/${photoId}/public`, body: undefined }])
    await advance(2)
    expect(main.querySelector('.guest__picture')?.getAttribute('src')).toBe('/t/new')
    expect(main.querySelector('.guest__placeholder')?.getAttribute('src')).toContain("width='800' height='1200'")
    expect(main.querySelector('output')?.textContent).toBe('Your photo is ready.')
    document.dispatchEvent(new Event('visibilitychange'))
    await advance(60)
    expect(server.calls).toHaveLength(2)
  })

  test('polls less often after failures', async () => {
    server.answer(null)
    open(request({ processing: true, photo: unfinished }))
    await advance(600)
    expect(server.calls.length).toBeGreaterThan(15)
    expect(server.calls.length).toBeLessThan(30)
  })

  test('polls only while the page is visible', async () => {
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    server.answer(json(200, publicPhoto({})))
    open(request({ processing: true, photo: unfinished }))
    await advance(30)
    expect(server.calls).toEqual([])
    hidden.mockReturnValue(false)
    document.dispatchEvent(new Event('visibilitychange'))
    await advance(2.1)
    expect(server.calls).toHaveLength(1)
  })

  test.each([
    [
      'the photo of an email is ready',
      photoOnly({ file: null, photo: unfinished }),
      json(200, publicPhoto({ processing_complete: true })),
    ],
    ['the photo no longer exists', request({ processing: true, photo: unfinished }), json(404, { code: 'not_found' })],
  ])('reloads the page when %s', async (_, page, answer) => {
    const reload = vi.spyOn(window.location, 'reload').mockReturnValue()
    server.answer(answer)
    open(page)
    await advance(2.1)
    expect(reload).toHaveBeenCalledOnce()
  })

  test('shows the download of a direct code without reloading, because its URL is the file itself', async () => {
    server.answer(json(200, publicPhoto({ processing_complete: true, thumbnail_url: '/t/new', width: 3, height: 2 })))
    const main = open(photoOnly({ by: 'code', file: null, photo: unfinished, expiresAt: null }))
    const download = main.querySelector<HTMLElement>('[data-download-when-ready]')!
    expect(download.hidden).toBe(true)
    await advance(2.1)
    expect(download.hidden).toBe(false)
    expect(download.querySelector('a')?.getAttribute('href')).toBe('/request-photo/abc?download=1')
  })

  test('shows the full-size photo in an app, where a long press saves what is shown', async () => {
    vi.stubGlobal('navigator', {
      languages: ['en'],
      userAgent: 'Mozilla/5.0 (Linux; Android 14; K; wv) Instagram 361.0',
    })
    server.answer(json(200, publicPhoto({ processing_complete: true, thumbnail_url: '/t/new', width: 3, height: 2 })))
    const main = open(photoOnly({ by: 'code', file: null, photo: unfinished, expiresAt: null }))
    await advance(2.1)
    expect(main.querySelector('.guest__picture')?.getAttribute('src')).toBe('/request-photo/abc?inline=1')
  })
})
