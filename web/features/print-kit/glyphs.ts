import { graphemesOf } from './graphemes.ts'
import { setFont } from './measure.ts'

/** Says of one code point whether a font of this device draws it. */
export type HasGlyph = (codePoint: string) => boolean

/** A private-use code point that no font has: browsers show the same empty box as for any missing glyph. */
const drawnByNoFont = '\u{10fffd}'
const side = 40
/** Changes what is beside it, and draws nothing itself. */
const drawsNothing = /^[\p{Default_Ignorable_Code_Point}\p{M}\p{Z}\p{Cc}\p{Cf}\u2800]$/u

/** Looks at what this browser draws. Where there is no canvas, every code point counts as drawn. */
export function createHasGlyph(): HasGlyph {
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return () => true
  const pictureOf = (text: string): string => {
    context.clearRect(0, 0, side, side)
    setFont(context, { size: 1, weight: 420 }, side / 2)
    context.fillText(text, side / 4, side * 0.65)
    return context.getImageData(0, 0, side, side).data.join()
  }
  const emptyBox = pictureOf(drawnByNoFont)
  const known = new Map<string, boolean>()
  return (codePoint) => {
    let isDrawn = known.get(codePoint)
    if (isDrawn === undefined) {
      isDrawn = drawsNothing.test(codePoint) || pictureOf(codePoint) !== emptyBox
      known.set(codePoint, isDrawn)
    }
    return isDrawn
  }
}

export interface DrawnText {
  /** The text without what no font draws. */
  text: string
  /** What is missing in it, each once. */
  missing: readonly string[]
}

/** The part of a text that can be drawn: the rest would be printed as empty boxes. */
export function drawnText(text: string, hasGlyph: HasGlyph): DrawnText {
  const missing = new Set<string>()
  const kept = graphemesOf(text).filter((grapheme) => {
    const isDrawn = Array.from(grapheme).every(hasGlyph)
    if (!isDrawn) missing.add(grapheme)
    return isDrawn
  })
  return missing.size === 0
    ? { text, missing: [] }
    : { text: kept.join('').replaceAll(/\s+/g, ' ').trim(), missing: [...missing] }
}
