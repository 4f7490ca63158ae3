import { KeepsnapError, KeepsnapNetworkError } from './errors.ts'

const firstDelaySeconds = 1
const maxDelaySeconds = 30
const retryableStatus = new Set([408, 429, 500, 502, 503, 504])

/** The seconds of a Retry-After header: a number or a date; null without a usable one. */
export function parseRetryAfter(value: string | null, now = Date.now()): number | null {
  const text = value?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const date = /[A-Za-z]/.test(text) ? Date.parse(text) : NaN
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000))
}

/**
 * How many seconds to wait before a call that failed is sent again; null if sending it again cannot help. `attempt` counts
 * from 1. Retry-After is obeyed; without it the delay doubles from 1 to 30 s, with up to a quarter more at random.
 */
export function retryDelay(error: unknown, attempt: number, random = Math.random): number | null {
  if (error instanceof KeepsnapError && error.retryAfter !== null) return error.retryAfter
  const isTemporary =
    error instanceof KeepsnapNetworkError || (error instanceof KeepsnapError && retryableStatus.has(error.status))
  if (!isTemporary) return null
  return Math.min(maxDelaySeconds, firstDelaySeconds * 2 ** (attempt - 1)) * (1 + random() / 4)
}

/** A timer of JavaScript with a longer time ends at once. 24 days. */
const longestMs = 2 ** 31 - 1

/** Resolves after some seconds, 24 days at most, or rejects with the signal's reason. */
export function wait(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      },
      Math.min(seconds * 1000, longestMs),
    )
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
