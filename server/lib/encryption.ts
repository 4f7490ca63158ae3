import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Encrypts what must be read again, such as secrets that sign, so that a copy of the database alone does not reveal it. */
export interface Encryption {
  /** `context`: what the text belongs to, such as a row's id; only the same context decrypts it. */
  encrypt(text: string, context: string): Buffer
  /** Undefined when it was encrypted with another key or for another context, or was changed. */
  decrypt(encrypted: Buffer, context: string): string | undefined
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** AES-256-GCM. Nonce, tag and ciphertext are stored one after the other. `key`: 32 bytes. */
export function createEncryption(key: Buffer): Encryption {
  return {
    encrypt(text, context) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(context))
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext])
    },
    decrypt(encrypted, context) {
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
    },
  }
}
