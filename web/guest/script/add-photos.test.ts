import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Adding, OwnPhoto, OwnPhotos } from '@keepsnap/contract/event-photos.ts'
import { eventually } from '../../test/eventually.ts'
import { catalogueIn } from '../../messages/catalogues.ts'
import { createFormat } from '../../lib/format.ts'
import { eventPage, rendererIn, show } from '../test/samples.ts'
import { enhanceAddPhotos } from './add-photos.ts'

interface Call {
  method: string
  path: string
  key: string | undefined
  json: unknown
  answer(status: number, body?: unknown, headers?: Record<string, string>): void
  progress(share: number): void
}

/** Calls that were made and have no answer yet, the oldest first. */
let calls: Call[] = []
/** Stands for the browser's, which happy-dom sends over the network. */
class FakeRequest extends EventTarget {
  upload = new EventTarget()
  status = 0
  responseText = ''
  #headers: Record<string, string> = {}
  #sent: Record<string, string> = {}
  #target: [string, string] = ['', '']
  open(...target: [string, string]): void {
    this.#target = target
  }
  setRequestHeader(name: string, value: string): void {
    this.#sent[name] = value
  }
  getResponseHeader = (name: string): string | null => this.#headers[name] ?? null
  abort(): void {
    calls = calls.filter(({ answer }) => answer !== this.#answer)
    this.dispatchEvent(new Event('abort'))
  }
  #answer = (status: number, body: unknown = null, headers: Record<string, string> = {}): void => {
    calls = calls.filter(({ answer }) => answer !== this.#answer)
    Object.assign(this, { status, responseText: JSON.stringify(body) })
    this.#headers = headers
    this.dispatchEvent(new Event(status ? 'load' : 'error'))
  }
  send(body: unknown): void {
    const [method, path] = this.#target
    calls.push({
      method,
      path: path.replace(eventPage().path, ''),
      key: this.#sent['idempotency-key'],
      json: typeof body === 'string' ? JSON.parse(body) : undefined,
      answer: this.#answer,
      progress: (share) =>
        this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: share * 100, total: 100 })),
    })
  }
}

const adding = (more: Partial<Adding> = {}): Adding => ({
  state: 'open',
  sentence: null,
  left: 10,
  reviewed: true,
  file_bytes_max: 1_000,
  ends_at: null,
  ...more,
})
const ownPhoto = (token: string, state: OwnPhoto['state'] = 'waiting'): OwnPhoto => ({
  token,
  state,
  error_message: null,
  thumbnail_path: null,
  added_at: '2026-11-14T21:00:00Z',
  take_back_until: new Date(Date.now() + 60_000).toISOString(),
})
const mine = (more: Partial<OwnPhotos> = {}): OwnPhotos => ({
  contributor: { name: null },
  adding: adding(),
  photos: [],
  ...more,
})

let root: HTMLElement
const get = (selector: string): HTMLElement => root.querySelector<HTMLElement>(selector)!
const isShown = (selector: string): boolean => get(selector).closest('[hidden]') === null
const rows = (): string[] =>
  Array.from(root.querySelectorAll('.add__row'), (row) => row.querySelector('.add__state')!.textContent)
const closed = (): string | null => (isShown('[data-add-closed]') ? get('[data-add-closed]').textContent : null)
const press = (label: string): void => get(`[aria-label="${label}"]`).click()

/** The oldest call without an answer. */
async function nextCall(what: string): Promise<Call> {
  await eventually(() => expect(calls.map(({ method, path }) => `${method} ${path}`)).toContain(what))
  return calls.find(({ method, path }) => `${method} ${path}` === what)!
}
function choose(...files: File[]): void {
  const input = get('#add-files')
  Object.defineProperty(input, 'files', { value: files, configurable: true })
  Object.defineProperty(input, 'value', { value: '', writable: true, configurable: true })
  input.dispatchEvent(new Event('change'))
}
const file = (name = 'a.jpg', type = 'image/jpeg', bytes = 10): File => new File(['x'.repeat(bytes)], name, { type })

const english = rendererIn({ tag: 'en', text: null, format: createFormat('en') })
/** Opens the page at the view; answers its first call. */
async function open(state: Partial<OwnPhotos> | number = {}, using = english): Promise<void> {
  const main = show(eventPage({ state: 'off', photos: [], adding: { reviewed: true } }), using)
  root = main.querySelector<HTMLElement>('[data-add]')!
  enhanceAddPhotos(main, root)
  const call = await nextCall('GET /mine')
  if (typeof state === 'number') call.answer(state)
  else call.answer(200, mine(state))
  await eventually(() => expect(calls).toEqual([]))
}

