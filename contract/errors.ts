/**
 * Every refusal the API can answer, and its HTTP status. The body is `{ code, detail }`; for `invalid` the detail is
 * a list of `{ loc, msg }`, otherwise a sentence for people. product.md section 4.
 */
export const faultStatus = {
  bad_request: 400,
  already_registered: 400,
  unauthorized: 401,
  forbidden: 403,
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
  internal: 500,
  unavailable: 503,
} as const
/** Names of the refusals; programs compare these, people read the sentence. */
export type FaultCode = keyof typeof faultStatus

/** One complaint about one field: `loc` is the path to it, such as `['body', 'email']`. */
export interface Complaint {
  loc: (string | number)[]
  msg: string
}
/** Body of every failure. */
export interface Failure {
  code: FaultCode
  detail: string | Complaint[]
}
