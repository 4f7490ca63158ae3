import { domainToASCII } from 'node:url'
import { isEmail, normalizeEmail } from '@keepsnap/contract/form-rules.ts'
import { limits } from '@keepsnap/contract/limits.ts'

/** Domains of which each address is a second name of the same address at another domain. */
const domainAliases = new Map([
  ['googlemail.com', 'gmail.com'],
  ['protonmail.com', 'proton.me'],
  ['protonmail.ch', 'proton.me'],
  ['pm.me', 'proton.me'],
  ['me.com', 'icloud.com'],
  ['mac.com', 'icloud.com'],
  ...['ya.ru', 'yandex.ru', 'yandex.by', 'yandex.kz'].map((alias) => [alias, 'yandex.com'] as const),
])
/** Here dots in the local part mean nothing. */
const isDotless = (domain: string): boolean => domain === 'gmail.com'

/** The key of commit 87419a28: without a tag (RFC 5233), nothing else. A leading + belongs to the local part; it is not a tag. */
const formerMailboxKey = (email: string): string => normalizeEmail(email).replace(/^(\+*[^+@]+)\+[^@]*@/, '$1@')

/**
 * The mailbox of an email address, however it is spelled: `Anna+party@example.com` belongs to `anna@example.com`,
 * `an.na@googlemail.com` to `anna@gmail.com`. For counting only: emails go to the address as it was typed.
 */
export function mailboxKey(email: string): string {
  const key = formerMailboxKey(email)
  const at = key.lastIndexOf('@')
  const [local, typedDomain] = [key.slice(0, at), key.slice(at + 1)]
  const domain = domainAliases.get(typedDomain) ?? typedDomain
  return `${isDotless(domain) ? local.replaceAll('.', '') : local}@${domain}`
}

/**
 * The keys under which something about an address may be stored, the present one first: of earlier versions, and the whole address.
 * The first version took a leading + for the beginning of a tag, so that nothing of the name was left.
 */
export function mailboxKeys(email: string): [string, ...string[]] {
  const [key, whole] = [mailboxKey(email), normalizeEmail(email)]
  const others = new Set([formerMailboxKey(email), whole, whole.replace(/^\+[^@]*@/, '@')])
  others.delete(key)
  return [key, ...others]
}

/** The domains of a mailbox: at each of them, it is the same. */
export function domainsOfMailbox(mailbox: string): string[] {
  const domain = mailbox.slice(mailbox.lastIndexOf('@') + 1)
  return [domain, ...Array.from(domainAliases).flatMap(([alias, name]) => (name === domain ? alias : []))]
}

/** A regular expression of PostgreSQL for every spelling of a mailbox, with a tag or without. */
export function mailboxPattern(mailbox: string): string {
  const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const at = mailbox.lastIndexOf('@')
  const [local, domains] = [mailbox.slice(0, at), domainsOfMailbox(mailbox)]
  const name = isDotless(mailbox.slice(at + 1)) ? Array.from(local, escape).join('\\.?') : escape(local)
  return `${name}(\\+[^@\\s]*)?@(${domains.map(escape).join('|')})`
}

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
