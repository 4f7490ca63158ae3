import { health } from '@keepsnap/contract/health.ts'
import type { Api } from './api.ts'
import { wait } from './wait.ts'

const maxServerChecks = 120
const serverCheckIntervalMs = 5_000

/**
 * Polls until the server responds, for ten minutes or more; false if it never does. Reloading earlier would show the
 * error page of the browser.
 */
export async function waitForServer(api: Pick<Api, 'call'>, signal = new AbortController().signal): Promise<boolean> {
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
