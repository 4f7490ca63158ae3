import { expect, test } from 'vitest'
import { parseRange } from './send-object.ts'

test.each([
  [undefined, undefined],
  ['bytes=0-99', { start: 0, end: 99 }],
  ['bytes=500-', { start: 500, end: 999 }],
  ['bytes=-100', { start: 900, end: 999 }],
  ['bytes=-5000', { start: 0, end: 999 }],
  ['bytes=900-5000', { start: 900, end: 999 }],
  ['bytes=1000-', null],
  ['bytes=-0', null],
  ['bytes=5-1', undefined],
  ['bytes=0-1,5-9', undefined],
  ['bytes=-', undefined],
  ['bytes=a-b', undefined],
  ['items=0-5', undefined],
  [`bytes=${'9'.repeat(40)}-`, undefined],
])('of 1,000 bytes, the header %j selects %j', (header, range) => {
  expect(parseRange(header, 1000)).toEqual(range)
})
