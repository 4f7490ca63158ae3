import { expect, test } from 'vitest'
import { canonicalTimeZone } from './languages.ts'

test.each([
  ['Europe/Brussels', 'Europe/Brussels'],
  ['europe/brussels', 'Europe/Brussels'],
  ['America/Argentina/Buenos_Aires', expect.stringMatching(/^America\//)],
  ['UTC', 'UTC'],
  ['', undefined],
  ['Europe/Nowhere', undefined],
  ['+01:00', undefined],
  ['Europe/Brussels; drop table users', undefined],
  [`Europe/${'x'.repeat(80)}`, undefined],
])('the time zone %j is %s', (name, canonical) => {
  expect(canonicalTimeZone(name)).toEqual(canonical)
})
