import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { EventGuestPage } from '@keepsnap/contract/rendering.ts'
import { eventPage, show } from '../test/samples.ts'
import { enhanceGallery } from './gallery.ts'

interface Photo {
  token: string
  width: number
  height: number
  shown_at: string
}
const photo = (name: string): Photo => ({ token: name, width: 3, height: 2, shown_at: '2026-11-14T21:59:00Z' })
const photosOf = (...names: string[]): Photo[] => names.map(photo)
const range = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, at) => `p${String(last - at).padStart(4, '0')}`)

/** What the server lists, newest first, in pages of 60; the calls so far. */
let listed: string[]
let calls: string[]
const observers = new Set<{ callback: IntersectionObserverCallback; targets: Set<Element> }>()
/** Tells the script what is near the visible part. */
function scrollTo(isNear: (element: Element) => boolean): void {
  for (const { callback, targets } of observers) {
    const entries = [...targets].map((target) => ({ target, isIntersecting: isNear(target) }))
    callback(entries as unknown as IntersectionObserverEntry[], null as never) // the parts that the script reads
  }
}
const tokens = (): string[] =>
  Array.from(document.querySelectorAll<HTMLAnchorElement>('.gallery a'), ({ href }) => href.split('/').at(-1)!)
const poll = () => vi.advanceTimersByTimeAsync(12_000)

beforeEach(() => {
  vi.useFakeTimers()
  calls = []
  observers.clear()
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      watched: { callback: IntersectionObserverCallback; targets: Set<Element> }
      constructor(callback: IntersectionObserverCallback) {
        this.watched = { callback, targets: new Set() }
        observers.add(this.watched)
      }
      observe(target: Element): void {
        this.watched.targets.add(target)
      }
      unobserve(target: Element): void {
        this.watched.targets.delete(target)
      }
    },
  )
  vi.stubGlobal('fetch', async (url: string) => {
    calls.push(url)
    const before = new URL(url, 'https://fotos.example').searchParams.get('before')
    const from = before === null ? 0 : listed.indexOf(before) + 1
    const names = listed.slice(from, from + 60)
    const next = from + 60 < listed.length ? (names.at(-1) ?? null) : null
    return new Response(JSON.stringify({ photos: photosOf(...names), next }), { headers: { etag: names.join() } })
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function open(...names: string[]): void {
  openPage(names)
}
function openPage(names: string[], more: Partial<EventGuestPage> = {}): void {
  listed = names
  const shown = names.slice(0, 60)
  enhanceGallery(
    show(eventPage({ photos: photosOf(...shown), next: names.length > 60 ? shown.at(-1)! : null, ...more })),
  )
}

test('new photos appear and hidden ones go while the page is open, each in its place', async () => {
  open('c', 'b', 'a')
  listed = ['e', 'd', 'c', 'x', 'a']
  await poll()
  expect(tokens()).toEqual(['e', 'd', 'c', 'x', 'a'])
  expect(document.querySelector('.gallery img')?.getAttribute('alt')).toMatch(/^Photo, Saturday/)
  listed = []
  await poll()
  expect([tokens(), document.querySelector<HTMLElement>('[data-empty]')?.hidden]).toEqual([[], false])
})

test('guests who have scrolled are told of new photos, and hidden ones go at once', async () => {
  open('c', 'b', 'a')
  Object.defineProperty(window, 'pageYOffset', { value: 5_000, configurable: true })
  vi.stubGlobal('scrollTo', () => {})
  listed = ['d', 'c', 'a']
  await poll()
  const button = document.querySelector<HTMLElement>('[data-new]')!
  expect([tokens(), button.hidden]).toEqual([['c', 'a'], false])
  button.click()
  expect([tokens(), button.hidden]).toEqual([['d', 'c', 'a'], true])
  Object.defineProperty(window, 'pageYOffset', { value: 0, configurable: true })
})

test('more than a page of new photos begins the list anew', async () => {
  open(...range(1, 10))
  listed = range(1, 100)
  await poll()
  expect(tokens()).toEqual(range(41, 100))
})

test('of thousands of photos only those near the visible part are in the page', async () => {
  open(...range(1, 1_000))
  const more = document.querySelector('[data-more]')!
  const last = () => [...document.querySelectorAll('.gallery')].slice(-3)
  for (let page = 0; page < 20; page++) {
    scrollTo((element) => element === more || last().includes(element))
    await vi.advanceTimersByTimeAsync(0)
    expect(tokens().length).toBeLessThanOrEqual(400)
  }
  expect(document.querySelectorAll('.gallery')).toHaveLength(Math.ceil(1_000 / 60))
  expect([tokens().at(-1), more.hasAttribute('hidden')]).toEqual(['p0001', true])
  // And all of them come back.
  scrollTo((element) => element === document.querySelector('.gallery'))
  expect(tokens()).toEqual(range(941, 1_000))
  expect(calls.filter((url) => url.includes('before=')).length).toBe(Math.ceil(1_000 / 60) - 1)
})

test('photos that come into the first page when others are hidden are shown once', async () => {
  open(...range(1, 100))
  listed = range(1, 100).filter((name) => name !== 'p0090' && name !== 'p0080')
  await poll()
  scrollTo(() => true)
  await vi.advanceTimersByTimeAsync(0)
  expect(tokens()).toEqual(listed)
})

test('in the order of time taken, new and older photos are asked for in that order, and put where the list has them', async () => {
  openPage(range(1, 100), { order: 'taken' })
  const { path } = eventPage()
  expect(document.querySelector('[data-more] a')?.getAttribute('href')).toBe(`${path}?order=taken&before=p0041`)
  listed = [...range(91, 100), 'new', ...range(1, 90)]
  await poll()
  expect(tokens().slice(9, 12)).toEqual(['p0091', 'new', 'p0090'])
  scrollTo(() => true)
  await vi.advanceTimersByTimeAsync(0)
  expect(tokens()).toEqual(listed)
  expect(calls.slice(1)).toEqual([`${path}/photos?order=taken&`, `${path}/photos?order=taken&before=p0041`])
})

test('every row but the last is full: it takes photos of the next page', async () => {
  // Seven photos in a row.
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(1_100)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(100)
  vi.spyOn(HTMLElement.prototype, 'offsetTop', 'get').mockImplementation(function (this: HTMLElement) {
    return Math.floor([...this.parentElement!.children].indexOf(this) / 7)
  })
  const counts = () => Array.from(document.querySelectorAll('.gallery'), ({ children }) => children.length)
  open(...range(1, 100))
  scrollTo(() => true)
  await vi.advanceTimersByTimeAsync(0)
  expect([counts(), tokens()]).toEqual([[63, 37], range(1, 100)])
  listed = range(1, 101)
  await poll()
  expect([counts(), tokens()]).toEqual([[7, 63, 31], range(1, 101)])
})

test('a scan is counted once, not when a guest comes back from a photo', () => {
  open('a')
  expect(calls).toEqual([`${eventPage().path}/visits`])
  location.hash = '#photos'
  open('a')
  expect(calls).toHaveLength(1)
  location.hash = ''
})
