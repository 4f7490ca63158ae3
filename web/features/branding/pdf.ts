import { productName } from '@keepsnap/contract/site.ts'
import {
  type Drawing,
  inks,
  type Item,
  type PictureName,
  type Rectangle,
  runsOf,
  symbolRing,
  symbolSide,
} from './drawing.ts'
import { directionOf, type MeasureText, setFont } from './sheet-text.ts'

interface PdfOptions {
  pictures: Readonly<Partial<Record<PictureName, HTMLImageElement>>>
  measure: MeasureText
  /** Of the document; nothing about a person. */
  title: string
  /** BCP 47. */
  language: string
}

/** A4 is then a canvas that browsers of phones allow. */
const dotsPerInch = 300
const pixelsPerMm = dotsPerInch / 25.4
const pointsPerMm = 72 / 25.4
const pointsPerPixel = 72 / dotsPerInch
const jpegQuality = 0.95

/**
 * The drawing as a PDF with one page of exactly its size, which is one picture: the browser has fonts for every script and
 * emoji, but cannot export them. Loaded when it is asked for. Rejects when the browser may not read a picture.
 */
export async function pdfOf(drawing: Drawing, options: PdfOptions): Promise<Blob> {
  const canvas = sheetCanvas(drawing, options)
  const jpeg = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', jpegQuality))
  if (!jpeg) throw new Error('the print could not be encoded')
  const [width, height] = [drawing.width * pointsPerMm, drawing.height * pointsPerMm]
  // Not stretched to the page, beyond which it goes a little: each pixel stays one.
  const [columns, rows] = [canvas.width * pointsPerPixel, canvas.height * pointsPerPixel]
  const content = `q ${numbers(columns, 0, 0, rows, 0, height - rows)} cm /Sheet Do Q`
  const maker = hexText(productName)
  return pdfFile([
    // Without `None`, print dialogs scale it down to add margins, which it already has.
    [
      `<< /Type /Catalog /Pages 2 0 R /Lang ${hexText(options.language)} /ViewerPreferences << /PrintScaling /None /DisplayDocTitle true >> >>`,
    ],
    ['<< /Type /Pages /Kids [3 0 R] /Count 1 >>'],
    [
      `<< /Type /Page /Parent 2 0 R /MediaBox [${numbers(0, 0, width, height)}] /Resources << /XObject << /Sheet 4 0 R >> >> /Contents 5 0 R >>`,
    ],
    [
      `<< /Type /XObject /Subtype /Image /Width ${canvas.width} /Height ${canvas.height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.size} >>\nstream\n`,
      jpeg,
      '\nendstream',
    ],
    [`<< /Length ${content.length} >>\nstream\n${content}\nendstream`],
    [`<< /Title ${hexText(options.title)} /Producer ${maker} /Creator ${maker} >>`],
  ])
}

const numbers = (...values: number[]): string => values.map((value) => value.toFixed(3)).join(' ')

/** A text in a PDF: UTF-16 in hexadecimal digits. */
const hexText = (text: string): string =>
  `<FEFF${Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0')).join('')}>`

/** Objects, the first the catalogue and the last the information about the document, as a PDF. */
function pdfFile(objects: readonly (readonly BlobPart[])[]): Blob {
  const parts: BlobPart[] = ['%PDF-1.7\n%\u00E2\u00E3\n']
  const offsets = objects.map((object, index) => {
    const { size } = new Blob(parts)
    parts.push(`${index + 1} 0 obj\n`, ...object, '\nendobj\n')
    return `${String(size).padStart(10, '0')} 00000 n \n`
  })
  const count = objects.length + 1
  const listedAt = new Blob(parts).size
  parts.push(
    `xref\n0 ${count}\n0000000000 65535 f \n${offsets.join('')}`,
    `trailer\n<< /Size ${count} /Root 1 0 R /Info ${objects.length} 0 R >>\n`,
    `startxref\n${listedAt}\n%%EOF\n`,
  )
  return new Blob(parts, { type: 'application/pdf' })
}

/** The drawing as pixels. */
function sheetCanvas({ width, height, items }: Drawing, options: PdfOptions): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  // Even, for scans and previews at half of the resolution.
  canvas.width = 2 * Math.ceil((width * pixelsPerMm) / 2)
  canvas.height = 2 * Math.ceil((height * pixelsPerMm) / 2)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('this browser cannot draw pictures')
  context.imageSmoothingQuality = 'high'
  context.fillStyle = inks.paper
  context.fillRect(0, 0, canvas.width, canvas.height)
  for (const item of items) {
    context.save()
    draw(context, item, options)
    context.restore()
  }
  return canvas
}

function draw(context: CanvasRenderingContext2D, item: Item, { pictures, measure }: PdfOptions): void {
  if (item.kind === 'code') {
    // The edges of modules are those of pixels.
    const module = item.width / item.modules.length
    const pixelOf = (start: number, modules: number): number => Math.round((start + modules * module) * pixelsPerMm)
    context.fillStyle = inks.ink
    for (const { x, y, length } of runsOf(item.modules)) {
      const [left, top] = [pixelOf(item.x, x), pixelOf(item.y, y)]
      context.fillRect(left, top, pixelOf(item.x, x + length) - left, pixelOf(item.y, y + 1) - top)
    }
    return
  }
  context.scale(pixelsPerMm, pixelsPerMm)
  if (item.kind === 'line') {
    context.strokeStyle = inks.cut
    context.lineWidth = 0.2
    context.beginPath()
    context.moveTo(...item.from)
    context.lineTo(...item.to)
    context.stroke()
  } else if (item.kind === 'filled') {
    fillRounded(context, item)
  } else if (item.kind === 'symbol') {
    context.translate(item.x, item.y)
    context.scale(item.width / symbolSide, item.width / symbolSide)
    context.fillStyle = inks.ink
    const ring = new Path2D(symbolRing)
    // oxlint-disable-next-line no-array-fill-with-reference-type -- a canvas, not an array
    context.fill(ring, 'evenodd')
    fillRounded(context, { x: 10, y: 10, width: 12, height: 12, radius: 4.6, colour: inks.accent })
    fillRounded(context, { x: 17.2, y: 11.8, width: 3, height: 3, radius: 1.5, colour: inks.paper })
  } else if (item.kind === 'picture') {
    const image = pictures[item.name]
    if (!image) throw new Error(`the print has no ${item.name}`)
    const { part, x, y, width, height } = item
    const [wholeWidth, wholeHeight] = [width / part.width, height / part.height]
    fillRounded(context, { ...item, colour: item.ground })
    context.clip()
    context.drawImage(image, x - part.x * wholeWidth, y - part.y * wholeHeight, wholeWidth, wholeHeight)
  } else {
    const { text, x, baseline, size, align, colour } = item
    const start = align === 'left' ? x : x - measure(text, item) / (align === 'right' ? 1 : 2)
    // Fonts of few units would be rounded.
    context.scale(1 / pixelsPerMm, 1 / pixelsPerMm)
    setFont(context, item, size * pixelsPerMm)
    context.direction = directionOf(text)
    context.textAlign = 'left'
    context.fillStyle = colour
    context.fillText(text, start * pixelsPerMm, baseline * pixelsPerMm)
  }
}

/** Fills a rectangle with rounded corners, which stays the path. */
function fillRounded(
  context: CanvasRenderingContext2D,
  { x, y, width, height, radius, colour }: Rectangle & { radius: number; colour: string },
): void {
  context.fillStyle = colour
  context.beginPath()
  context.roundRect(x, y, width, height, radius)
  context.fill()
}
