import { expect, test } from 'vitest'
import { randomId } from './random-id.ts'

test('ids are 32 hexadecimal digits, and different', () => {
  const ids = Array.from({ length: 100 }, randomId)
  expect(ids.every((id) => /^[\da-f]{32}$/.test(id))).toBe(true)
  expect(new Set(ids).size).toBe(100)
})
