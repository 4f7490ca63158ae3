import { expect, test } from 'vitest'
import { endOfDay } from './days.ts'

test('a day ends with its last millisecond in UTC', () => {
  expect(endOfDay('2027-01-31')?.toISOString()).toBe('2027-01-31T23:59:59.999Z')
  expect(endOfDay('2028-02-29')?.toISOString()).toBe('2028-02-29T23:59:59.999Z')
})

test('what is no day has no end', () => {
  for (const text of ['', '2027-02-29', '2027-13-01', '2027-1-31', '31.01.2027', '2027-01-31T10:00:00Z', 'tomorrow'])
    expect(endOfDay(text)).toBeUndefined()
})
