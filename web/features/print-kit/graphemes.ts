/** Characters as people count them: an emoji of a family is one. Old browsers count code points. */
export function graphemesOf(text: string): string[] {
  if (typeof Intl.Segmenter !== 'function') return Array.from(text)
  return Array.from(new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text), ({ segment }) => segment)
}

/** The most that one line on a print may have. */
export const mostLineCharacters = 60
/** A character can have any number of marks: this many UTF-16 units are enough for 60 emojis of families. */
const mostLineUnits = 900

/** The beginning of what was typed or pasted that fits on a print, on one line and without control characters. */
export function printableLine(text: string): string {
  const line = text.slice(0, 2 * mostLineUnits).replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ')
  let kept = ''
  for (const grapheme of graphemesOf(line).slice(0, mostLineCharacters)) {
    if (kept.length + grapheme.length > mostLineUnits) break
    kept += grapheme
  }
  return kept
}
