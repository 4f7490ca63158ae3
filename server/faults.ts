import { type FaultCode, faultStatus, type FieldError } from '@keepsnap/contract/errors.ts'

/**
 * An expected refusal. Handlers and rules throw it; the response is `{ code, detail }` with the status of the code. Any
 * other error is a bug: it is logged once and answered 500 with a fixed sentence.
 */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly code: FaultCode
  readonly detail: string | FieldError[]
  /** Seconds, with 409, 429 and 503. */
  readonly retryAfter: number | undefined

  constructor(code: FaultCode, detail: string | FieldError[], retryAfter?: number) {
    super(typeof detail === 'string' ? detail : detail.map(({ msg }) => msg).join('; '))
    this.code = code
    this.detail = detail
    this.retryAfter = retryAfter
  }

  get status(): number {
    return faultStatus[this.code]
  }
}

/** A 422 about one field, or one header. */
export const invalidField = (field: string, msg: string, part: 'body' | 'query' | 'header' = 'body'): Fault =>
  new Fault('invalid', [{ loc: [part, field], msg }])

/** A 401: the session has ended or never existed. */
export const unauthorized = (): Fault => new Fault('unauthorized', 'Please sign in.')

/** A 401: the key is missing, unknown, revoked or expired. */
export const invalidApiKey = (): Fault => new Fault('unauthorized', 'Invalid or missing API key')

/** A 403: the key is good, and the plan of its account has no API access now. */
export const noApiAccess = (): Fault =>
  new Fault('forbidden', 'API access not available with your current subscription')

/** A 404: no endpoint has this URL, or none that the caller may know of. */
export const endpointNotFound = (): Fault => new Fault('not_found', 'There is nothing at this URL.')

/** A 403: the operator has not entered the password within the last minutes. */
export const passwordRequired = (): Fault => new Fault('password_required', 'Please enter your password to go on.')

/** A 403: this session has not given the password within the last minutes. */
export const confirmPasswordFirst = (): Fault => new Fault('confirm_password', 'Please enter your password to go on.')

/** A startup failure that the operator can fix. The message consists of whole sentences; the stack is not shown. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}

/** The `code` of a failed system call, such as ENOENT; empty for any other error. */
export const systemCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''
