import {
  fitLogo,
  fitPicture,
  headlines,
  numberedCircle,
  paperOf,
  type PrintContent,
  type PrintFormat,
  productMark,
  stepsOf,
  taglineOf,
  twoCodes,
} from './sheet-parts.ts'
import { type CodeItem, type Drawing, fitCode, inks, type Item } from './drawing.ts'
import { fitColumn, type MeasureText, type PlacedColumn } from './sheet-text.ts'
import { cardDrawing, fourCardsDrawing } from './card.ts'

const { width, height } = paperOf.poster
const margin = 14
const inner = width - 2 * margin

/** The logo, and the owner's line beside it. */
function head(content: PrintContent, measure: MeasureText): Item[] {
  const logoWidth = 62
  const rowHeight = 14
  const place = { x: margin, y: margin, width: logoWidth, height: rowHeight }
  const hasLogo = content.logo !== null
  const lineWidth = hasLogo ? inner - logoWidth - 10 : inner
  const line = fitColumn(
    [{ text: content.line, size: 6.4, weight: 540, leading: 1.2, gap: 0 }],
    {
      x: width - margin - lineWidth,
      y: margin,
      width: lineWidth,
      height: rowHeight,
      align: hasLogo ? 'right' : 'left',
      isCentred: hasLogo,
    },
    measure,
  )
  return [...fitLogo(content, place, 'top'), ...line.items]
}

function headlineOnPoster(content: PrintContent, measure: MeasureText): PlacedColumn & { bottom: number } {
  const isBare = content.logo === null && content.line.trim() === ''
  const y = isBare ? margin : margin + 21
  // Two codes need more of the height.
  const largest = content.wifi ? 44 : 62
  const column = { x: margin, y, width: inner, height: content.texts.length > 1 ? largest : largest - 10 }
  const placed = fitColumn(headlines(content, 24, 11), column, measure)
  return { ...placed, bottom: y + placed.height }
}

/** The code, and how to scan it in three steps beside it. */
function codeWithSteps(content: PrintContent, y: number, measure: MeasureText): { items: Item[]; bottom: number } {
  const side = 92
  const code = fitCode({ x: margin, y, side, white: 13 }, content.code)
  const left = margin + code.width + 16
  const circle = 9.4
  const stepHeight = 24
  const firstStep = y + (code.height - 3 * stepHeight) / 2
  const steps = [0, 1, 2].flatMap((n) => {
    const stepTop = firstStep + n * stepHeight
    const blocks = content.texts.map((text, at) => ({
      text: stepsOf(text, content)[n] ?? '',
      language: text.language,
      size: at === 0 ? 8 : 5.4,
      weight: at === 0 ? (540 as const) : (420 as const),
      tracking: -0.015,
      leading: 1.16,
      gap: 1,
      colour: at === 0 ? inks.ink : inks.second,
    }))
    const x = left + circle + 4
    const column = { x, y: stepTop, width: width - margin - x, height: stepHeight - 3, isCentred: true }
    const number = { x: left, y: stepTop + (stepHeight - 3 - circle) / 2, side: circle }
    return [...numberedCircle(number, String(n + 1)), ...fitColumn(blocks, column, measure).items]
  })
  return { items: [code, ...steps], bottom: y + code.height + 13 }
}

/** The tagline and the name of the product, between the codes and the photo. */
function taglineRow(content: PrintContent, y: number, measure: MeasureText): { items: Item[]; bottom: number } {
  // Beside the code of the Wi-Fi network, the caption of the other says it.
  const text = content.wifi ? '' : content.texts.map((each) => taglineOf(each, content.byEmail)).join(' ')
  const column = { x: margin, y, width: inner - 46, height: 7.6, isCentred: true }
  const block = { text, size: 6, weight: 420, leading: 1.2, gap: 0, colour: inks.second } as const
  return {
    items: [...fitColumn([block], column, measure).items, ...productMark(width - margin, y + 6, 6.2)(measure)],
    bottom: y + 7.6,
  }
}

/** The poster, A4: codes as large as they can be, and the photo in what is left. */
function posterDrawing(content: PrintContent, measure: MeasureText): Drawing {
  const headline = headlineOnPoster(content, measure)
  const columnWidth = (inner - 18) / 2
  const codes = content.wifi
    ? twoCodes(content, measure, {
        columns: [margin, margin + columnWidth + 18],
        columnWidth,
        y: headline.bottom + 11,
        side: 74,
        white: 9.5,
        size: 5.6,
        captionHeight: 31,
      })
    : codeWithSteps(content, headline.bottom + 12, measure)
  const foot = taglineRow(content, codes.bottom + (content.wifi ? 4 : 0), measure)
  const photoTop = foot.bottom + 7
  return {
    width,
    height,
    items: [
      ...head(content, measure),
      ...headline.items,
      ...codes.items,
      ...foot.items,
      ...fitPicture(
        content,
        { x: margin, y: photoTop, width: inner, height: height - margin - photoTop },
        { focus: 0.5, measure },
      ),
    ],
  }
}

const drawings = { card: cardDrawing, four: fourCardsDrawing, poster: posterDrawing }

/** What is printed: the same for the preview, the print dialog and the PDF. */
export const drawingOf = (format: PrintFormat, content: PrintContent, measure: MeasureText): Drawing =>
  drawings[format](content, measure)

/** The smallest module that cheap printers print and phones read, in millimetres. */
export const smallestModule = 0.4

export const codesOf = ({ items }: Drawing): CodeItem[] => items.filter((item) => item.kind === 'code')

/** The width of the smallest code in millimetres, and from how many centimetres phones read it: ten times its width. */
export function scanDistance(drawing: Drawing): { width: number; distance: number } {
  const widths = codesOf(drawing).map(({ width }) => width)
  const width = Math.min(...widths)
  return { width: Math.round(width), distance: Math.floor(width / 5) * 5 }
}
