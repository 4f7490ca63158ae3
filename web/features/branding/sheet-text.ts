import { inks, type TextItem, type TextStyle } from './drawing.ts'

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

/** The unit of fonts on a canvas: large, so that widths are not rounded. */
const measuredPixels = 100

/** The two families of the page. */
function fontFamilyOf(style: TextStyle): string {
  const styles = getComputedStyle(document.documentElement)
  return styles.getPropertyValue(style.isMono ? '--mono' : '--font') || 'sans-serif'
}

/** Without it in canvases, which Safari lacks, texts have no letter-spacing anywhere: preview and PDF are the same. */
export const hasTracking =
  typeof CanvasRenderingContext2D === 'function' && 'letterSpacing' in CanvasRenderingContext2D.prototype

export function setFont(context: CanvasRenderingContext2D, style: TextStyle, pixels: number): void {
  context.font = `${style.weight} ${pixels}px ${fontFamilyOf(style)}`
  if (hasTracking) context.letterSpacing = `${(style.tracking ?? 0) * pixels}px`
}

/** Where there is no canvas, about the width of a character. */
const usualWidth = 0.55

/** Measures with the fonts of this browser. */
export function createMeasure(): MeasureText {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) return (text, { size }) => text.length * usualWidth * size
  const widths = new Map<string, number>()
  return (text, style) => {
    const key = `${style.weight} ${style.isMono} ${style.tracking} ${text}`
    let width = widths.get(key)
    if (width === undefined) {
      setFont(context, style, measuredPixels)
      width = context.measureText(text).width / measuredPixels
      widths.set(key, width)
    }
    return width * style.size
  }
}

const rightToLeft = /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** The direction of a line, by its first strong character. */
export const directionOf = (text: string): 'ltr' | 'rtl' => (rightToLeft.test(text) ? 'rtl' : 'ltr')

/** Loads what prints need of the page's font, for measuring. Resolves without it when it does not load. */
export async function loadFonts(): Promise<void> {
  if (!('fonts' in document)) return
  const family = fontFamilyOf({ size: 1, weight: 420 })
  await Promise.allSettled([420, 540, 640, 680].map((weight) => document.fonts.load(`${weight} 20px ${family}`)))
}

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

/** The width of a line of text in millimetres. */
export type MeasureText = (text: string, style: TextStyle) => number

/** A text in a column, as large as it may become. */
export interface Block extends TextStyle {
  text: string
  /** The distance between lines, in em. */
  leading: number
  /** The space above, in millimetres, unless it is the first. */
  gap: number
  colour?: TextItem['colour']
  language?: string
}

interface Lines {
  lines: string[]
  /** Whether a word was too long for a line. */
  hasBrokenWord: boolean
}

const ideograph = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc]/u
/** Full stops, commas and closing brackets never start a line, opening brackets never end one. */
const neverFirst = /^[\p{Pe}\p{Pf}\p{Po}\u30fc]/u
const neverLast = /^[\p{Ps}\p{Pi}]/u

/** The parts of a word between which a line may end: Chinese and Japanese are written without spaces. */
function partsOf(word: string): string[] {
  if (!Array.from(word).some((char) => ideograph.test(char))) return [word]
  const parts: string[] = []
  let before = ''
  for (const grapheme of graphemesOf(word)) {
    const isBreak = ideograph.test(grapheme) || ideograph.test(before) || neverFirst.test(before)
    if (before === '' || (isBreak && !neverFirst.test(grapheme) && !neverLast.test(before))) parts.push(grapheme)
    else parts[parts.length - 1] += grapheme
    before = grapheme
  }
  return parts
}

function linesOf(text: string, width: number, widthOf: (text: string) => number): Lines {
  const lines: string[] = []
  let line = ''
  let hasBrokenWord = false
  const add = (part: string, space: string): void => {
    const longer = line === '' ? part : `${line}${space}${part}`
    if (widthOf(longer) <= width) {
      line = longer
      return
    }
    if (line !== '') lines.push(line)
    line = ''
    for (const grapheme of widthOf(part) <= width ? [part] : graphemesOf(part)) {
      if (line !== '' && widthOf(line + grapheme) > width) {
        hasBrokenWord = true
        lines.push(line)
        line = ''
      }
      line += grapheme
    }
  }
  for (const word of text.split(/\s+/).filter(Boolean))
    for (const [n, part] of partsOf(word).entries()) add(part, n === 0 ? ' ' : '')
  return { lines: line === '' ? lines : [...lines, line], hasBrokenWord }
}

/** The text in as few lines as possible, which are about as long as each other. */
export function balancedLines(text: string, width: number, widthOf: (text: string) => number): Lines {
  const widest = linesOf(text, width, widthOf)
  if (widest.lines.length < 2 || widest.hasBrokenWord) return widest
  let [low, high] = [width / 2, width]
  let best = widest
  for (let step = 0; step < 6; step++) {
    const middle = (low + high) / 2
    const found = linesOf(text, middle, widthOf)
    if (found.lines.length > widest.lines.length || found.hasBrokenWord) low = middle
    else [best, high] = [found, middle]
  }
  return best
}

interface Column {
  x: number
  y: number
  width: number
  height: number
  align?: TextItem['align']
  /** The column is in the middle of the height. */
  isCentred?: boolean
}
export interface PlacedColumn {
  items: TextItem[]
  /** The height that is used. */
  height: number
}

/** From the top of a line to its baseline, in em; the line is as high as its em. */
const ascent = 0.79
const smallestScale = 0.3
const scaleStep = 0.96
/** Below this scale a broken word is better than small text. */
const scaleOfBrokenWords = 0.62

/** The blocks below each other: as large as they may be, or smaller together until they fit. */
export function fitColumn(blocks: readonly Block[], column: Column, measure: MeasureText): PlacedColumn {
  for (let scale = 1; ; scale *= scaleStep) {
    const placed = placeColumn(blocks, column, { measure, scale })
    const fits = placed.height <= column.height && (!placed.hasBrokenWord || scale < scaleOfBrokenWords)
    if (!fits && scale > smallestScale) continue
    const dy = column.isCentred ? (column.height - placed.height) / 2 : 0
    return {
      items: placed.items.map((item) => ({ ...item, baseline: item.baseline + dy })),
      height: placed.height,
    }
  }
}

function placeColumn(
  blocks: readonly Block[],
  { x, y, width, align = 'left' }: Column,
  { measure, scale }: { measure: MeasureText; scale: number },
): PlacedColumn & { hasBrokenWord: boolean } {
  const items: TextItem[] = []
  let top = 0
  let hasBrokenWord = false
  for (const { text, leading, gap, colour = inks.ink, size: largest, weight, ...rest } of blocks) {
    if (text.trim() === '') continue
    const style = { ...rest, weight, size: largest * scale }
    const found = balancedLines(text, width, (line) => measure(line, style))
    hasBrokenWord ||= found.hasBrokenWord
    if (items.length > 0) top += gap * scale
    const left = align === 'left' ? x : align === 'right' ? x + width : x + width / 2
    for (const line of found.lines) {
      const baseline = y + top + style.size * (ascent + (leading - 1) / 2)
      items.push({ kind: 'text', ...style, text: line, x: left, baseline, align, colour })
      top += style.size * leading
    }
  }
  return { items, height: top, hasBrokenWord }
}
