import { beforeEach, describe, expect, test, vi } from 'vitest'
import { beforeReloadEvent, reloadLater, reloadWhenChunksAreMissing, waitForServer } from './reload.ts'
import { NetworkError } from './api-errors.ts'

/** A page at a server that may be down, with what the functions use of a window. */
function fakePage({ isServerUp = (): boolean => true, state = null as unknown, onReload = () => {} }) {
  const events = new EventTarget()
  const reload = vi.fn<() => void>(onReload)
  const call = async () => {
    if (!isServerUp()) throw new NetworkError('unreachable')
  }
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
  return { page: page as unknown as Window, api: { call } as never, events, reload, state: () => state }
}

beforeEach(() => void vi.useFakeTimers())

describe('reload later', () => {
  /** A page that breaks again after each reload; the seconds at which it has reloaded. */
  function openPage({ isServerUp = () => true }: { isServerUp?: () => boolean } = {}) {
    const start = Date.now()
    const reloads: number[] = []
    const shown = new AbortController()
    const onReload = (): void => {
      reloads.push((Date.now() - start) / 1000)
      show()
    }
    const { page, api, state } = fakePage({ isServerUp, state: { idx: 3 }, onReload })
    const show = () => void reloadLater(page, api, shown.signal)
    show()
    return { reloads, shown, state }
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
})

describe('reload missing chunks', () => {
  function openPage(options: { isServerUp?: () => boolean } = {}) {
    const { page, api, events, reload } = fakePage(options)
    reloadWhenChunksAreMissing(page, api)
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
})

describe('wait for server', () => {
  test('waits until the server responds', async () => {
    let failures = 3
    const call = vi.fn<() => Promise<undefined>>(async () => {
      if (failures-- > 0) throw new NetworkError('unreachable')
      return undefined
    })
    const responds = waitForServer({ call } as never) // one endpoint is called
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await responds).toBe(true)
    expect(call).toHaveBeenCalledTimes(4)
  })

  test('gives up after ten minutes, or when it is aborted', async () => {
    const call = vi.fn<() => Promise<never>>(() => Promise.reject(new NetworkError('unreachable')))
    const responds = waitForServer({ call } as never)
    await vi.advanceTimersByTimeAsync(600_000)
    expect(await responds).toBe(false)
    const abort = new AbortController()
    const aborted = waitForServer({ call } as never, abort.signal)
    abort.abort()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await aborted).toBe(false)
  })
})
