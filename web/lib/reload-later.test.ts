import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reloadLater } from './reload-later.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A page that breaks again after each reload, at a server that may be down; the seconds at which it has reloaded. */
function openPage({ isServerUp = () => true }: { isServerUp?: () => boolean } = {}) {
  const start = Date.now()
  const reloads: number[] = []
  const shown = new AbortController()
  let state: unknown = { idx: 3 }
  const page = {
    dispatchEvent: () => true,
    history: {
      get state() {
        return state
      },
      replaceState: (next: unknown) => (state = next),
    },
    location: {
      reload() {
        reloads.push((Date.now() - start) / 1000)
        show()
      },
    },
  }
  const call = async () => {
    if (!isServerUp()) throw new Error('no network')
  }
  // The function uses only what is here.
  const show = () => void reloadLater(page as unknown as Window, { call } as never, shown.signal)
  show()
  return { reloads, shown, state: () => state }
}

test('a page that breaks again and again reloads itself, each time later, at least every five minutes', async () => {
  const { reloads, state } = openPage()
  await vi.advanceTimersByTimeAsync(1_300_000)
  expect(reloads).toEqual([10, 30, 70, 150, 310, 610, 910, 1210])
  expect(state()).toMatchObject({ idx: 3, reloads: { count: 8 } })
})

test('it waits for the server, even for an hour', async () => {
  let isUp = false
  const { reloads } = openPage({ isServerUp: () => isUp })
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(reloads).toEqual([])
  isUp = true
  await vi.advanceTimersByTimeAsync(6_000)
  expect(reloads).toHaveLength(1)
})

test('it does not reload when another page is shown meanwhile', async () => {
  const { reloads, shown } = openPage()
  shown.abort()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(reloads).toEqual([])
})
