import { expect, test } from 'vitest'
import { parseDateRange } from './date-range.ts'

test('is the last thirty days by default', () => {
  expect(parseDateRange('2026-03-15', {})).toEqual({ from: '2026-02-14', to: '2026-03-15' })
  expect(parseDateRange('2026-03-15', { to: '2026-01-30' })).toEqual({ from: '2026-01-01', to: '2026-01-30' })
})

test('is at most a year', () => {
  const from = '2025-12-31'
  expect(parseDateRange('2026-12-31', { from })).toEqual({ from, to: '2026-12-31' })
  expect(() => parseDateRange('2026-12-31', { from: '2025-12-30' })).toThrow('At most')
})

test.each([
  { from: '2026-02-30' },
  { from: '2026-05-02', to: '2026-05-01' },
  { from: '0000-01-01', to: '0000-01-20' },
  { to: '0000-01-10' },
  { to: 'today' },
])('refuses %o', (query) => {
  expect(() => parseDateRange('2026-12-31', query)).toThrow()
})
