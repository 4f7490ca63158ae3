import { expect, test } from 'vitest'
import { emailProblem, isEmail, normalizeEmail } from './emails.ts'

test.each(['anna@example.com', 'a.b+c@sub.example.co.uk', "o'neil@example.com", 'x@y.zz'])('%s is valid', (email) =>
  expect(isEmail(email)).toBe(true),
)
test.each([
  '',
  '@',
  'a@',
  '@b.com',
  'a@b',
  'a b@c.com',
  'a@b..com',
  '.a@b.com',
  'a.@b.com',
  'a@-b.com',
  'a@b-.com',
  'a@b.com\r\nBcc: x@y.zz',
  'a@b.com,c@d.com',
  '"a b"@c.com',
  'a@b.com;',
  'A <a@b.com>',
  'a@[127.0.0.1]',
  `${'a'.repeat(65)}@b.com`,
  `a@${'b'.repeat(64)}.com`,
  `${'a'.repeat(250)}@b.com`,
  'ä@b.com',
])('%j is invalid', (email) => expect(isEmail(email)).toBe(false))
test.each([
  ['lotte@b\u00fccher.example', null],
  ['lotte@\u4f8b\u3048.jp', null],
  ['\u00e4@example.com', 'characters'],
  ['lotte@b\u00fccher', 'ending'],
  ['lotte@b\u00fc/cher.example', 'form'],
  ['lotte@b\u00fccher.example, x@y.zz', 'several'],
  [`${'a'.repeat(250)}@b.com`, 'long'],
])('emailProblem(%j) is %j', (text, problem) => expect(emailProblem(text)).toBe(problem))
test('addresses are compared without regard to case', () =>
  expect(normalizeEmail(' Anna@Example.COM ')).toBe('anna@example.com'))
test('addresses are checked in linear time', () => {
  const before = process.cpuUsage()
  expect(isEmail('a.'.repeat(500_000))).toBe(false)
  const { user, system } = process.cpuUsage(before)
  expect(user + system, 'CPU time in microseconds').toBeLessThan(1_000_000)
})
