import { limits } from '@keepsnap/contract/limits.ts'
import { brokenRules, passwordMessages } from '@keepsnap/contract/passwords.ts'
import { invalid } from '../../faults.ts'

/** Refuses what may not become a password, with the first rule that it breaks; spec section 5. */
export function checkNewPassword(field: 'password' | 'new_password', password: string): void {
  if (password.length > limits.passwordChars)
    throw invalid(field, `Password must be at most ${limits.passwordChars} characters long`)
  const [broken] = brokenRules(password)
  if (broken) throw invalid(field, passwordMessages[broken])
}
