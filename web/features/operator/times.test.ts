import { expect, test } from 'vitest'
import { createFormat } from '../../lib/format.ts'
import { operator } from '../../messages/en/operator.ts'
import { durationOf, noonOf, storeSizeOf, formatTimeOrDate } from './times.ts'

const format = createFormat('en-GB')

test.each([
  [0, '0 s'],
  [0.84, '0.8 s'],
  [9.96, '10 s'],
  [41.4, '41 s'],
  [119, '119 s'],
  [120, '2 min'],
  [3_599, '59 min'],
  [7_200, '2 h'],
  [172_800, '2 d'],
])('%d seconds are %s', (seconds, written) => {
  expect(durationOf(seconds, operator.health, format)).toBe(written)
})

test('a store has terabytes', () => {
  const sizeOf = (bytes: number) => storeSizeOf(bytes, operator.numbers, format)
  expect([sizeOf(0), sizeOf(1023 * 1024 ** 3), sizeOf(1.424 * 1024 ** 4)]).toEqual(['0 B', '1,023 GB', '1.42 TB'])
})

test('a time has its date unless it is today', () => {
  const now = new Date(2026, 10, 22, 21, 47).toISOString()
  expect(formatTimeOrDate(new Date(2026, 10, 22, 4, 10).toISOString(), now, format)).toBe('04:10')
  expect(formatTimeOrDate(new Date(2026, 10, 21, 4, 10).toISOString(), now, format)).toBe('21 Nov 2026, 04:10')
})

test('a day of the server is the same day for the reader', () => {
  expect(format.date(noonOf('2026-11-14'))).toBe('14 November 2026')
})
