import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { beforeReloadEvent, reloadWhenChunksAreMissing } from './reload-missing-chunks.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A page whose server answers, unless `isServerUp` says no; the number of its reloads. */
function openPage({ isServerUp = () => true }: { isServerUp?: () => boolean } = {}) {
  const events = new EventTarget()
  let state: unknown = null
  const reload = vi.fn<() => void>()
  const page = {
    addEventListener: events.addEventListener.bind(events),
    dispatchEvent: events.dispatchEvent.bind(events),
    history: {
      get state() {
        return state
      },
      replaceState: (next: unknown) => (state = next),
    },
    location: { reload },
  }
  const call = async () => {
    if (!isServerUp()) throw new Error('no network')
  }
  // The function uses only what is here.
  reloadWhenChunksAreMissing(page as unknown as Window, { call } as never)
  return {
    reload,
    events,
    dispatch: (name: string) => events.dispatchEvent(Object.assign(new Event(name), { payload: {} })),
  }
}

test('a missing chunk reloads the page, once', async () => {
  const { reload, dispatch } = openPage()
  dispatch('vite:preloadError')
  dispatch('vite:preloadError')
  await vi.advanceTimersByTimeAsync(0)
  expect(reload).toHaveBeenCalledTimes(1)
  dispatch('vite:preloadError')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(reload).toHaveBeenCalledTimes(1)
})

test('without a server the page waits until there is one', async () => {
  let isUp = false
  const { reload, dispatch } = openPage({ isServerUp: () => isUp })
  dispatch('vite:preloadError')
  await vi.advanceTimersByTimeAsync(20_000)
  expect(reload).not.toHaveBeenCalled()
  isUp = true
  await vi.advanceTimersByTimeAsync(5_000)
  expect(reload).toHaveBeenCalledTimes(1)
})

test('a chunk that is stopped because the page is left does not lead back to the page', async () => {
  const { reload, dispatch } = openPage()
  dispatch('beforeunload')
  dispatch('vite:preloadError')
  await vi.advanceTimersByTimeAsync(29_000)
  expect(reload).not.toHaveBeenCalled()
})

test('a page that was not left after all is reloaded', async () => {
  const { reload, dispatch } = openPage()
  dispatch('beforeunload')
  dispatch('vite:preloadError')
  await vi.advanceTimersByTimeAsync(31_000)
  expect(reload).toHaveBeenCalledTimes(1)
})

test('a page whose data would be lost is not reloaded, until a chunk is missing when it no longer would be', async () => {
  const { reload, events, dispatch } = openPage()
  const prevent = (event: Event) => event.preventDefault()
  events.addEventListener(beforeReloadEvent, prevent)
  dispatch('vite:preloadError')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(reload).not.toHaveBeenCalled()
  events.removeEventListener(beforeReloadEvent, prevent)
  dispatch('vite:preloadError')
  await vi.advanceTimersByTimeAsync(0)
  expect(reload).toHaveBeenCalledTimes(1)
})
