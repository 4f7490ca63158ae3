import type { Api } from './api.ts'
import { waitForServer } from './wait-for-server.ts'
import { wait } from './wait.ts'

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
export function reloadWhenChunksAreMissing(page: Window, api: Pick<Api, 'call'>): void {
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
