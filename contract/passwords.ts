/** Password rules, in the order in which they are checked and shown. */
export type PasswordRule = 'length' | 'upper' | 'lower' | 'number' | 'special'

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
/** The rules, in order. */
export const passwordRules = Object.keys(passwordRuleTests) as PasswordRule[] // the keys are the rules

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
