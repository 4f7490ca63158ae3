/**
 * Every error code of the API and its HTTP status. The body is `{ code, detail }`. For `invalid`, `detail` is a list of
 * `{ loc, msg }`; otherwise it is a sentence for people.
 */
export const faultStatus = {
  /** A malformed or cut-off request; a token that is used or has expired. */
  bad_request: 400,
  /** An account with this address exists. */
  already_registered: 400,
  /** No session or key, or one that has ended or is unknown; a wrong password at sign-in. */
  unauthorized: 401,
  /** The plan, the role or the current password does not allow it. */
  forbidden: 403,
  /** An operator has to enter the password first. */
  password_required: 403,
  /** What opens the account to others needs the password, in this session and within the last 10 minutes. */
  confirm_password: 403,
  /** The plan's photos of this month are used up. */
  quota_photos: 403,
  /** The plan's storage is full. */
  quota_storage: 403,
  /** It does not exist, or belongs to another user. */
  not_found: 404,
  /** The path is known, the method is not; `Allow` lists those that are. */
  method_not_allowed: 405,
  /** The present state does not allow it. */
  conflict: 409,
  /** The event that the API key is bound to was deleted. */
  event_gone: 409,
  /** A payment is under way and has not arrived, as by bank debit. */
  payment_pending: 409,
  /** The body, the file or its number of pixels. */
  too_large: 413,
  /** The content type of the request. */
  unsupported_type: 415,
  /** The content of the file. */
  not_an_image: 415,
  /** The host is not one of this installation. */
  misdirected: 421,
  /** A field; `detail` is a list. */
  invalid: 422,
  /** Too many calls; `Retry-After` says when to come back. */
  rate_limited: 429,
  /** No processor time is left for files that take long; with `Retry-After`. */
  processing_limit: 429,
  /** An error of the program, logged once under the reference in `detail`. */
  internal: 500,
  /** Something that the call needs is down or busy; with `Retry-After`. */
  unavailable: 503,
} as const
/** Error codes, for programs; people read `detail`. */
export type FaultCode = keyof typeof faultStatus

/** The sentence of a rate limit that programs meet. */
export const rateLimitExceeded = 'Rate limit exceeded'

/** What is wrong with one field; `loc` is the path to it, such as `['body', 'email']`. */
export interface FieldError {
  loc: (string | number)[]
  msg: string
}
/** The body of every error response. */
export interface ErrorBody {
  code: FaultCode
  detail: string | FieldError[]
}
