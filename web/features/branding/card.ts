import {
  fitLogo,
  fitPicture,
  headlines,
  paperOf,
  type PrintContent,
  productMark,
  taglineOf,
  twoCodes,
} from './sheet-parts.ts'
import { type Drawing, fitCode, inks, type Item, type LineItem, movedBy } from './drawing.ts'
import { type Block, fitColumn, type MeasureText } from './sheet-text.ts'

const { width, height } = paperOf.card
/** Printers leave up to 5 mm of the paper's edge white. */
const margin = 6.3
const inner = width - 2 * margin
const footHeight = 9

const lineBlock = (line: string, size: number): Block => ({
  text: line,
  size,
  weight: 540,
  leading: 1.22,
  gap: size * 0.55,
})

function foot(content: PrintContent, measure: MeasureText): Item[] {
  const bottom = height - margin
  const logoPlace = { x: margin, y: bottom - footHeight, width: 40, height: footHeight }
  return [...fitLogo(content, logoPlace, 'bottom'), ...productMark(width - margin, bottom - 0.9, 3.3)(measure)]
}

/** The photo, and in the white below it the headline and the code. */
function withoutWifi(content: PrintContent, measure: MeasureText): Item[] {
  const { texts, byEmail, line, code } = content
  const photoHeight = texts.length > 1 ? 65 : 71
  const top = margin + photoHeight + 4.6
  const codeSide = 42
  const placedCode = fitCode(
    { x: width - margin - codeSide, y: top + 0.8, side: codeSide, white: 4.6, align: 'right' },
    code,
  )
  const blocks: Block[] = [
    ...headlines(content, 9.2, 5),
    lineBlock(line, 4),
    ...texts.map((text, n): Block => ({
      text: `${text.point} ${taglineOf(text, byEmail)}`,
      language: text.language,
      size: 3.5,
      weight: 420,
      leading: 1.32,
      gap: n === 0 ? 2.4 : 1.2,
      colour: inks.second,
    })),
  ]
  const columnWidth = inner - codeSide - 6.2
  const column = { x: margin, y: top, width: columnWidth, height: height - margin - footHeight - 3.5 - top }
  return [
    ...fitPicture(content, { x: margin, y: margin, width: inner, height: photoHeight }, { focus: 0.3, measure }),
    ...fitColumn(blocks, column, measure).items,
    placedCode,
  ]
}

function withWifi(content: PrintContent, measure: MeasureText): Item[] {
  const photoHeight = 38.5
  const headTop = margin + photoHeight + 4.4
  const headHeight = 18
  const blocks = [...headlines(content, 8.2, 4.4), lineBlock(content.line, 3.7)]
  const head = fitColumn(blocks, { x: margin, y: headTop, width: inner, height: headHeight }, measure)
  const columnWidth = (inner - 5) / 2
  const codes = twoCodes(content, measure, {
    columns: [margin, margin + columnWidth + 5],
    columnWidth,
    y: headTop + headHeight + 5,
    side: 37,
    white: 4.6,
    size: 3.1,
    captionHeight: 13.5,
  })
  return [
    ...fitPicture(content, { x: margin, y: margin, width: inner, height: photoHeight }, { focus: 0.5, measure }),
    ...head.items,
    ...codes.items,
  ]
}

/** The table card, A6. */
export function cardDrawing(content: PrintContent, measure: MeasureText): Drawing {
  const body = content.wifi ? withWifi(content, measure) : withoutWifi(content, measure)
  return { width, height, items: [...body, ...foot(content, measure)] }
}

const sheet = paperOf.four
/** Two A6 are one millimetre lower than A4: half of it is left above and below. */
const sheetTop = (sheet.height - 2 * height) / 2
const edgeMark = 9
const middleMark = 5

/** Where to cut: short lines at the edges, which printers reach, and a cross in the middle. */
function cuttingMarks(): LineItem[] {
  const [middleX, middleY] = [width, sheetTop + height]
  return [
    { kind: 'line', from: [middleX, 0], to: [middleX, edgeMark] },
    { kind: 'line', from: [middleX, sheet.height - edgeMark], to: [middleX, sheet.height] },
    { kind: 'line', from: [0, middleY], to: [edgeMark, middleY] },
    { kind: 'line', from: [sheet.width - edgeMark, middleY], to: [sheet.width, middleY] },
    { kind: 'line', from: [middleX - middleMark, middleY], to: [middleX + middleMark, middleY] },
    { kind: 'line', from: [middleX, middleY - middleMark], to: [middleX, middleY + middleMark] },
  ]
}

/** Four table cards on one A4, with marks for cutting. */
export function fourCardsDrawing(content: PrintContent, measure: MeasureText): Drawing {
  const { items } = cardDrawing(content, measure)
  const cards = [0, 1, 2, 3].flatMap((n) =>
    items.map((item) => movedBy(item, (n % 2) * width, sheetTop + Math.floor(n / 2) * height)),
  )
  return { ...sheet, items: [...cards, ...cuttingMarks()] }
}
