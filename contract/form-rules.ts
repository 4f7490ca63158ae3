import { emailChars } from './limits.ts'

// What people type into forms: the same rules on the pages and on the server. The script of guest pages contains the first.

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

/** The longest names, in characters. They are not in `limits`, which the first pages do not need. */
export const nameChars = { brandName: 60, username: 64, apiKey: 60, event: 60, contributor: 40 } as const

/** Why a text cannot be a name; there is a message for each. */
export type NameProblem = 'missing' | 'long' | 'characters' | 'link'

/** The form in which a name is stored and shown. */
export const normalizeName = (text: string): string => text.trim().normalize('NFC').replace(/ +/g, ' ')

const nameProblem = (name: string, maxChars: number): NameProblem | null => {
  if (name === '') return 'missing'
  if (name.length > 2 * maxChars || Array.from(name).length > maxChars) return 'long'
  // Control and format characters, line separators and private use. Joiners are allowed: some scripts and emoji need them.
  // Written here, as below, because the script of guest pages must not create it: browsers of 2018 fail where they read it.
  return /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u.test(name) ? 'characters' : null
}

/** Why guests cannot be shown this name; null if they can. */
function shownNameProblem(name: string, maxChars: number): NameProblem | null {
  // What mail programs turn into links: URLs, domains and email addresses.
  const hasLink = /:\/\/|\S@\S|[\p{L}\p{N}][.\u3002]\p{L}{2,}/u.test(name.normalize('NFKC'))
  return nameProblem(name, maxChars) ?? (hasLink ? 'link' : null)
}

/** Why guests cannot be shown this brand name; null if they can. `name` is normalized. */
export const brandNameProblem = (name: string): NameProblem | null => shownNameProblem(name, nameChars.brandName)

/** Why this cannot be the name of an event, which guests see; null if it can. `name` is normalized. */
export const eventNameProblem = (name: string): NameProblem | null => shownNameProblem(name, nameChars.event)

/** Why this cannot be the name of a contributor, which hosts see; null if it can. `name` is normalized, and not empty. */
export const contributorNameProblem = (name: string): NameProblem | null =>
  shownNameProblem(name, nameChars.contributor)

/** Why this cannot be a username, which only its owner and admins see; null if it can. `name` is normalized. */
export const usernameProblem = (name: string): NameProblem | null => nameProblem(name, nameChars.username)

/** Why this cannot be the name of an API key, which only its owner sees; null if it can. `name` is normalized. */
export const apiKeyNameProblem = (name: string): NameProblem | null => nameProblem(name, nameChars.apiKey)

const nameMessages = (kind: keyof typeof nameChars, missing = 'Please enter a name'): Record<NameProblem, string> => ({
  missing,
  long: `Please use at most ${nameChars[kind]} characters`,
  characters: 'The name contains line breaks or invisible characters. Please type it again',
  link: 'The name cannot contain a link or an email address. Put a space after a dot',
})
/** The message for each problem of a brand name, for the person who typed it; below, of a username and of the name of an API key. */
export const brandNameMessages = /* @__PURE__ */ nameMessages('brandName')
export const usernameMessages = /* @__PURE__ */ nameMessages('username')
export const eventNameMessages = /* @__PURE__ */ nameMessages('event')
export const contributorNameMessages = /* @__PURE__ */ nameMessages('contributor')
export const apiKeyNameMessages = /* @__PURE__ */ nameMessages('apiKey', 'Please enter a name for your API key')

/** Password rules, in the order in which they are checked and shown. */
export const passwordRules = ['length', 'upper', 'lower', 'number', 'special'] as const
export type PasswordRule = (typeof passwordRules)[number]

const passwordRuleTests: Record<PasswordRule, (password: string) => boolean> = {
  length: (password) => password.length >= 8,
  upper: (password) => /[A-Z]/.test(password),
  lower: (password) => /[a-z]/.test(password),
  number: (password) => /[0-9]/.test(password),
  special: (password) => /[!@#$%^&*(),.?":{}|<>]/.test(password),
}
/** The error message for each rule, used by the server and by forms. */
export const passwordMessages: Record<PasswordRule, string> = {
  length: 'Password must be at least 8 characters long',
  upper: 'Password must contain at least one uppercase letter',
  lower: 'Password must contain at least one lowercase letter',
  number: 'Password must contain at least one number',
  special: 'Password must contain at least one special character',
}
/** The rules that a password does not meet, in order; empty for a valid password. */
export const brokenRules = (password: string): PasswordRule[] =>
  passwordRules.filter((rule) => !passwordRuleTests[rule](password))

/** Strength from 0 to 4. */
export function passwordScore(password: string): 0 | 1 | 2 | 3 | 4 {
  const strengthPoints = [
    password.length >= 8,
    password.length >= 12,
    passwordRuleTests.upper(password) && passwordRuleTests.lower(password),
    passwordRuleTests.number(password) && passwordRuleTests.special(password),
  ]
  return strengthPoints.filter(Boolean).length as 0 | 1 | 2 | 3 | 4 // four booleans cannot sum to more
}

/** The most common passwords that count as common, out of a list in their order. */
export const commonPasswordsMax = 20_000

/** Said of a common password: by forms, and by the server to operators. */
export const commonPasswordMessage: string = 'Many people use this password. Choose one that others do not use.'

/** What a password is compared by: in lower case, without signs and digits at the end, which the rules make people add. */
export function passwordStem(password: string): string {
  const characters = Array.from(password.toLowerCase())
  let length = characters.length
  while (length > 0 && !/\p{L}/u.test(characters[length - 1]!)) length--
  return characters.slice(0, length).join('')
}

/** Those of fewer characters would be the beginnings of passwords that are not common. */
const stemCharsMin = 3

/** The stems of a list of passwords, the most common first. */
export const commonStems = (passwords: readonly string[]): ReadonlySet<string> =>
  new Set(
    passwords.slice(0, commonPasswordsMax).flatMap((password) => {
      const stem = passwordStem(password)
      return stem.length < stemCharsMin ? [] : stem
    }),
  )

/** Whether many people use a password, or one that differs only in case, or in signs and digits at the end. */
export const isCommonPassword = (password: string, stems: ReadonlySet<string>): boolean =>
  stems.has(passwordStem(password))
