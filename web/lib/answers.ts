import type { Complaint, FaultCode } from '@keepsnap/contract/errors.ts'

/** The server refused. `detail` is its own explanation, when it gave one. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: FaultCode | null
  readonly detail: string | Complaint[] | null
  /** Seconds to wait before trying again, from `Retry-After`. */
  readonly retryAfter: number | null

  constructor(status: number, body: unknown, retryAfter: string | null = null) {
    const { code, detail, message } = (body ?? {}) as Record<string, unknown> // any JSON; each field is looked at below
    const words = detail ?? message
    super(typeof words === 'string' ? words : `The server answered ${status}.`)
    this.status = status
    this.code = typeof code === 'string' ? (code as FaultCode) : null // an unknown code equals none of ours
    this.detail = typeof words === 'string' || isComplaints(words) ? words : null
    this.retryAfter = retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : null
  }

  /** The first thing the server said, whichever form it took. */
  get sentence(): string | null {
    return typeof this.detail === 'string' ? this.detail || null : (this.detail?.[0]?.msg ?? null)
  }
}

/** No answer, or none that makes sense: cut cable, no route, a hotel's sign-in page, too slow. */
export class NetworkFailure extends Error {
  override readonly name = 'NetworkFailure'
  readonly reason: 'unreachable' | 'timeout' | 'unreadable'

  constructor(reason: NetworkFailure['reason'], cause?: unknown) {
    super(`No answer from the server (${reason}).`, { cause })
    this.reason = reason
  }
}

/** Whether the same call may well succeed a moment later. */
export const isPassing = (error: unknown): boolean =>
  error instanceof NetworkFailure || (error instanceof ApiError && error.status >= 500)

/** Whether the call failed because nobody is signed in. */
export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401

/** The body of an answer, from its text. Throws `ApiError` for refusals, `NetworkFailure` for what is not ours. */
export function readAnswer(status: number, text: string, retryAfter: string | null): unknown {
  const ok = status >= 200 && status < 300
  if (text === '' && ok) return undefined
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    if (ok) throw new NetworkFailure('unreadable', error)
    throw new ApiError(status, null, retryAfter)
  }
  if (!ok) throw new ApiError(status, body, retryAfter)
  return body
}

function isComplaints(value: unknown): value is Complaint[] {
  return Array.isArray(value) && value.every((item) => typeof (item as Complaint | null)?.msg === 'string') // looks only
}