beforeEach(() => {
  calls = []
  localStorage.clear()
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
  vi.stubGlobal('indexedDB', undefined)
  vi.spyOn(window, 'setTimeout')
  vi.spyOn(window, 'addEventListener')
  vi.spyOn(document, 'addEventListener')
})
// The page of this test would go on in the next one.
afterEach(() => {
  for (const { value } of vi.mocked(window.setTimeout).mock.results) window.clearTimeout(value as number)
  for (const target of [window, document])
    for (const [type, listener] of vi.mocked(target.addEventListener).mock.calls)
      target.removeEventListener(type, listener)
})

test.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)', 'image/jpeg,image/png'],
  ['Mozilla/5.0 (Linux; Android 16)', 'image/*'],
])('iPhones are asked for photos that they convert: %s', async (agent, accept) => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(agent)
  await open()
  expect((get('#add-files') as HTMLInputElement).accept).toBe(accept)
})

test('joins with the sentence of the page and the name, then sends two photos at a time with their progress', async () => {
  await open({ contributor: null })
  expect(get('[data-add-left]').textContent).toBe('Photos you can still add: 10')
  const name = get('#add-name') as HTMLInputElement
  name.value = ' Aunt Ann '
  choose(file('a.jpg'), file('b.jpg'), file('c.jpg'))
  const join = await nextCall('POST /join')
  expect(join.json).toEqual({ name: 'Aunt Ann', consent_version: root.dataset['consent'], language: 'en' })
  expect(rows()).toEqual(['Waiting to go up', 'Waiting to go up', 'Waiting to go up'])
  join.answer(200, mine({ contributor: { name: 'Aunt Ann' } }))
  await eventually(() => expect(calls).toHaveLength(2))
  calls[0]!.progress(0.644)
  expect(rows()).toEqual(['64%', '0%', 'Waiting to go up'])
  calls[1]!.progress(1)
  calls[0]!.answer(201, ownPhoto('A', 'processing'))
  await eventually(() => expect(rows()).toEqual(['In. Being prepared.', 'Sent. Being stored.', '0%']))
  expect(new Set(calls.map(({ key }) => key)).size).toBe(2)
  for (const call of calls) call.answer(201, ownPhoto(call.key!))
  await eventually(() => expect(rows()).toEqual(['In. Being prepared.', 'With the hosts', 'With the hosts']))
  expect(get('[data-add-say]').textContent).toBe('Your photos are in.')
  expect(localStorage.getItem('guest-name')).toBe('Aunt Ann')
  // The answers of the poll show what hosts decide.
  ;(await nextCall('GET /mine')).answer(200, mine({ photos: [ownPhoto('A', 'shown')] }))
  await eventually(() => expect(rows()[0]).toBe('Shown'))
})

test.each([
  ['waiting', 'The hosts have not looked at your last photos yet. You can add more once they have.'],
  ['full', 'No more photos can be added tonight.'],
  ['paused', 'The hosts have paused adding photos. Please try again later.'],
  ['ended', 'This evening has ended. Codes on printed photos still work.'],
  ['off', 'Guests cannot add photos here.'],
  ['blocked', 'The hosts do not take more photos from this phone.'],
] as const)('while adding is %s, it says so in place of the buttons', async (state, sentence) => {
  await open({ adding: adding({ state, left: 0 }), photos: [ownPhoto('A', 'not_taken')] })
  expect([closed(), isShown('[data-add-choose]')]).toEqual([sentence, false])
  expect([!get('[data-add-open]').hidden, get('[data-add-open]').textContent]).toEqual([
    state !== 'blocked',
    'Your photos',
  ])
  expect(rows()).toEqual(['The hosts did not take it.'])
})

test('a guest whom the hosts have blocked sees the sentence in place of the button of the page', async () => {
  localStorage.setItem('guest-name', '')
  const main = show(eventPage({ adding: { reviewed: true } }))
  root = main.querySelector<HTMLElement>('[data-add]')!
  enhanceAddPhotos(main, root)
  expect(isShown('[data-add-open]')).toBe(true)
  ;(await nextCall('GET /mine')).answer(200, mine({ adding: adding({ state: 'blocked', left: 0 }) }))
  await eventually(() => expect(isShown('[data-add-open]')).toBe(false))
  expect(get('[data-add-summary]').textContent).toBe('The hosts do not take more photos from this phone.')
})

test('when it cannot be asked what can be added, files can be chosen, and it is asked again', async () => {
  await open(0)
  expect(isShown('[data-add-choose]')).toBe(true)
  const again = await nextCall('GET /mine')
  again.answer(404)
  await eventually(() => expect(closed()).toBe('Guests cannot add photos here.'))
})

test('takes no more files than fit, no videos, and none that are too large', async () => {
  await open({ adding: adding({ left: 3 }) })
  choose(file('a.mp4', 'video/mp4'), file('b.jpg', 'image/jpeg', 1_001), file(), file())
  await nextCall('POST /mine')
  expect(rows()).toEqual([
    'Only photos can be added here.',
    'This file is too large. Please choose a smaller one.',
    '0%',
  ])
  expect(get('[data-add-say]').textContent).toContain('More photos than fit now: 1 were left out.')
})

