import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { GuestPage } from '@keepsnap/contract/rendering.ts'
import { eventually } from '../../test/eventually.ts'
import { eventMark, eventPage, kept, photo, photoId, photoOnly, request, show } from '../test/samples.ts'
import { enhanceEventPage } from './scanned-photos.ts'

const hourMs = 3_600_000
const key = 'scanned-photos'
const idOf = (number: number): string => `photo${String(number).padStart(17, '0')}`

/** Photos that the server no longer has; those that it sends by email; whether it answers. */
let closed: Set<string>
let byEmail: Set<string>
let isOnline: boolean
let calls: string[]
/** What was posted, and where. */
let sent: [string, unknown][]
/** What was shared, and how the share sheet ends. */
let shared: string[][]
let refuse: string | null

beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers({ now: Date.parse('2026-11-14T20:00:00Z'), toFake: ['Date'] })
  closed = new Set()
  byEmail = new Set()
  isOnline = true
  calls = []
  sent = []
  shared = []
  refuse = null
  vi.stubGlobal('fetch', async (url: string, options?: { body?: string }) => {
    calls.push(url)
    if (options?.body) sent.push([url, JSON.parse(options.body)])
    if (!isOnline) throw new TypeError('Failed to fetch')
    const [, id = ''] = /^\/photos\/(.*)\/public$/.exec(url) ?? []
    if (closed.has(id)) return Response.json({ detail: 'No' }, { status: 404 })
    if (id)
      return Response.json({
        filename: 'keepsnap-2026-11-14-2100.jpg',
        thumbnail_url: `/t/${id}`,
        ask_email_to_receive_photo: byEmail.has(id),
      })
    if (url.includes('request-email')) return Response.json({ detail: 'Yes' })
    return new Response(new Blob(['x'], { type: 'image/jpeg' }))
  })
  vi.stubGlobal('navigator', { onLine: true, userAgent: '' })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function canShare(): void {
  vi.stubGlobal('navigator', {
    onLine: true,
    userAgent: '',
    canShare: () => true,
    share: async ({ files }: { files: File[] }) => {
      if (refuse) throw Object.assign(new Error(), { name: refuse })
      shared.push(files.map(({ name }) => name))
    },
  })
}

const get = (selector: string): HTMLElement => document.querySelector<HTMLElement>(`[data-scanned] ${selector}`)!
const input = (name: string): HTMLInputElement => get(`[name=${name}]`) as HTMLInputElement // rendered so
const part = (name: string): HTMLElement => get(`[data-scanned-${name}]`)
const section = (): HTMLElement => document.querySelector<HTMLElement>('[data-scanned]')!
const summary = (): string | null => (section().hidden ? null : part('count').textContent)
const tiles = (): string[] =>
  Array.from(part('list').children, (tile) => Array.from(tile.querySelectorAll('a'), (one) => one.pathname).join(' '))
const saveLabel = (): string | null => (part('save').hidden ? null : part('save').textContent)
const stored = (): unknown[] => JSON.parse(localStorage.getItem(key) ?? '[]') as unknown[]

/** Shows a page and runs its script. */
function visit(page: GuestPage = eventPage({ emails: { required: true, answer: null } })): void {
  enhanceEventPage(show(page))
}
/** The page of a photo whose own code was scanned. */
const pageOf = (id: string, more: Partial<typeof kept> = {}): GuestPage =>
  photoOnly({
    by: 'code',
    photo: { ...photo, callsPath: `/photos/${id}` },
    kept: { ...kept, code: `code-${id}`, ...more },
  })
const scan = (count: number): void => {
  for (let number = 1; number <= count; number += 1) visit(pageOf(idOf(number)))
}
/** As after so many scans. */
const keep = (count: number): void => {
  const until = Date.now() + hourMs
  const photos = Array.from({ length: count }, (_, at) => ({ id: idOf(at), event: eventMark, until }))
  localStorage.setItem(key, JSON.stringify(photos.map((one) => ({ ...one, code: `code-${one.id}` })).reverse()))
}
function open(): void {
  const details = get('details') as HTMLDetailsElement // by its name
  details.open = true
  details.dispatchEvent(new Event('toggle'))
}

