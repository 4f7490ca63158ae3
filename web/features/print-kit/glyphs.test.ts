import { expect, test } from 'vitest'
import { createHasGlyph, drawnText, type HasGlyph } from './glyphs.ts'

/** A device with the fonts of Western Europe and some emojis. */
const others = new Set(['\u{fe0f}', '\u{200d}', '❤', '👩', '👧'])
const hasGlyph: HasGlyph = (codePoint) => others.has(codePoint) || /^[\p{Script=Latin}\p{M}\d\s&.]$/u.test(codePoint)

test.each([
  ['all of it', 'Lotte & Bram ❤️', 'Lotte & Bram ❤️', []],
  ['a text without its party poppers', 'Lotte 🎉🎉 & Bram 🎉', 'Lotte & Bram', ['🎉']],
  ['a family of which somebody is missing', '👩‍👧 and 👩‍👦', '👩‍👧 and', ['👩‍👦']],
  ['a vowel with a mark', 'e\u{301}té', 'e\u{301}té', []],
  ['nothing', '漢字', '', ['漢', '字']],
])('what can be drawn is %s', (_, text, drawn, missing) => {
  expect(drawnText(text, hasGlyph)).toEqual({ text: drawn, missing })
})

test('everything counts as drawn where there is no canvas', () => {
  expect(createHasGlyph()('🎉')).toBe(true)
})
