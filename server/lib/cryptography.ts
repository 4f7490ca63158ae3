import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** HMAC-SHA256 in base64url: 43 characters, 256 bits. */
export const hmac = (key: Buffer, text: string): string => createHmac('sha256', key).update(text).digest('base64url')

/** Characters of a short HMAC: 132 bits. */
export const shortHmacLength = 22
export const shortHmac = (key: Buffer, text: string): string => hmac(key, text).slice(0, shortHmacLength)

/** A key for one purpose. Never change the text of a purpose: links that were sent before depend on it. */
export const deriveKey = (secretKey: string, purpose: string): Buffer =>
  createHmac('sha256', secretKey).update(purpose).digest()

/** A constant-time comparison, to prevent timing attacks. */
export function timingSafeEqualText(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** Encrypts what must be read again, such as secrets that sign, so that a copy of the database alone does not reveal it. */
export interface Encryption {
  /** `context`: what the text belongs to, such as a row's id; only the same context decrypts it. */
  encrypt(text: string, context: string): Buffer
  /** Undefined when it was encrypted with another key or for another context, or was changed. */
  decrypt(encrypted: Buffer, context: string): string | undefined
  /** Re-encrypts a text with the first key; undefined when it already is, or when it cannot be decrypted. */
  renew(encrypted: Buffer, context: string): Buffer | undefined
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** AES-256-GCM. Nonce, tag and ciphertext are stored one after the other. */
function encryptWith(key: Buffer, text: string, context: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(context))
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext])
}

function decryptWith(key: Buffer, encrypted: Buffer, context: string): string | undefined {
  if (encrypted.length < nonceBytes + tagBytes) return undefined
  const nonce = encrypted.subarray(0, nonceBytes)
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.from(context))
    .setAuthTag(encrypted.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    return decipher.update(encrypted.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}

/** Keys of 32 bytes. The first encrypts, each may decrypt. */
export function createEncryption(keys: readonly [Buffer, ...Buffer[]]): Encryption {
  const decrypt: Encryption['decrypt'] = (encrypted, context) => {
    for (const key of keys) {
      const text = decryptWith(key, encrypted, context)
      if (text !== undefined) return text
    }
    return undefined
  }
  return {
    encrypt: (text, context) => encryptWith(keys[0], text, context),
    decrypt,
    renew(encrypted, context) {
      if (decryptWith(keys[0], encrypted, context) !== undefined) return undefined
      const text = decrypt(encrypted, context)
      return text === undefined ? undefined : encryptWith(keys[0], text, context)
    },
  }
}

const sivBytes = 16

/**
 * Deterministic authenticated encryption of short texts, in the way of SIV (RFC 5297): HMAC-SHA-256 of the text is both its tag and the
 * counter of AES-256-CTR. The same text gives the same result, so that links to the same thing are the same; each context has its own
 * keys. The first key encrypts, each decrypts.
 */
export function createTextEncryption(keys: readonly [Buffer, ...Buffer[]], context: string) {
  const pairOf = (key: Buffer) => {
    const derived = (purpose: string): Buffer => createHmac('sha256', key).update(`${purpose} ${context}`).digest()
    return { tagKey: derived('tag'), cipherKey: derived('cipher') }
  }
  const tagOf = (key: Buffer, text: string): Buffer =>
    createHmac('sha256', key).update(text).digest().subarray(0, sivBytes)
  const pairs = keys.map(pairOf)
  const [{ tagKey, cipherKey }] = pairs as [ReturnType<typeof pairOf>] // there is at least one key
  return {
    encrypt(text: string): string {
      const tag = tagOf(tagKey, text)
      const cipher = createCipheriv('aes-256-ctr', cipherKey, tag)
      return Buffer.concat([tag, cipher.update(text, 'utf8'), cipher.final()]).toString('base64url')
    },
    /** Undefined when it was encrypted with another key or for another context, or was changed, in its spelling too. */
    decrypt(encrypted: string): string | undefined {
      const bytes = Buffer.from(encrypted, 'base64url')
      if (bytes.length <= sivBytes || bytes.toString('base64url') !== encrypted) return undefined
      const tag = bytes.subarray(0, sivBytes)
      for (const pair of pairs) {
        const decipher = createDecipheriv('aes-256-ctr', pair.cipherKey, tag)
        const text = decipher.update(bytes.subarray(sivBytes), undefined, 'utf8') + decipher.final('utf8')
        if (timingSafeEqual(tagOf(pair.tagKey, text), tag)) return text
      }
      return undefined
    },
  }
}

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

/** The keys that sign unsubscribe links. */
export const unsubscribeKeys = (secretKeys: SecretKeys) => deriveKeys(secretKeys, 'keepsnap stops')
