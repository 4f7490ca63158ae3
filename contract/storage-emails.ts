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
