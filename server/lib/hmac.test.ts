import { expect, test } from 'vitest'
import { deriveKey, hmac, timingSafeEqualText, shortHmac, shortHmacLength } from './hmac.ts'

const key = deriveKey('a secret key', 'a purpose')

test('a derived key differs by secret and by purpose', () => {
  const keys = [key, deriveKey('a secret key', 'another purpose'), deriveKey('another key', 'a purpose')]
  expect(new Set(keys.map((one) => one.toString('hex'))).size).toBe(3)
  expect(deriveKey('a secret key', 'a purpose').equals(key)).toBe(true)
})

test('HMACs never change: links that were sent before depend on them', () => {
  // RFC 4231, test case 2.
  const expected = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'
  const actual = hmac(Buffer.from('Jefe'), 'what do ya want for nothing?')
  expect(Buffer.from(actual, 'base64url').toString('hex')).toBe(expected)
  expect(actual).toHaveLength(43)
  expect(shortHmac(key, 'x')).toBe(hmac(key, 'x').slice(0, shortHmacLength))
})

test('texts are the same only when every character is', () => {
  expect(timingSafeEqualText('abc', 'abc')).toBe(true)
  for (const given of ['', 'ab', 'abd', 'abcd', 'ABC', 'äbc']) expect(timingSafeEqualText('abc', given)).toBe(false)
})