describe('what is kept', () => {
  test('scanned photos of an event, each once and the newest first, are listed on its page and on their own when there is another', () => {
    visit(pageOf(idOf(1)))
    expect(summary()).toBe(null)
    visit(pageOf(idOf(2)))
    expect(summary()).toBe('You have 2 photos of tonight')
    visit(pageOf(idOf(1)))
    visit()
    expect(summary()).toBe('You have 2 photos of tonight')
    expect(tiles()).toEqual([`/d/code-${idOf(1)}`, `/d/code-${idOf(2)}`])
    expect(calls).toEqual([])
  })

  test('a photo that was seen where it is sent by email is known by its id, and keeps the code by which it was known', () => {
    visit(request({ kept: { ...kept, code: photoId } }))
    visit()
    expect(tiles()).toEqual([`/request-photo/${photoId}`])
    visit(pageOf(photoId))
    visit(request({ kept: { ...kept, code: photoId } }))
    visit()
    expect(tiles()).toEqual([`/d/code-${photoId}`])
  })

  test('those of another event are kept apart', () => {
    scan(1)
    visit(pageOf(idOf(2), { event: 'another-event' }))
    expect(summary()).toBe(null)
    visit()
    expect(summary()).toBe('You have 1 photo of tonight')
  })

  test('pages of photos without an event keep nothing', () => {
    expect(show(photoOnly({ by: 'code' })).querySelector('[data-scanned]')).toBe(null)
  })

  test('after 48 hours they are gone, after Remember in 30 days', () => {
    scan(1)
    vi.setSystemTime(Date.now() + 47 * hourMs)
    visit()
    expect([summary(), part('lead').textContent]).toEqual([
      'You have 1 photo of tonight',
      'No face recognition. This list is kept on this phone alone, for 48 hours.',
    ])
    part('remember').click()
    expect([part('remember').hidden, part('lead').textContent]).toEqual([true, expect.stringContaining('30 days')])
    visit(pageOf(idOf(2)))
    vi.setSystemTime(Date.now() + 29 * 24 * hourMs)
    visit()
    expect(summary()).toBe('You have 2 photos of tonight')
    vi.setSystemTime(Date.now() + 24 * hourMs)
    visit()
    expect([summary(), localStorage.length]).toEqual([null, 0])
  })

  test('at most 200, the oldest go first', () => {
    keep(200)
    const photos = stored()
    visit(pageOf(idOf(200)))
    expect(stored()).toEqual([expect.objectContaining({ id: idOf(200) }), ...photos.slice(0, -1)])
  })

  test('Forget leaves nothing, of any event', () => {
    scan(2)
    visit(pageOf(idOf(3), { event: 'another-event' }))
    visit()
    part('forget').click()
    expect([localStorage.length, get('details').hidden, part('list').children.length]).toEqual([0, true, 0])
    expect(part('end').textContent).toBe('Forgotten. Nothing of this list is left on this phone.')
    visit()
    expect(summary()).toBe(null)
  })

  const valid = { id: idOf(1), event: eventMark, until: Date.parse('2026-11-14T21:00:00Z') }
  test.each([
    ['broken JSON', '[{"id":'],
    ['something else', '{"photos":1}'],
    ['null', 'null'],
    ['entries that are none', JSON.stringify([null, 1, 'x', [], {}])],
    ['an id that is a path', JSON.stringify([{ ...valid, id: '../x' }])],
    ['a code that is a path', JSON.stringify([{ ...valid, code: '/x' }])],
    ['a time far away', JSON.stringify([{ ...valid, until: 9e15 }])],
    ['a time that is none', JSON.stringify([{ ...valid, until: 'soon' }])],
  ])('%s in the storage is as if it were empty', (_, value) => {
    localStorage.setItem(key, value)
    visit()
    expect([summary(), localStorage.getItem(key)]).toEqual([null, null])
    scan(1)
    expect(stored()).toHaveLength(1)
  })

  test.each(['getItem', 'setItem'] as const)('the page works where %s of the storage throws', (name) => {
    const refuses = (): never => {
      throw new DOMException('full', 'QuotaExceededError')
    }
    vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {}, [name]: refuses })
    scan(2)
    expect(summary()).toBe(null)
  })
})

