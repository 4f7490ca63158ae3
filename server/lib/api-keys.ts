import { crc32 } from 'node:zlib'
import { newId } from './ids.ts'

/** How keys begin, so that people and scanners of published code recognize them. */
const keyPrefixes = { customer: 'ksnap_', admin: 'ksadm_' } as const
type KeyKind = keyof typeof keyPrefixes

/** 256 random bits in base 62. */
const secretChars = 43
const checksumChars = 6
const shownChars = 4
const keyFormat = new RegExp(`^ks(?:nap|adm)_[0-9A-Za-z]{${secretChars + checksumChars}}$`)
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** CRC-32 in base 62: a key that was cut or mistyped is recognized without a query. */
function checksumOf(text: string): string {
  let rest = crc32(text)
  let checksum = ''
  for (let at = 0; at < checksumChars; at += 1) {
    checksum = `${base62[rest % base62.length]}${checksum}`
    rest = Math.floor(rest / base62.length)
  }
  return checksum
}

/** A new key: prefix, secret and checksum, 55 characters. Only its `hashOf` is stored. */
export function newApiKey(kind: KeyKind): string {
  const text = keyPrefixes[kind] + newId(secretChars)
  return text + checksumOf(text)
}

/** Whether a text has the form of a key of this kind, checksum included; saves a query for any other text. */
export const isApiKey = (kind: KeyKind, text: string): boolean =>
  text.startsWith(keyPrefixes[kind]) &&
  keyFormat.test(text) &&
  text.slice(-checksumChars) === checksumOf(text.slice(0, -checksumChars))

/** The end of a key, which is stored so that its owner can recognize it in a list. */
export const lastFourOf = (key: string): string => key.slice(-shownChars)

/** A key as lists show it, such as `ksnap_...4f9c`. */
export const shortApiKey = (kind: KeyKind, lastFour: string): string => `${keyPrefixes[kind]}...${lastFour}`
