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
