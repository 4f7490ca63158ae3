import { expect, test } from 'vitest'
import { hashOf, isId, isSecret, newId, newSecret } from './ids.ts'

test('ids are 22 base-62 characters and differ', () => {
  const ids = Array.from({ length: 1_000 }, () => newId())
  expect(ids.every(isId)).toBe(true)
  expect(new Set(ids).size).toBe(ids.length)
  expect(newId(8)).toMatch(/^[0-9A-Za-z]{8}$/)
})

test('every character of the alphabet occurs equally often', () => {
  const counts = new Map<string, number>()
  for (const character of newId(62_000)) counts.set(character, (counts.get(character) ?? 0) + 1)
  expect(counts.size).toBe(62)
  // 1,000 each; ten standard deviations are 316.
  for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(316)
})

test('secrets have the form of a secret, and so have HMACs in base64url', () => {
  expect(isSecret(newSecret())).toBe(true)
  expect(isSecret(`${'a'.repeat(41)}-_`)).toBe(true)
  for (const text of ['', newId(), `${newSecret()}\n`, `${newId(42)}/`]) expect(isSecret(text)).toBe(false)
})

test.each(['', newId(21), newId(23), `${newId(21)}-`, `${newId()}\n`])('%j has not the form of an id', (text) => {
  expect(isId(text)).toBe(false)
})

test('the hash of a secret is SHA-256', () => {
  expect(hashOf('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
