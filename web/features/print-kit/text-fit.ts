import { inks, type TextItem, type TextStyle } from './drawing.ts'
import { graphemesOf } from './graphemes.ts'

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
