import { faultStatus, type FieldError, type FaultCode } from '@keepsnap/contract/errors.ts'

/**
 * An expected refusal. Handlers and rules throw it; the response is `{ code, detail }` with the status of the code. Any
 * other error is a bug: it is logged once and answered 500 with a fixed sentence.
 */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly code: FaultCode
  readonly detail: string | FieldError[]
  /** Seconds, with 429 and 503. */
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

/** A 422 about one field. */
export const invalid = (field: string, msg: string, part: 'body' | 'query' = 'body'): Fault =>
  new Fault('invalid', [{ loc: [part, field], msg }])

/** A 401: the session has ended or never existed. */
export const unauthorized = (): Fault => new Fault('unauthorized', 'Please sign in.')
