import { health } from '@keepsnap/contract/health.ts'
import type { Api } from './api.ts'

const maxAttempts = 120
const intervalMs = 5_000

/**
 * Waits until the server responds, for ten minutes or more; false if it never does. A reload before that would show the
 * browser's own error page.
 */
export async function waitForServer(api: Pick<Api, 'call'>, signal = new AbortController().signal): Promise<boolean> {
  for (let attempt = 0; attempt < maxAttempts && !signal.aborted; attempt++) {
    try {
      await api.call(health, {}, { signal, timeoutMs: intervalMs })
      return true
    } catch {
      await new Promise((done) => setTimeout(done, intervalMs))
    }
  }
  return false
}
