import { expect, test } from 'vitest'
import { limits } from '@keepsnap/contract/limits.ts'
import { checkNewPassword } from './new-password.ts'

test('a password that keeps every rule is accepted, up to the maximum length', () => {
  const password = 'Correct.Horse.1'
  expect(() => checkNewPassword('password', password)).not.toThrow()
  expect(() => checkNewPassword('password', password.padEnd(limits.passwordChars, 'x'))).not.toThrow()
})

test.each([
  ['Short.1', 'Password must be at least 8 characters long'],
  [`Long.1${'x'.repeat(limits.passwordChars)}`, `Password must be at most ${limits.passwordChars} characters long`],
])('the password %s is refused: %s', (password, msg) => {
  expect(() => checkNewPassword('new_password', password)).toThrow(
    expect.objectContaining({ code: 'invalid', detail: [{ loc: ['body', 'new_password'], msg }] }),
  )
})
