import { expect, test } from 'vitest'
import { apiKeyHeaderOf } from './api-key-header.ts'

test('both headers mean the same key; two different values are none', () => {
  expect(apiKeyHeaderOf({ headers: {} })).toBeUndefined()
  expect(apiKeyHeaderOf({ headers: { 'api-key': 'a' } })).toBe('a')
  expect(apiKeyHeaderOf({ headers: { 'x-api-key': 'a' } })).toBe('a')
  expect(apiKeyHeaderOf({ headers: { 'api-key': 'a', 'x-api-key': 'a' } })).toBe('a')
  expect(apiKeyHeaderOf({ headers: { 'api-key': 'a', 'x-api-key': 'b' } })).toBe('')
  expect(apiKeyHeaderOf({ headers: { 'api-key': '', 'x-api-key': 'b' } })).toBe('')
})
