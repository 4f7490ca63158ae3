import { createHmac, timingSafeEqual } from 'node:crypto'

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
