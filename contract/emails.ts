import { emailChars } from './limits.ts'

// An addr-spec (RFC 5322) without quoting, comments or lists: nothing that a mail program could read as a second
// recipient. Matching takes linear time, because each class excludes the separator that follows it.
const localPartPattern = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const domainLabelPattern = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

/** Whether the text is one email address of at most 254 ASCII characters (RFC 5321, without quoted local parts). */
export function isEmail(text: string): boolean {
  if (text.length > emailChars) return false
  const at = text.lastIndexOf('@')
  if (at < 1 || at > 64) return false
  const labels = text.slice(at + 1).split('.')
  return (
    labels.length > 1 &&
    labels.every((part) => domainLabelPattern.test(part)) &&
    localPartPattern.test(text.slice(0, at))
  )
}

/** The form in which email addresses are compared: trimmed, in lower case. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase()

/** Why a text is not a usable email address; `emailProblemMessages` has a message for each. */
export type EmailProblem = 'missing' | 'at' | 'ending' | 'several' | 'space' | 'characters' | 'long' | 'form'

/**
 * Why emails cannot be sent to this text (surrounding white space is ignored); null if they can. Also null for a domain
 * with non-ASCII characters: only the server can convert it to ASCII, and then checks it again.
 */
export function emailProblem(text: string): EmailProblem | null {
  const email = text.trim()
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  if (email === '') return 'missing'
  if (isEmail(email)) return null
  if (email.length > emailChars) return 'long'
  if (/[,;]/.test(email) || email.indexOf('@') !== at) return 'several'
  if (/\s/.test(email)) return 'space'
  if (at < 1 || domain === '') return 'at'
  if (/[^ -~]/.test(email.slice(0, at))) return 'characters'
  // Written here, because browsers of 2017 fail where they read it.
  if (/[^ -~]/.test(domain) && /^[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+$/u.test(domain)) return null
  return domain.includes('.') && !domain.endsWith('.') ? 'form' : 'ending'
}

/** The message for each problem, shown to the person who typed the address. */
export const emailProblemMessages: Record<EmailProblem, string> = {
  missing: 'Please enter your email address',
  at: 'Enter a full address, such as name@example.com',
  ending: 'The address is missing its ending, such as .com',
  several: 'Please enter one address only',
  space: 'The address contains a space',
  characters: "The address contains characters that aren't allowed",
  long: 'The address is too long',
  form: "This doesn't look like an email address",
}
