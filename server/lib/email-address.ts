import { domainToASCII } from 'node:url'
import { normalizeEmail, isEmail } from '@keepsnap/contract/emails.ts'
import { limits } from '@keepsnap/contract/limits.ts'

/**
 * The mailbox of an email address, without a tag (RFC 5233): `anna+party@example.com` belongs to `anna@example.com`. A
 * leading + belongs to the local part; it is not a tag. For counting only.
 */
export const mailboxKey = (email: string): string => normalizeEmail(email).replace(/^(\+*[^+@]+)\+[^@]*@/, '$1@')

/**
 * The email address that a user typed, for the SMTP envelope: trimmed, with its domain converted to ASCII (RFC 5891).
 * Undefined when the text is not exactly one plain address.
 */
export function parseEmailAddress(text: string): string | undefined {
  if (text.length > 2 * limits.emailChars) return undefined
  const trimmed = text.trim()
  const at = trimmed.lastIndexOf('@')
  const domain = trimmed.slice(at + 1)
  if (at < 1 || !/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return undefined
  const host = domainToASCII(domain)
  // A domain of digits and dots would be an IP address.
  const email = /^[\d.]*$/.test(host) ? '' : `${trimmed.slice(0, at)}@${host}`
  return isEmail(email) ? email : undefined
}
