import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createEncryption, deriveKey, hmac, shortHmac, shortHmacLength, timingSafeEqualText } from './cryptography.ts'

describe('encryption', () => {
  const encryption = createEncryption([randomBytes(32)])

  test('a text can be read again with the same key and context', () => {
    for (const text of ['', 'whsec_secret', 'ünïcode 📷'])
      expect(encryption.decrypt(encryption.encrypt(text, 'row 1'), 'row 1')).toBe(text)
  })

  test('the same text is never encrypted to the same bytes, and not readable in them', () => {
    const [one, other] = [encryption.encrypt('whsec_secret', 'row 1'), encryption.encrypt('whsec_secret', 'row 1')]
    expect(one.equals(other)).toBe(false)
    expect(one.toString('latin1')).not.toContain('secret')
  })

  test('another key, another context, a changed byte and a cut end reveal nothing', () => {
    const encrypted = encryption.encrypt('whsec_secret', 'row 1')
    expect(encryption.decrypt(encrypted, 'row 2')).toBeUndefined()
    expect(createEncryption([randomBytes(32)]).decrypt(encrypted, 'row 1')).toBeUndefined()
    for (let at = 0; at < encrypted.length; at++) {
      const changed = Buffer.from(encrypted)
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
      expect(encryption.decrypt(changed, 'row 1')).toBeUndefined()
      expect(encryption.decrypt(encrypted.subarray(0, at), 'row 1')).toBeUndefined()
    }
  })
})

describe('hmac', () => {
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
})
