import { createHash, randomBytes } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const unbiased = 256 - (256 % alphabet.length)

/** A random name of 22 characters of base 62: 131 bits, URL-safe, fit for ids, codes and storage keys. */
export function newId(length = 22): string {
  let id = ''
  while (id.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < unbiased && id.length < length) id += alphabet[byte % alphabet.length]
    }
  }
  return id
}

/** A secret for a person's or a program's pocket: 256 random bits. Only its hash is stored. */
export const newSecret = (): string => newId(43)
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()
/** Whether a text could be a letter's secret. */
export const isGrant = (text: string): boolean => /^[0-9A-Za-z_-]{43}$/.test(text)
/** Whether a text could be one of our ids; a cheap no before the database is asked. */
export const isId = (text: string): boolean => /^[0-9A-Za-z]{22}$/.test(text)
