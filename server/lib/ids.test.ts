import { expect, test } from 'vitest'
import { isId, isSecret, newId, newSecret } from './ids.ts'

test('ids are 22 base-62 characters and differ', () => {
  const ids = Array.from({ length: 1_000 }, () => newId())
  expect(ids.every(isId)).toBe(true)
  expect(new Set(ids).size).toBe(ids.length)
  expect(newId(8)).toMatch(/^[0-9A-Za-z]{8}$/)
  for (const text of ['', newId(21), newId(23), `${newId(21)}-`, `${newId()}\n`]) expect(isId(text)).toBe(false)
})

test('secrets have the form of a secret, and so have HMACs in base64url', () => {
  expect(isSecret(newSecret())).toBe(true)
  expect(isSecret(`${'a'.repeat(41)}-_`)).toBe(true)
  for (const text of ['', newId(), `${newSecret()}\n`, `${newId(42)}/`]) expect(isSecret(text)).toBe(false)
})
