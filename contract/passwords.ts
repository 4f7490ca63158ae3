/** Password rules of spec section 5, in the order in which they are checked and shown. */
export type PasswordRule = 'length' | 'upper' | 'lower' | 'number' | 'special'

const tests: Record<PasswordRule, (password: string) => boolean> = {
  length: (password) => password.length >= 8,
  upper: (password) => /[A-Z]/.test(password),
  lower: (password) => /[a-z]/.test(password),
  number: (password) => /[0-9]/.test(password),
  special: (password) => /[!@#$%^&*(),.?":{}|<>]/.test(password),
}
/** The sentence that refuses a password which breaks the rule; server and form say the same. */
export const passwordMessages: Record<PasswordRule, string> = {
  length: 'Password must be at least 8 characters long',
  upper: 'Password must contain at least one uppercase letter',
  lower: 'Password must contain at least one lowercase letter',
  number: 'Password must contain at least one number',
  special: 'Password must contain at least one special character',
}
/** The rules in the order of the checklist. */
export const passwordRules = Object.keys(tests) as PasswordRule[] // the keys are the rules

/** The rules that a password breaks, first things first; empty when it may be used. */
export const brokenRules = (password: string): PasswordRule[] => passwordRules.filter((rule) => !tests[rule](password))

/** Strength from 0 to 4, spec section 5. */
export function passwordScore(password: string): 0 | 1 | 2 | 3 | 4 {
  const points = [
    password.length >= 8,
    password.length >= 12,
    tests.upper(password) && tests.lower(password),
    tests.number(password) && tests.special(password),
  ]
  return points.filter(Boolean).length as 0 | 1 | 2 | 3 | 4 // four booleans cannot sum to more
}
