import { cardDrawing, fourCardsDrawing } from './card.ts'
import type { PrintContent, PrintFormat } from './content.ts'
import type { CodeItem, Drawing } from './drawing.ts'
import { posterDrawing } from './poster.ts'
import type { MeasureText } from './text-fit.ts'

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
