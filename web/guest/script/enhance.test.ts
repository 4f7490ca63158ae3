import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { file, photo, photoOnly, request, show } from '../test/samples.ts'
import type { GuestPage } from '@keepsnap/contract/guest.ts'
import { enhance } from './enhance.ts'
import { soon } from '../../test/soon.ts'

interface Asked {
  path: string
  body: unknown
}
let asked: Asked[]
/** What the server answers, next first; the last one stays. A function is asked; null is no connection. */
let answers: (Response | null | Promise<Response>)[]
const json = (status: number, body: unknown): Response => Response.json(body, { status })
const seen = (more: object) => ({ processing_complete: false, thumbnail_url: null, width: null, height: null, ...more })

beforeEach(() => {
  asked = []
  answers = []
  vi.stubGlobal('fetch', async (path: string, options?: { body?: string }) => {
    asked.push({ path, body: options?.body ? JSON.parse(options.body) : undefined })
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    if (!answer) throw new TypeError('Failed to fetch')
    return (await answer).clone()
  })
  vi.spyOn(HTMLImageElement.prototype, 'decode').mockResolvedValue()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const open = (page: GuestPage): HTMLElement => {
  const main = show(page)
  enhance(main)
  return main
}
const settled = (): Promise<void> => soon(() => expect(document.querySelector('[aria-busy=true]')).toBeNull())
const field = (): HTMLInputElement => document.querySelector('[name=email]')!
const form = (): HTMLFormElement => document.querySelector('form[data-request]')!
const submit = (email?: string): void => {
  if (email !== undefined) field().value = email
  form().dispatchEvent(new Event('submit', { cancelable: true, bubbles: true }))
}
const error = (): string => (document.querySelector<HTMLElement>('.error:not([hidden])')?.textContent ?? '').trim()
const failure = (): string => document.querySelector('[data-failed]:not([hidden])')?.textContent ?? ''
const sent = (): HTMLElement => document.querySelector('[data-sent]')!

describe('asking for a photo', () => {
  test.each([
    ['', 'Please enter your e-mail address'],
    ['lotte', 'needs a name, an @'],
    ['lotte@example', 'This address misses its ending, such as .com or .be'],
    ['a@example.com, b@example.com', 'Please enter one address only'],
    ['lot te@example.com', 'has a space in it'],
    ['löttë@example.com', 'letters that mail cannot use'],
    [`${'a'.repeat(260)}@example.com`, 'too long'],
    ['lotte..j@example.com', 'does not look like'],
  ])('%j is not sent; the field says why and has the focus', (email, sentence) => {
    open(request())
    submit(email)
    expect(error()).toContain(sentence)
    expect([document.activeElement, field().getAttribute('aria-invalid')]).toEqual([field(), 'true'])
    expect(asked).toEqual([])
  })

  test('an accepted request repeats the address and moves the focus there', async () => {
    answers = [json(200, { detail: 'yes' })]
    open(request())
    submit('  lotte@example.com ')
    await soon(() => expect(sent().hidden).toBe(false))
    const path = `/photos/${photo.id}/request-email`
    expect(asked).toEqual([{ path, body: { email: 'lotte@example.com', website: '' } }])
    expect(sent().textContent).toContain('lotte@example.com')
    expect([form().hidden, document.activeElement]).toEqual([true, sent().querySelector('h1')])
  })

  test('the trap is passed on when a program fell into it', async () => {
    answers = [json(200, {})]
    open(request())
    document.querySelector<HTMLInputElement>('[name=website]')!.value = 'http://spam.example'
    submit('lotte@example.com')
    await soon(() => expect(sent().hidden).toBe(false))
    expect(asked[0]?.body).toEqual({ email: 'lotte@example.com', website: 'http://spam.example' })
  })

  test('pressing twice sends once, and the button says that it works', async () => {
    const late = Promise.withResolvers<Response>()
    answers = [late.promise]
    open(request())
    submit('lotte@example.com')
    submit()
    const button = form().querySelector('.btn--primary')!
    expect([button.getAttribute('aria-busy'), button.textContent, field().readOnly]).toEqual(['true', 'Sending', true])
    late.resolve(json(200, {}))
    await soon(() => expect(sent().hidden).toBe(false))
    expect(asked).toHaveLength(1)
    expect([button.getAttribute('aria-busy'), button.textContent]).toEqual([null, 'Send Photo'])
  })

  test('"Send to another address" gives an empty form', async () => {
    answers = [json(200, {})]
    open(request())
    submit('lotte@example.com')
    await soon(() => expect(sent().hidden).toBe(false))
    sent().querySelector<HTMLElement>('[data-another]')!.click()
    expect([sent().hidden, form().hidden, field().value, document.activeElement]).toEqual([true, false, '', field()])
    submit('bram@example.com')
    await soon(() => expect(sent().textContent).toContain('bram@example.com'))
  })

  test.each([
    ['a broken server', json(500, { detail: 'Inner trouble' }), 'Failed to submit request. Please try again later.'],
    [
      'a refusal',
      json(429, { detail: 'Too many letters.' }),
      'Failed to submit request. Please try again later. Too many letters.',
    ],
    [
      'an answer that is none',
      new Response('<html>', { status: 502 }),
      'Failed to submit request. Please try again later.',
    ],
    ['no answer', null, 'Failed to submit request. Please try again later.'],
  ])('%s keeps what was typed and says so', async (_, answer, sentence) => {
    answers = [answer]
    open(request())
    submit('lotte@example.com')
    await soon(() => expect(failure()).toBe(sentence))
    expect([field().value, field().readOnly, form().hidden]).toEqual(['lotte@example.com', false, false])
    expect(document.activeElement).toBe(document.querySelector('[data-failed]'))
    answers = [json(200, {})]
    submit()
    await soon(() => expect(sent().hidden).toBe(false))
  })

  test('being offline is said as such', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    answers = [null]
    open(request())
    submit('lotte@example.com')
    await soon(() => expect(failure()).toContain('You seem to be offline.'))
  })

  test('an address that the server refuses is said at the field', async () => {
    answers = [json(422, { code: 'invalid', detail: [{ loc: ['body', 'email'], msg: 'No mailbox there' }] })]
    open(request())
    submit('lotte@example.com')
    await soon(() => expect(error()).toBe('No mailbox there'))
  })
})

describe('waiting for a photo', () => {
  const waiting = { ...photo, thumbnailUrl: null, width: null, height: null }
  beforeEach(() => {
    vi.useFakeTimers()
  })
  const pass = (seconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(seconds * 1000)

  test('it appears by itself, in its own shape, and no further calls are made', async () => {
    answers = [
      json(200, seen({})),
      json(200, seen({ processing_complete: true, thumbnail_url: '/t/new', width: 800, height: 1200 })),
    ]
    const main = open(request({ processing: true, photo: waiting }))
    await pass(1.9)
    expect(asked).toEqual([])
    await pass(0.2)
    expect(asked).toEqual([{ path: `/photos/${photo.id}/public`, body: undefined }])
    await pass(2)
    expect(main.querySelector('.guest__picture')?.getAttribute('src')).toBe('/t/new')
    expect(main.querySelector('.guest__shape')?.getAttribute('src')).toContain("width='800' height='1200'")
    expect(main.querySelector('output')?.textContent).toBe('Your photo is here.')
    document.dispatchEvent(new Event('visibilitychange'))
    await pass(60)
    expect(asked).toHaveLength(2)
  })

  test('it asks less often when it takes long, or when nothing answers', async () => {
    answers = [null]
    open(request({ processing: true, photo: waiting }))
    await pass(600)
    expect(asked.length).toBeGreaterThan(15)
    expect(asked.length).toBeLessThan(30)
  })

  test('it rests while nobody looks, and goes on when somebody does', async () => {
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    answers = [json(200, seen({}))]
    open(request({ processing: true, photo: waiting }))
    await pass(30)
    expect(asked).toEqual([])
    hidden.mockReturnValue(false)
    document.dispatchEvent(new Event('visibilitychange'))
    await pass(2.1)
    expect(asked).toHaveLength(1)
  })

  test.each([
    [
      'a letter’s page, when it is there',
      photoOnly({ file: null, photo: waiting }),
      json(200, seen({ processing_complete: true })),
    ],
    ['any page, when it is gone', request({ processing: true, photo: waiting }), json(404, { code: 'not_found' })],
  ])('the server draws the next page: %s', async (_, page, answer) => {
    const reload = vi.spyOn(window.location, 'reload').mockReturnValue()
    answers = [answer]
    open(page)
    await pass(2.1)
    expect(reload).toHaveBeenCalledOnce()
  })

  test('behind a code, the download is offered in place: its address is the file itself', async () => {
    answers = [json(200, seen({ processing_complete: true, thumbnail_url: '/t/new', width: 3, height: 2 }))]
    const main = open(photoOnly({ by: 'code', file: null, photo: waiting, expiresAt: null }))
    const link = main.querySelector<HTMLElement>('[data-later]')!
    expect(link.hidden).toBe(true)
    await pass(2.1)
    expect(link.hidden).toBe(false)
    expect(link.querySelector('a')?.getAttribute('href')).toBe('/request-photo/abc?download=1')
  })
})

describe('saving on iOS', () => {
  const share = vi.fn<(what: ShareData) => Promise<void>>()
  const button = (): HTMLAnchorElement => document.querySelector('[data-save]')!
  const say = (): string => document.querySelector('.guest__say')?.textContent ?? ''
  /** Whether the tap was taken over; if not, the browser follows the plain link. */
  const tap = (): boolean => !button().dispatchEvent(new MouseEvent('click', { cancelable: true, bubbles: true }))
  const ios = photoOnly({ ios: true })
  beforeEach(() => {
    share.mockReset().mockResolvedValue()
    vi.stubGlobal('navigator', { onLine: true, canShare: () => true, share })
    vi.stubGlobal('matchMedia', () => ({ matches: false }))
  })

  test('the file is ready before the tap, under its neutral name', async () => {
    answers = [new Response('the photo')]
    const main = open(ios)
    await soon(() => expect(main.querySelector('.guest__picture')?.getAttribute('src')).toMatch(/^blob:/))
    expect(asked).toEqual([{ path: file.inlineUrl, body: undefined }])
    expect(tap()).toBe(true)
    await soon(() => expect(share).toHaveBeenCalledOnce())
    const [shared] = share.mock.calls[0]![0].files!
    expect([shared?.name, shared?.type, await shared?.text()]).toEqual([photo.filename, 'image/jpeg', 'the photo'])
  })

  test('an early tap shows at once that the photo is on its way', async () => {
    const late = Promise.withResolvers<Response>()
    answers = [late.promise]
    open(ios)
    tap()
    tap()
    expect([button().getAttribute('aria-busy'), button().textContent]).toEqual(['true', 'Getting your photo'])
    expect(button().querySelector('.spin')).not.toBeNull()
    share.mockRejectedValue(new DOMException('too late', 'NotAllowedError'))
    late.resolve(new Response('the photo'))
    await settled()
    await soon(() => expect(say()).toBe('Your photo is ready. Tap Save once more.'))
    share.mockResolvedValue()
    tap()
    await soon(() => expect(share).toHaveBeenCalledTimes(2))
    expect([button().textContent, say()]).toEqual(['Save', ''])
  })

  test('a share that never ends does not lock the button', async () => {
    share.mockReturnValue(new Promise(() => {}))
    answers = [new Response('the photo')]
    const main = open(ios)
    await soon(() => expect(main.querySelector('.guest__picture')?.getAttribute('src')).toMatch(/^blob:/))
    tap()
    tap()
    await soon(() => expect(share).toHaveBeenCalledTimes(2))
  })

  test.each([
    ['the file cannot be fetched', () => (answers = [json(404, {})])],
    ['the phone takes no files', () => vi.stubGlobal('navigator', { onLine: true, canShare: () => false, share })],
    ['the page came over plain http', () => vi.stubGlobal('navigator', { onLine: true })],
  ])('the plain link stays when %s', async (_, arrange) => {
    answers = [new Response('the photo')]
    arrange()
    open(ios)
    await soon(() => expect(tap()).toBe(false))
    expect(share).not.toHaveBeenCalled()
    expect(button().getAttribute('href')).toBe(file.downloadUrl)
  })

  test('sharing the link is offered where the browser can, and nowhere else', async () => {
    answers = [new Response('the photo')]
    open(photoOnly())
    const second = document.querySelector<HTMLButtonElement>('[data-share]')!
    expect(second.hidden).toBe(false)
    second.click()
    expect(share).toHaveBeenCalledWith({ title: 'Your photo · Keepsnap', url: window.location.href })
    vi.stubGlobal('navigator', { onLine: true })
    open(photoOnly())
    expect(document.querySelector<HTMLButtonElement>('[data-share]')?.hidden).toBe(true)
  })
})

test('size and time are said as this phone says them', () => {
  const spoken = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
  open(photoOnly())
  expect(document.querySelector('time')?.textContent).toContain(spoken.format(new Date('2026-11-17T22:51:00Z')))
  expect(document.querySelector('time')?.textContent).not.toContain('UTC')
  expect(document.querySelector('[data-number]')?.textContent).toBe((2.4).toLocaleString())
})

test('a large screen gets the large picture, a phone saves its data', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  const main = open(photoOnly())
  await soon(() => expect(main.querySelector('.guest__picture')?.getAttribute('src')).toBe(file.inlineUrl))
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  expect(open(photoOnly()).querySelector('.guest__picture')?.getAttribute('src')).toBe(photo.thumbnailUrl)
})

describe('reporting a photo', () => {
  const report = (): HTMLFormElement => document.querySelector('form[data-report]')!
  const send = (reason: string, note = ''): void => {
    report().querySelector<HTMLInputElement>(`[value=${reason}]`)!.checked = true
    report().querySelector<HTMLTextAreaElement>('[name=note]')!.value = note
    report().dispatchEvent(new Event('submit', { cancelable: true, bubbles: true }))
  }
  const thanks = (): HTMLElement => document.querySelector('[data-thanks]')!

  test('sends reason and note once, and says thanks in place', async () => {
    answers = [json(200, {})]
    open(photoOnly())
    send('child', 'The girl in the middle')
    send('child', 'The girl in the middle')
    await soon(() => expect(thanks().hidden).toBe(false))
    const body = { reason: 'child', note: 'The girl in the middle' }
    expect(asked).toEqual([{ path: `/photos/${photo.id}/report`, body }])
    expect([report().hidden, document.activeElement]).toEqual([true, thanks()])
  })

  test('leaves out an empty note, and keeps the form when it fails', async () => {
    answers = [null]
    open(photoOnly())
    send('me')
    await soon(() => expect(document.activeElement?.textContent).toContain('The report could not be sent.'))
    expect(asked[0]?.body).toEqual({ reason: 'me' })
    expect([report().hidden, thanks().hidden]).toEqual([false, true])
  })
})
