import { domainToASCII } from 'node:url'
import { emailKey, isEmail } from '@keepsnap/contract/emails.ts'
import { limits } from '@keepsnap/contract/limits.ts'

/**
 * One mailbox under all its names with a tag (RFC 5233): `anna+party@example.com` is Anna's. A plus with nothing before
 * it begins a name. For counting only.
 */
export const mailboxKey = (email: string): string => emailKey(email).replace(/^(\+*[^+@]+)\+[^@]*@/, '$1@')

/**
 * What a person typed, as the one address that goes on an envelope: trimmed, its domain in ASCII (RFC 5891). Undefined
 * when it is not exactly one plain address.
 */
export function plainEmail(text: string): string | undefined {
  if (text.length > 2 * limits.emailChars) return undefined
  const trimmed = text.trim()
  const at = trimmed.lastIndexOf('@')
  const domain = trimmed.slice(at + 1)
  if (at < 1 || !/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return undefined
  const host = domainToASCII(domain)
  // Numbers alone would be read as a machine's address, not as a name.
  const email = /^[\d.]*$/.test(host) ? '' : `${trimmed.slice(0, at)}@${host}`
  return isEmail(email) ? email : undefined
}
