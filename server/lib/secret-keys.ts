import { deriveKey } from './hmac.ts'

/** For how many days the signatures of a replaced key are still accepted. */
export const formerKeyDays = 30
/** How many keys can be accepted beside the current one. */
export const maxAcceptedKeys = 5

/** The keys that sign and encrypt. */
export interface SecretKeys {
  /** Signs and encrypts. */
  current: string
  /** Signatures of these are accepted as well: former keys for a while, and keys that other machines use already. */
  accepted: readonly string[]
  /** The keys of unsubscribe links, derived from former secret keys. These never expire. */
  formerUnsubscribeKeys: readonly Buffer[]
}

/** The keys of the settings or of the data folder. */
export type ConfiguredKeys = Pick<SecretKeys, 'current' | 'accepted'>

/** A key that was never replaced. */
export const singleKey = (current: string): SecretKeys => ({ current, accepted: [], formerUnsubscribeKeys: [] })

/** Derives a key for one purpose from each secret key; the first is of the current one. */
export const deriveKeys = ({ current, accepted }: SecretKeys, purpose: string): [Buffer, ...Buffer[]] => [
  deriveKey(current, purpose),
  ...accepted.map((key) => deriveKey(key, purpose)),
]
