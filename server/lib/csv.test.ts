import { expect, test } from 'vitest'
import { createCsvWriter } from './csv.ts'

const dutch: Record<string, string> = { Requester: 'Aanvrager', Photo: 'Foto', yes: 'ja', no: 'nee' }
const english = createCsvWriter('en', () => 'never')
const translated = createCsvWriter('nl', (language, text) => `${language}: ${dutch[text]}`)

test('cells are quoted, and quotes doubled', () => {
  expect(english.line(['a', 'b, c', 'say "x"', 'two\nlines', null])).toBe('"a","b, c","say ""x""","two\nlines",""\r\n')
})

test.each(['=1+1', '+31 6', '-1', '@SUM(A1)', '\t=1', '\r=1'])('%j is text and not a formula', (cell) => {
  expect(english.line([cell])).toBe(`"'${cell}"\r\n`)
  expect(translated.line(['a', cell])).toBe(`"a";"'${cell}"\r\n`)
})

test('a heading begins with the byte order mark of UTF-8', () => {
  expect(Buffer.from(english.heading(['Requester'])).subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
  expect(english.heading(['Requester', 'Photo'])).toBe('\uFEFF"Requester","Photo"\r\n')
})

test('times are as spreadsheets read them, and numbers and answers are words', () => {
  const at = new Date('2026-11-29T14:05:00.123Z')
  expect(english.line([at, 3, true, false])).toBe('"2026-11-29 14:05:00","3","yes","no"\r\n')
})

test('in other languages than English, cells are separated by semicolons, and words are translated but not data', () => {
  expect(translated.heading(['Requester', 'Photo'])).toBe('\uFEFF"nl: Aanvrager";"nl: Foto"\r\n')
  const at = new Date('2026-11-29T14:05:00Z')
  expect(translated.line(['Photo', at, true])).toBe('"Photo";"2026-11-29 14:05:00";"nl: ja"\r\n')
})
