import { health } from '@keepsnap/contract/site.ts'
import type { Api } from './api.ts'
import { wait } from './time.ts'

const maxServerChecks = 120
const serverCheckIntervalMs = 5_000

/**
 * Polls until the server responds, for ten minutes or more; false if it never does. Reloading earlier would show the
 * error page of the browser.
 */
export async function waitForServer(api: Api, signal = new AbortController().signal): Promise<boolean> {
  for (let attempt = 0; attempt < maxServerChecks && !signal.aborted; attempt++) {
    try {
      await api.call(health, {}, { signal, timeoutMs: serverCheckIntervalMs })
      return true
    } catch {
      await wait(serverCheckIntervalMs)
    }
  }
  return false
}

/** So long after `beforeunload`, the page was not left: it was a download, or the user decided to stay. */
const maxLeaveMs = 30_000

/** Dispatched on the window before this reload; a listener whose data would be lost prevents the reload. */
export const beforeReloadEvent = 'before-reload'

const chunkErrors = new WeakSet<object>()

/** Whether an exception says that a chunk of the app could not be loaded: there is no server, or it has another version. */
export const isChunkError = (error: unknown): boolean => error instanceof Error && chunkErrors.has(error)

/**
 * After a deployment, the server no longer has the chunks of a page that is open: reloads the page, once. If a chunk
 * fails because the network is down, this waits until the server responds. Some browsers also abort chunk requests when
 * the user navigates away; a reload would then undo that navigation. Where `beforeReloadEvent` is prevented, only the user
 * reloads the page, with the button that the app shows instead of what could not be loaded.
 */
export function reloadWhenChunksAreMissing(page: Window, api: Api): void {
  let isWaiting = false
  let isLeaving = false
  page.addEventListener('beforeunload', async () => {
    isLeaving = true
    await wait(maxLeaveMs)
    isLeaving = false
  })
  page.addEventListener('vite:preloadError', async ({ payload }) => {
    chunkErrors.add(payload)
    if (isWaiting || page.history.state?.reloaded) return
    isWaiting = true
    const responds = await waitForServer(api)
    if (isLeaving) await wait(maxLeaveMs)
    isWaiting = false
    if (!responds || !page.dispatchEvent(new Event(beforeReloadEvent, { cancelable: true }))) return
    page.history.replaceState({ ...page.history.state, reloaded: true }, '')
    page.location.reload()
  })
}

const firstDelayMs = 10_000
const longestDelayMs = 300_000
/** Reloads longer ago are not counted: the page has worked since. */
const countedMs = 1_800_000

/** How often the page has reloaded itself in vain, and when; index.html counts here, too. */
interface Reloads {
  count: number
  at: number
}

/** Reloads the page in a while, after each failure later, and not before the server responds. */
export async function reloadLater(page: Window, api: Api, signal: AbortSignal): Promise<void> {
  const last = (page.history.state as { reloads?: Reloads } | null)?.reloads
  const count = last && Date.now() - last.at < countedMs ? last.count : 0
  await wait(Math.min(firstDelayMs * 2 ** count, longestDelayMs))
  let responds = false
  while (!responds && !signal.aborted) responds = await waitForServer(api, signal)
  if (signal.aborted || !page.dispatchEvent(new Event(beforeReloadEvent, { cancelable: true }))) return
  const reloads: Reloads = { count: count + 1, at: Date.now() }
  page.history.replaceState({ ...page.history.state, reloads }, '')
  page.location.reload()
}
