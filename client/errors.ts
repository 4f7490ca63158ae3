import { errorStatus, type ErrorCode } from './api.ts'

/** What is wrong with one field; `loc` is the path to it, such as `['query', 'limit']`. */
export interface FieldError {
  loc: (string | number)[]
  msg: string
}

/** Keepsnap, or a proxy before it, refused a call. The message is a sentence for people. */
export class KeepsnapError extends Error {
  override readonly name = 'KeepsnapError'
  readonly status: number
  /** Null if the answer is not Keepsnap's, such as that of a proxy. */
  readonly code: ErrorCode | null
  /** What is wrong, field by field, with the code `invalid`; otherwise empty. */
  readonly fields: readonly FieldError[]
  /** Seconds after which the call can succeed; null if the answer does not say. */
  readonly retryAfter: number | null

  constructor(status: number, body: unknown, retryAfter: number | null) {
    const { code, detail } = parseBody(body)
    super(typeof detail === 'string' ? detail : messageOf(status, detail))
    this.status = status
    this.code = code
    this.fields = typeof detail === 'string' ? [] : detail
    this.retryAfter = retryAfter
  }
}

/** Why a call has no answer that can be used. */
export type NoAnswer =
  /** No connection, or it broke. */
  | 'unreachable'
  /** The response is not from Keepsnap: a sign-in page of a network, or another server. */
  | 'unreadable'
  /** No answer in time. */
  | 'timeout'

/** A call has no answer. Whether it had an effect is not known. */
export class KeepsnapNetworkError extends Error {
  override readonly name = 'KeepsnapNetworkError'
  readonly reason: NoAnswer

  constructor(reason: NoAnswer, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

const isCode = (code: unknown): code is ErrorCode => typeof code === 'string' && Object.hasOwn(errorStatus, code)

function isFieldError(value: unknown): value is FieldError {
  return typeof value === 'object' && value !== null && 'msg' in value && 'loc' in value && Array.isArray(value.loc)
}

function parseBody(body: unknown): { code: ErrorCode | null; detail: string | FieldError[] } {
  if (typeof body !== 'object' || body === null || !('code' in body) || !('detail' in body))
    return { code: null, detail: [] }
  const { code, detail } = body
  if (!isCode(code)) return { code: null, detail: [] }
  if (typeof detail === 'string') return { code, detail }
  return { code, detail: Array.isArray(detail) ? detail.filter(isFieldError) : [] }
}

const messageOf = (status: number, fields: readonly FieldError[]): string =>
  fields.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ') || `The server answered with status ${status}.`
