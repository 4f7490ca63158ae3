import { limits } from './limits.ts'

// One addr-spec without quoting, comments or a list: what mailbox providers hand out, and nothing a mailer could
// read as a second recipient. Linear: each class excludes the separator that follows it.
const local = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const label = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/
const international = /^[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+$/u

/** Whether the text is one plain e-mail address of at most 254 characters (RFC 5321 without quoted local parts). */
export function isEmail(text: string): boolean {
  if (text.length > limits.emailChars) return false
  const at = text.lastIndexOf('@')
  if (at < 1 || at > 64) return false
  const labels = text.slice(at + 1).split('.')
  return labels.length > 1 && labels.every((part) => label.test(part)) && local.test(text.slice(0, at))
}

/** The form under which addresses are compared: case does not count. */
export const emailKey = (email: string): string => email.trim().toLowerCase()

/** What is wrong with a text that is no plain address; `emailSentences` says each to a person. */
export type EmailProblem = 'missing' | 'at' | 'ending' | 'several' | 'space' | 'letters' | 'long' | 'form'

/**
 * Why letters cannot go to this text (white space around it left aside); null when they can. Also null when a domain has
 * letters beyond ASCII: only the server can write it in ASCII, so it has the last word.
 */
export function emailProblem(text: string): EmailProblem | null {
  const email = text.trim()
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  if (email === '') return 'missing'
  if (isEmail(email)) return null
  if (email.length > limits.emailChars) return 'long'
  if (/[,;]/.test(email) || email.indexOf('@') !== at) return 'several'
  if (/\s/.test(email)) return 'space'
  if (at < 1 || domain === '') return 'at'
  if (/[^ -~]/.test(email.slice(0, at))) return 'letters'
  if (/[^ -~]/.test(domain) && international.test(domain)) return null
  return domain.includes('.') && !domain.endsWith('.') ? 'form' : 'ending'
}

/** Each problem as a sentence for the person who typed. */
export const emailSentences: Record<EmailProblem, string> = {
  missing: 'Please enter your e-mail address',
  at: 'This address is not complete: it needs a name, an @ and what follows',
  ending: 'This address misses its ending, such as .com or .be',
  several: 'Please enter one address only',
  space: 'This address has a space in it',
  letters: 'This address has letters that mail cannot use',
  long: 'This address is too long',
  form: 'This does not look like an e-mail address',
}
