/** An error that Stripe answers with. */
export class StripeFault extends Error {
  readonly status: number
  readonly error: { type: string; message: string; code?: string; param?: string; decline_code?: string }
  constructor(status: number, error: StripeFault['error']) {
    super(error.message)
    this.status = status
    this.error = error
  }
}

export const invalidRequest = (message: string, more: { code?: string; param?: string } = {}): StripeFault =>
  new StripeFault(400, { type: 'invalid_request_error', message, ...more })

/** An object that a request names; `param` when its id was a parameter, otherwise it was in the path. */
export interface StripeObjectReference {
  kind: string
  id: string
  param?: string | undefined
}

/** In a path, an unknown id is answered 404; in a parameter, 400. */
export const noSuch = ({ kind, id, param, hint = '' }: StripeObjectReference & { hint?: string }): StripeFault =>
  new StripeFault(param === undefined ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'${hint}`,
    param: param ?? 'id',
  })

export const cardDeclined = (): StripeFault =>
  new StripeFault(402, {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'generic_decline',
    message: 'Your card was declined.',
  })