describe('the list', () => {
  test('shows thumbnails and Save where the gate allows; nothing is asked before it is opened', async () => {
    scan(2)
    byEmail.add(idOf(1))
    visit()
    expect(calls).toEqual([])
    open()
    await eventually(() => expect(part('status').textContent).toBe('Photos without Save are sent by email.'))
    expect(tiles()).toEqual([`/d/code-${idOf(2)} /d/code-${idOf(2)}`, `/d/code-${idOf(1)}`])
    expect(saveLabel()).toBe(null)
  })

  test('drops photos that are no longer shared, and says so', async () => {
    scan(2)
    closed.add(idOf(2))
    visit()
    open()
    await eventually(() => expect(summary()).toBe('You have 1 photo of tonight'))
    expect(part('status').textContent).toBe('1 photo is no longer shared and has left this list.')
    expect(stored()).toEqual([expect.objectContaining({ id: idOf(1) })])
    closed.add(idOf(1))
    visit()
    open()
    await eventually(() => expect(part('end').textContent).toBe('The photos that you had here are no longer shared.'))
    expect([get('details').hidden, localStorage.length]).toEqual([true, 0])
  })

  test('without a connection it says so, keeps all, and asks again when it is opened again', async () => {
    scan(1)
    visit()
    isOnline = false
    open()
    await eventually(() => expect(part('status').textContent).toContain('Check your connection'))
    isOnline = true
    open()
    await eventually(() => expect(tiles()).toEqual([`/d/code-${idOf(1)} /d/code-${idOf(1)}`]))
    expect(part('status').textContent).toBe('')
  })

  test('is sent in one email, the newest 50', async () => {
    keep(52)
    visit(request({ kept: { ...kept, code: photoId }, opensAt: '2026-11-14T21:00:00Z' }))
    expect(part('newest').textContent).toBe('The newest 50 go into the email.')
    input('email').value = 'lotte@example.com'
    input('tell_me').checked = true
    get('form').dispatchEvent(new Event('submit', { cancelable: true }))
    const codes = [photoId, ...Array.from({ length: 49 }, (_, at) => `code-${idOf(51 - at)}`)]
    const body = { email: 'lotte@example.com', website: '', language: 'en', codes, tell_me: true }
    await eventually(() => expect(sent).toEqual([['/d/request-email', body]]))
    await eventually(() => expect(get('[data-sent]').hidden).toBe(false))
  })
})

describe('save all', () => {
  beforeEach(canShare)
  const ready = (label: string) => eventually(() => expect(saveLabel()).toBe(label))

  test('shares ten at a time, loaded before the tap, and then the next', async () => {
    keep(12)
    visit()
    open()
    await ready('Save the first 10')
    expect(calls.filter((url) => url.includes('?screen=1'))).toHaveLength(10)
    part('save').click()
    await ready('Save the next 2')
    expect(shared.map((names) => names.length)).toEqual([10])
    expect(new Set(shared[0]).size).toBe(10)
    expect(calls.filter((url) => url.includes('?download=1'))).toHaveLength(10)
    part('save').click()
    await eventually(() => expect(part('status').textContent).toBe('That was all of them.'))
    expect([shared.map((names) => names.length), saveLabel()]).toEqual([[10, 2], null])
  })

  test('shows how many are loaded; what fails is loaded again by a tap', async () => {
    scan(2)
    visit()
    const answer = fetch
    const waiting: (() => void)[] = []
    let isLost = true
    vi.stubGlobal('fetch', async (url: string) => {
      if (!url.includes('?screen=1')) return answer(url)
      await new Promise<void>((resolve) => waiting.push(resolve))
      if (isLost && url.includes(idOf(1))) throw new TypeError('Failed to fetch')
      return answer(url)
    })
    open()
    await ready('Loading 0 of 2')
    waiting.shift()!()
    await ready('Loading 1 of 2')
    part('save').click()
    expect(shared).toEqual([])
    waiting.shift()!()
    await ready('Load again')
    expect(part('status').textContent).toContain('Check your connection')
    isLost = false
    part('save').click()
    await ready('Loading 1 of 2')
    waiting.shift()!()
    await ready('Save all')
    part('save').click()
    await eventually(() => expect(shared).toEqual([[expect.any(String), expect.any(String)]]))
  })

  test.each([
    ['AbortError', 'Save all', ''],
    ['NotAllowedError', 'Save all', 'The photos are ready. Tap again.'],
    ['DataError', null, 'They can’t be saved together here. Use Save below each photo.'],
  ])('after %s of the share sheet', async (name, label, sentence) => {
    scan(1)
    visit()
    open()
    await ready('Save all')
    refuse = name
    part('save').click()
    await eventually(() => expect([saveLabel(), part('status').textContent]).toEqual([label, sentence]))
  })
})
