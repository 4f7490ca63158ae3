import { createHash, randomBytes } from 'node:crypto'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const unbiasedByteLimit = 256 - (256 % base62.length)

/** Random bytes that no id contains yet: every response has an id, and drawing bytes costs more than making it. */
let unusedBytes = Buffer.alloc(0)
const drawnBytes = 4_096

/** A random base-62 id of 22 characters (131 bits), URL-safe: for ids, codes and storage keys. */
export function newId(length = 22): string {
  let id = ''
  let used = 0
  while (id.length < length) {
    if (used === unusedBytes.length) [unusedBytes, used] = [randomBytes(drawnBytes), 0]
    const byte = unusedBytes[used++] ?? unbiasedByteLimit
    if (byte < unbiasedByteLimit) id += base62[byte % base62.length]
  }
  unusedBytes = unusedBytes.subarray(used)
  return id
}

/** A random secret of 256 bits, such as a session token. Only its hash is stored. */
export const newSecret = (): string => newId(43)
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()
/** Whether a text has the form of a secret in an email's link. */
export const isSecret = (text: string): boolean => /^[0-9A-Za-z_-]{43}$/.test(text)
/** Whether a text has the form of an id; saves a query for any other text. */
export const isId = (text: string): boolean => /^[0-9A-Za-z]{22}$/.test(text)
