import { describe, expect, test } from 'vitest'
import { graphemesOf, printableLine } from './graphemes.ts'
import { pdfFilename } from './options.ts'
import { balancedLines, fitColumn, type Block, type MeasureText } from './text-fit.ts'

const widthOf = (text: string): number => graphemesOf(text).length
const measure: MeasureText = (text, { size }) => widthOf(text) * size
const block = (text: string): Block => ({ text, size: 2, weight: 420, leading: 1, gap: 1 })

describe('lines', () => {
  test('are as few as possible and about as long as each other', () => {
    expect(balancedLines('aa bb cc dd', 9, widthOf).lines).toEqual(['aa bb', 'cc dd'])
  })
  test('of words that are too long are broken between characters, never inside of one', () => {
    const family = '👨‍👩‍👧‍👦'
    const { lines, hasBrokenWord } = balancedLines(family.repeat(5), 2, widthOf)
    expect(lines).toEqual([family.repeat(2), family.repeat(2), family])
    expect(hasBrokenWord).toBe(true)
  })
  test('of Chinese and Japanese end between characters, never before a full stop or after an opening bracket', () => {
    expect(balancedLines('佐藤花子と鈴木、太郎', 6, widthOf)).toEqual({
      lines: ['佐藤花子と', '鈴木、太郎'],
      hasBrokenWord: false,
    })
    expect(balancedLines('東京の花園。写真', 5, widthOf).lines).toEqual(['東京の花', '園。写真'])
    expect(balancedLines('花園「東京」', 3, widthOf).lines).toEqual(['花園', '「東', '京」'])
    expect(balancedLines('Lotte 花 Bram', 7, widthOf).lines).toEqual(['Lotte', '花 Bram'])
  })
  test('of an empty text are none', () => {
    expect(balancedLines('   ', 5, widthOf).lines).toEqual([])
  })
})

describe('a column', () => {
  const column = { x: 10, y: 20, width: 20, height: 10 }
  test('is as large as it may be', () => {
    const { items, height } = fitColumn([block('aaaa'), block(''), block('bbbb')], column, measure)
    expect(items.map(({ text, size, x }) => [text, size, x])).toEqual([
      ['aaaa', 2, 10],
      ['bbbb', 2, 10],
    ])
    expect(height).toBe(5)
  })
  test('becomes smaller as a whole until it fits', () => {
    const { items, height } = fitColumn(
      [block('aaaa bbbb cccc dddd eeee ffff gggg hhhh iiii jjjj'), block('k')],
      column,
      measure,
    )
    expect(height).toBeLessThanOrEqual(column.height)
    expect(new Set(items.map(({ size }) => size)).size).toBe(1)
    expect(items[0]?.size).toBeLessThan(2)
  })
})

describe('the line of the owner', () => {
  test('has 60 characters as people count them', () => {
    const family = '👨‍👩‍👧‍👦'
    expect(graphemesOf(printableLine(family.repeat(80)))).toHaveLength(60)
    expect(graphemesOf(printableLine('é'.normalize('NFD').repeat(70)))).toHaveLength(60)
    expect(printableLine('x'.repeat(1_000_000))).toBe('x'.repeat(60))
  })
  test('has no line breaks, control characters or overrides of its direction', () => {
    expect(printableLine('Lotte\n& \u202eBram\u0000')).toBe('Lotte &  Bram ')
  })
  test('is limited despite endless combining marks', () => {
    expect(printableLine(`a${'\u0301'.repeat(5_000)}`).length).toBeLessThanOrEqual(900)
  })
})

test.each([
  ['IMG_4374.jpg', 'keepsnap-card-IMG_4374.pdf'],
  ['a/b\\c: "d".HEIC', 'keepsnap-card-a-b-c-d-.pdf'],
  ['x'.repeat(300), `keepsnap-card-${'x'.repeat(60)}.pdf`],
])('the file of %s', (photo, file) => {
  expect(pdfFilename('card', photo)).toBe(file)
})
