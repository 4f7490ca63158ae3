import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createEncryption } from './encryption.ts'

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
