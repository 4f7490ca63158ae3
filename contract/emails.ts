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

/** An email about what a plan includes, or about photos that do not fit into it. */
export type StorageEmail = UsageEmail | RemovalEmail | RemovedEmail

/** An email to an owner who has used most or all of what the plan includes. */
export interface UsageEmail {
  kind: 'usage'
  /** What is used: `used` and `limit` are photos or bytes. */
  subject: 'photos' | 'storage'
  used: number
  limit: number
  /** Whether no further photo is accepted. */
  isFull: boolean
  planName: string
  /** Whether no larger plan is sold. */
  isLargestPlan: boolean
  /** When the count of photos starts again, ISO 8601 in UTC; null for storage. */
  monthEndsAt: string | null
}
/** An email to an owner whose larger plan has ended: photos that do not fit any more will be removed. */
export interface RemovalEmail {
  kind: 'removal'
  /** What would be removed now, the oldest photos. */
  photos: number
  bytes: number
  storedBytes: number
  planName: string
  planBytes: number
  /** ISO 8601 in UTC. */
  removeAt: string
  /** The link of an archive of the account; null when there is none. `expiresAt` in ISO 8601 in UTC. */
  archive: { url: string; expiresAt: string } | null
}
/** An email to an owner whose photos were removed. */
export interface RemovedEmail {
  kind: 'removed'
  photos: number
  bytes: number
  planName: string
  planBytes: number
  /** Until when they can be put back, ISO 8601 in UTC. */
  restorableUntil: string
}
