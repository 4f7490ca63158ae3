/** An email to the owner of a photo that an operator hid from guests, or shows again. */
export interface OperatorDecisionEmail {
  kind: 'photo-hidden' | 'photo-shown'
  filename: string
  /** When it was decided, ISO 8601 in UTC. */
  at: string
  /** What the operator wrote to the owner; may have several lines. Null: nothing. */
  message: string | null
  /** For `photo-shown`: whether guests cannot open it all the same, because its owner had hidden it. */
  stillHidden: boolean
  /** `photo-hidden`: URL of the contact form. `photo-shown`: of the photo in the gallery. */
  url: string
}

/** An email to an operator about a payment that its holder disputes at the bank. */
export interface DisputeEmail {
  kind: 'payment-disputed'
  /** Email address of the account that it paid for. */
  account: string
  amountCents: number
  /** The payment provider's word for why, such as `product_not_received`. */
  reason: string
  /** When it was disputed, ISO 8601 in UTC. */
  at: string
  /** Until when the payment provider takes evidence; null when it wants none. */
  respondBy: string | null
  /** URL of the account on /admin. */
  url: string
}
