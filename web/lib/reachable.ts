import { health } from '@keepsnap/contract/health.ts'
import type { Api } from './api.ts'

const mostAttempts = 120
const againMs = 5_000

/** Waits until the server answers, for ten minutes at least: a reload without it would end on the browser's own error page. */
export async function isReachable(api: Pick<Api, 'call'>, signal = new AbortController().signal): Promise<boolean> {
  for (let attempt = 0; attempt < mostAttempts && !signal.aborted; attempt++) {
    try {
      await api.call(health, {}, { signal, timeoutMs: againMs })
      return true
    } catch {
      await new Promise((done) => setTimeout(done, againMs))
    }
  }
  return false
}
