import { type FaultCode, type FieldError, rateLimitExceeded } from '@keepsnap/contract/errors.ts'
import { states } from '../messages/en/frame.ts'

/** The server refused the request. `detail` is its explanation, when it gave one. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: FaultCode | null
  readonly detail: string | FieldError[] | null
  /** Seconds to wait before trying again, from `Retry-After`. */
  readonly retryAfter: number | null
  /** The translation of `sentence`; undefined in English. Set once, before the error reaches a caller. */
  translation: string | null | undefined

  constructor(status: number, body: unknown, retryAfter: string | null = null) {
    const { code, detail, message } = (body ?? {}) as Record<string, unknown> // any JSON; each field is checked below
    const reason = detail ?? message
    super(typeof reason === 'string' ? reason : `The server responded with status ${status}.`)
    this.status = status
    this.code = typeof code === 'string' ? (code as FaultCode) : null // an unknown code matches none of ours
    this.detail = typeof reason === 'string' || isFieldErrors(reason) ? reason : null
    this.retryAfter = retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : null
  }

  /** The first sentence of `detail`, in whichever form the server sent it: in English, for rules. */
  get sentence(): string | null {
    return typeof this.detail === 'string' ? this.detail || null : (this.detail?.[0]?.msg ?? null)
  }

  /** `sentence` in the user's language; null where there is no translation. That of a rate limit says how long to wait. */
  get explanation(): string | null {
    if (this.detail === rateLimitExceeded) return states.tooManyRequests(this.retryAfter ?? 60)
    return this.translation === undefined ? this.sentence : this.translation
  }
}

/** No response, or one that is not from our server: no connection, the sign-in page of a hotel network, a timeout. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
  readonly reason: 'unreachable' | 'timeout' | 'unreadable'

  constructor(reason: NetworkError['reason'], cause?: unknown) {
    super(`No valid response from the server (${reason}).`, { cause })
    this.reason = reason
  }
}

/** Whether the same call may succeed a moment later. */
export const isTransient = (error: unknown): boolean =>
  error instanceof NetworkError || (error instanceof ApiError && error.status >= 500)

/** Whether the server refused a field of the body, or a header. */
export const isAboutField = (error: unknown, field: string): boolean =>
  error instanceof ApiError && Array.isArray(error.detail) && error.detail.some(({ loc }) => loc.includes(field))

/** Whether the call failed because no user is signed in. */
export const isUnauthorized = (error: unknown): boolean => error instanceof ApiError && error.status === 401

/**
 * Parses a response body. Throws `ApiError` for error statuses, and `NetworkError` for a 2xx without JSON, and for a 404 with a
 * page: that comes from a proxy or another network, and must not say that a photo was deleted.
 */
export function parseResponse(status: number, text: string, retryAfter: string | null): unknown {
  const ok = status >= 200 && status < 300
  if (text === '' && ok) return undefined
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    if (ok || (status === 404 && text !== '')) throw new NetworkError('unreadable', error)
    throw new ApiError(status, null, retryAfter)
  }
  if (!ok) throw new ApiError(status, body, retryAfter)
  return body
}

function isFieldErrors(value: unknown): value is FieldError[] {
  return Array.isArray(value) && value.every((item) => typeof (item as FieldError | null)?.msg === 'string') // only reads
}

/** The server's explanation of a failed call, or `fallback`. */
export const errorMessage = (error: unknown, fallback: string): string =>
  (error instanceof ApiError && error.status !== 401 && error.explanation) || fallback

/** The server's explanation of a refused call (a status below 500), or `fallback`. */
export const refusalMessage = (error: unknown, fallback: string): string =>
  (error instanceof ApiError && error.status < 500 && error.explanation) || fallback
