import { expect, test } from 'vitest'
import { csvHeading, csvLine } from './csv.ts'

test('cells are quoted, and quotes doubled', () => {
  expect(csvLine(['a', 'b, c', 'say "x"', 'two\nlines', ''])).toBe('"a","b, c","say ""x""","two\nlines",""\r\n')
})

test.each(['=1+1', '+31 6', '-1', '@SUM(A1)', '\t=1', '\r=1'])('%j is text and not a formula', (cell) => {
  expect(csvLine([cell])).toBe(`"'${cell}"\r\n`)
})

test('a heading begins with the byte order mark of UTF-8', () => {
  expect(Buffer.from(csvHeading(['when', 'été'])).subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
  expect(csvHeading(['when', 'été'])).toContain('"when","été"\r\n')
})
