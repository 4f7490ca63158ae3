import type { Api } from './api.ts'
import { beforeReloadEvent } from './reload-missing-chunks.ts'
import { waitForServer } from './wait-for-server.ts'
import { wait } from './wait.ts'

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
export async function reloadLater(page: Window, api: Pick<Api, 'call'>, signal: AbortSignal): Promise<void> {
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
