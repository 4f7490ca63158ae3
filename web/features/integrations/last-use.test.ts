import { expect, test } from 'vitest'
import { lastUseOf } from './ApiKeysCard.tsx'

const now = new Date(2026, 10, 22, 21, 45).getTime()
const at = (...parts: [number, number, number, number, number]): string => new Date(...parts).toISOString()

test.each([
  ['a key that was never used', null, { kind: 'never' }],
  ['the same moment', at(2026, 10, 22, 21, 45), { kind: 'now' }],
  ['a minute ago', at(2026, 10, 22, 21, 44), { kind: 'now' }],
  ['a time to come, by a clock that is behind', at(2026, 10, 22, 21, 50), { kind: 'now' }],
  ['four minutes ago', at(2026, 10, 22, 21, 41), { kind: 'minutes', minutes: 4 }],
  ['59 minutes ago', at(2026, 10, 22, 20, 46), { kind: 'minutes', minutes: 59 }],
  ['this morning', at(2026, 10, 22, 9, 12), { kind: 'today' }],
  ['last night', at(2026, 10, 21, 23, 59), { kind: 'before' }],
] as const)('%s', (_, iso, expected) => {
  expect(lastUseOf(iso, now)).toEqual(expected)
})
