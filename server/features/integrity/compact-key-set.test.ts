import { expect, test } from 'vitest'
import { newStorageKey } from '../../domain/stored-objects.ts'
import { createCompactKeySet } from './compact-key-set.ts'

test('keys that were added are found, and no others', () => {
  const keys = Array.from({ length: 3_000 }, () => newStorageKey('full'))
  const listed = createCompactKeySet()
  expect(listed.has('full/0000000000000000000000')).toBe(false)
  for (const key of keys) listed.add(key)
  expect(listed.count).toBe(3_000)
  expect(keys.every((key) => listed.has(key))).toBe(true)
  expect(Array.from({ length: 3_000 }, () => newStorageKey('thumb')).some((key) => listed.has(key))).toBe(false)
  const later = newStorageKey('orig')
  listed.add(later)
  expect([listed.has(later), listed.has(keys[0] ?? '')]).toEqual([true, true])
  expect(listed.distinct()).toBe(3_001)
  for (const key of [later, ...keys.slice(0, 10)]) listed.add(key)
  expect([listed.count, listed.distinct(), createCompactKeySet().distinct()]).toEqual([3_012, 3_001, 0])
})