test('goes on by itself after a lost connection, with the same key, and says to keep the page open where nothing can be stored', async () => {
  await open()
  choose(file())
  const first = await nextCall('POST /mine')
  await eventually(() => expect(get('[data-add-say]').textContent).toContain('Keep this page open'))
  first.answer(0)
  await eventually(() => expect(rows()).toEqual(['No connection. It goes up by itself when you are back.']))
  window.dispatchEvent(new Event('online'))
  const again = await nextCall('POST /mine')
  expect(again.key).toBe(first.key)
})

test('waits as long as a busy server asks', async () => {
  await open()
  choose(file())
  ;(await nextCall('POST /mine')).answer(503, { detail: 'Busy' }, { 'retry-after': '7' })
  await eventually(() => expect(rows()).toEqual(['Many photos arrive right now. It goes up by itself.']))
  expect(vi.mocked(window.setTimeout).mock.calls.map(([, ms]) => ms)).toContain(7_000)
})

test('puts photos back when the page is left, and goes on when it is open again', async () => {
  await open()
  choose(file())
  const { key } = await nextCall('POST /mine')
  window.dispatchEvent(new Event('pagehide'))
  expect([rows(), calls]).toEqual([['Waiting to go up'], []])
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  expect((await nextCall('POST /mine')).key).toBe(key)
})

test('joins again when the server does not know the guest, and stops where the browser keeps no cookies', async () => {
  await open()
  choose(file())
  for (let round = 0; round < 3; round += 1) {
    ;(await nextCall('POST /mine')).answer(401, { detail: 'Join' })
    if (round < 2) (await nextCall('POST /join')).answer(200, mine())
  }
  const sentence = 'Your browser keeps no cookies here. Please open this page in another browser.'
  await eventually(() => expect([rows(), closed()]).toEqual([[sentence], sentence]))
  expect(isShown('[data-add-say]')).toBe(false)
})

test('a name that is refused does not keep photos back', async () => {
  await open({ contributor: null })
  ;(get('#add-name') as HTMLInputElement).value = 'www.example.com'
  choose(file())
  const refusal = { detail: [{ loc: ['body', 'name'], msg: 'No link' }] }
  ;(await nextCall('POST /join')).answer(422, refusal)
  const again = await nextCall('POST /join')
  expect([again.json, isShown('#add-name-error')]).toEqual([expect.not.objectContaining({ name: 'x' }), true])
  expect(again.json).not.toHaveProperty('name')
  again.answer(200, mine())
  await nextCall('POST /mine')
})

test('when nothing fits any more, the others wait and the page says why', async () => {
  await open()
  choose(file(), file('b.jpg'), file('c.jpg'))
  ;(await nextCall('POST /mine')).answer(403, { detail: 'No more photos can be added tonight.' })
  ;(await nextCall('GET /mine')).answer(200, mine({ adding: adding({ state: 'full', left: 0 }) }))
  await eventually(() => expect(closed()).toBe('No more photos can be added tonight.'))
  expect(rows()).toEqual(['Waiting to go up', '0%', 'Waiting to go up'])
})

test('shows the server’s reasons in the language of the page', async () => {
  const french = rendererIn({ tag: 'fr', text: catalogueIn('fr'), format: createFormat('fr') })
  const failed = {
    ...ownPhoto('A', 'failed'),
    error_message:
      'This image has more than 100 megapixels, which is more than we can process. Please make it smaller and upload it again.',
  }
  await open({ photos: [failed, { ...failed, token: 'B', error_message: 'Unknown.' }] }, french)
  expect(rows()[0]).toMatch(/^Cette image .*100 mégapixels/)
  expect(rows()[1]).toBe('Cette photo ne peut pas être utilisée. Choisissez-en une autre.')
})

test('takes a photo back after a question, and moves the focus to the next one', async () => {
  await open({ photos: [ownPhoto('A'), ownPhoto('B'), { ...ownPhoto('C'), take_back_until: null }] })
  const buttons = Array.from(root.querySelectorAll('[data-remove]:not([hidden])'), (one) =>
    one.getAttribute('aria-label'),
  )
  expect(buttons).toEqual(['Take back (Photo 3)', 'Take back (Photo 2)'])
  press('Take back (Photo 3)')
  expect([document.activeElement?.textContent, calls]).toEqual(['Take back', []])
  ;(document.activeElement as HTMLElement).click()
  ;(await nextCall('DELETE /mine/A')).answer(204)
  await eventually(() => expect(rows()).toHaveLength(2))
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Take back (Photo 2)')
  // An answer from before does not bring it back.
  ;(await nextCall('GET /mine')).answer(200, mine({ photos: [ownPhoto('A'), ownPhoto('B')] }))
  await eventually(() => expect(rows()).toHaveLength(1))
  expect(get('[data-add-say]').textContent).toContain('The photo was taken back.')
})
