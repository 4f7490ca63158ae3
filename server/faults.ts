import { faultStatus, type Complaint, type FaultCode } from '@keepsnap/contract/errors.ts'

/**
 * An expected refusal. Thrown by handlers and rules, answered as `{ code, detail }` with the code's status. Anything
 * else that is thrown is a bug: logged once, answered 500 with a fixed sentence.
 */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly code: FaultCode
  readonly detail: string | Complaint[]
  /** Seconds, for 429 and 503. */
  readonly retryAfter: number | undefined

  constructor(code: FaultCode, detail: string | Complaint[], retryAfter?: number) {
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

/** The session has ended, or never was. */
export const signInAgain = (): Fault => new Fault('unauthorized', 'Please sign in.')
