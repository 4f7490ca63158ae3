import { limits } from './limits.ts'

// One addr-spec without quoting, comments or a list: what mailbox providers hand out, and nothing a mailer could
// read as a second recipient. Linear: each class excludes the separator that follows it.
const local = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const label = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

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
