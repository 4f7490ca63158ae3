/**
 * Every error code of the API and its HTTP status. The body is `{ code, detail }`. For `invalid`, `detail` is a list of
 * `{ loc, msg }`; otherwise it is a sentence for people. docs/behaviour.md section 12.
 */
export const faultStatus = {
  bad_request: 400,
  already_registered: 400,
  unauthorized: 401,
  forbidden: 403,
  password_required: 403,
  quota_photos: 403,
  quota_storage: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_type: 415,
  not_an_image: 415,
  misdirected: 421,
  invalid: 422,
  rate_limited: 429,
  processing_limit: 429,
  internal: 500,
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
