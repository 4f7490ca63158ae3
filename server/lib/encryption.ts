import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

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
