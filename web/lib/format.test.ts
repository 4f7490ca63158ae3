import { describe, expect, test } from 'vitest'
import { createFormat, localeOf } from './format.ts'

const american = createFormat('en-US')

describe('sizes', () => {
  test.each([
    [0, '0 B'],
    [1, '1 B'],
    [1023, '1,023 B'],
    [1024, '1 KB'],
    [1536, '1.5 KB'],
    [5 * 1024 ** 2, '5 MB'],
    [1024 ** 3, '1 GB'],
    [50 * 1024 ** 3, '50 GB'],
    [3 * 1024 ** 4, '3,072 GB'],
  ])('%i bytes read as %s', (bytes, text) => {
    expect(american.size(bytes)).toBe(text)
  })

  test('follow the locale', () => {
    expect(createFormat('nl-BE').size(1536)).toBe('1,5 KB')
    expect([12, 1536, 5 * 1024 ** 2, 1024 ** 3].map(createFormat('fr-BE').size)).toEqual([
      '12 o',
      '1,5 Ko',
      '5 Mo',
      '1 Go',
    ])
  })
})

describe('prices', () => {
  test.each([
    [1499, '$14.99'],
    [14_999, '$149.99'],
    [1000, '$10.00'],
    [5, '$0.05'],
  ])('%i cents read as %s', (cents, text) => {
    expect(american.price(cents)).toBe(text)
  })

  test('of whole dollars can be rounded', () => {
    expect(american.price(0, true)).toBe('$0')
    expect(american.price(1499, true)).toBe('$14.99')
  })
})

test('numbers from 1,000 have their separator', () => {
  expect(american.count(1000)).toBe('1,000')
  expect(createFormat('de').count(1000)).toBe('1.000')
  expect(american.count(12_345)).toBe('12,345')
  expect(american.percent(0.412)).toBe('41%')
})

test('dates name the month', () => {
  expect(createFormat('en-GB').date('2026-11-14T12:00:00Z')).toBe('14 November 2026')
  expect(createFormat('en-GB').dateTime('2026-11-14T12:00:00Z')).toMatch(/^14 Nov 2026, \d\d:00$/)
})

test('the first day of a French month is an ordinal', () => {
  const french = createFormat('fr-BE')
  const now = Date.parse('2026-11-21T12:00:00Z')
  expect(french.date('2026-12-01T12:00:00Z')).toBe('1er décembre 2026')
  expect(french.date('2026-12-11T12:00:00Z')).toBe('11 décembre 2026')
  expect(french.dateTime('2026-12-01T12:00:00Z')).toMatch(/^1er déc\. 2026/)
  expect(french.day('2026-12-01T12:00:00Z', now)).toBe('mardi 1er décembre')
  expect(createFormat('de-BE').date('2026-12-01T12:00:00Z')).toBe('1. Dezember 2026')
})

test('days name the weekday, and the year if it is not the current one', () => {
  const british = createFormat('en-GB')
  const now = Date.parse('2026-11-21T12:00:00Z')
  expect(british.day('2026-11-14T12:00:00Z', now)).toBe('Saturday 14 November')
  expect(british.day('2025-11-14T12:00:00Z', now)).toMatch(/^Friday,? 14 November 2025$/)
  expect(british.time('2026-11-14T12:05:00Z')).toMatch(/^\d\d:05$/)
  expect(british.clock(Date.parse('2026-11-14T12:05:07Z'))).toMatch(/^\d\d:05:07$/)
})

test('formats follow the preferred variant of the language of the page', () => {
  expect(localeOf('en', ['nl-BE', 'EN-gb', 'en-US'])).toBe('EN-gb')
  expect(localeOf('nl', ['fr-BE', 'nl-BE'])).toBe('nl-BE')
  expect(localeOf('nl', ['nlx', 'en'])).toBe('nl')
  expect(localeOf('fr', [])).toBe('fr')
  // As kiosks without a locale list them.
  expect([localeOf('en', ['en-US@posix']), localeOf('en', ['C', 'en-GB'])]).toEqual(['en', 'en-GB'])
})
