/** The longest names, in characters. They are not in `limits`, which the first pages do not need. */
export const nameChars = { brandName: 60, username: 64, apiKey: 60 } as const

/** Why a text cannot be a name; `nameProblemMessages` has a message for each. */
export type NameProblem = 'missing' | 'long' | 'characters' | 'link'

// Control and format characters, line separators and private use. Joiners are allowed: some scripts and emoji need them.
const invisibleCharacter = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u
/** What mail programs turn into links: URLs, domains and email addresses. */
const linkPattern = /:\/\/|\S@\S|[\p{L}\p{N}][.\u3002]\p{L}{2,}/u

/** The form in which a name is stored and shown. */
export const normalizeName = (text: string): string => text.trim().normalize('NFC').replace(/ +/g, ' ')

const nameProblem = (name: string, maxChars: number): NameProblem | null => {
  if (name === '') return 'missing'
  if (name.length > 2 * maxChars || Array.from(name).length > maxChars) return 'long'
  return invisibleCharacter.test(name) ? 'characters' : null
}

/** Why guests cannot be shown this brand name; null if they can. `name` is normalized. */
export const brandNameProblem = (name: string): NameProblem | null =>
  nameProblem(name, nameChars.brandName) ?? (linkPattern.test(name.normalize('NFKC')) ? 'link' : null)

/** Why this cannot be a username, which only its owner and admins see; null if it can. `name` is normalized. */
export const usernameProblem = (name: string): NameProblem | null => nameProblem(name, nameChars.username)

/** Why this cannot be the name of an API key, which only its owner sees; null if it can. `name` is normalized. */
export const apiKeyNameProblem = (name: string): NameProblem | null => nameProblem(name, nameChars.apiKey)

/** The message for each problem of a brand name, for the person who typed it. */
export const brandNameMessages: Record<NameProblem, string> = {
  missing: 'Please enter a name',
  long: `Please use at most ${nameChars.brandName} characters`,
  characters: 'The name contains line breaks or invisible characters. Please type it again',
  link: 'The name cannot contain a link or an email address. Put a space after a dot',
}

/** The same for a username. */
export const usernameMessages: Record<NameProblem, string> = {
  ...brandNameMessages,
  long: `Please use at most ${nameChars.username} characters`,
}

/** The same for the name of an API key. */
export const apiKeyNameMessages: Record<NameProblem, string> = {
  ...brandNameMessages,
  missing: 'Please enter a name for your API key',
  long: `Please use at most ${nameChars.apiKey} characters`,
}
