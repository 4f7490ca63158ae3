import {
  closePath,
  drawObject,
  fill,
  lineTo,
  moveTo,
  appendBezierCurve,
  concatTransformationMatrix,
  PDFDocument,
  popGraphicsState,
  PrintScaling,
  pushGraphicsState,
  rectangle,
  rgb,
  setFillingColor,
  type PDFPage,
  type PDFRef,
} from '@cantoo/pdf-lib'
import { productName } from '@keepsnap/contract/product.ts'
import {
  inks,
  type Rectangle,
  type Drawing,
  type FilledItem,
  type Item,
  type PictureItem,
  type PictureName,
  type TextItem,
} from './drawing.ts'
import { bytesOfColour, jpegOf, rasterOf, rgbOf } from './raster.ts'
import type { MeasureText } from './text-fit.ts'
import { runsOf, symbolRing, symbolSide } from './vectors.ts'

/** Points per millimetre. */
const mm = 72 / 25.4

export interface PdfOptions {
  pictures: Readonly<Partial<Record<PictureName, HTMLImageElement>>>
  measure: MeasureText
  /** Of the document; nothing about a person. */
  title: string
  /** BCP 47. */
  language: string
}

const colourOf = (hex: string) => {
  const [red, green, blue] = bytesOfColour(hex)
  return rgb(red / 255, green / 255, blue / 255)
}

interface PdfContext {
  document: PDFDocument
  page: PDFPage
  options: PdfOptions
  /** What has been embedded: four cards have the same photo and the same texts. */
  pictures: Map<PictureName, PDFRef>
  texts: Map<string, { box: Rectangle; object: PDFRef }>
}

/** The drawing as a PDF with one page of exactly its size. Loaded when it is asked for: the library is large. */
export async function pdfOf(drawing: Drawing, options: PdfOptions): Promise<Blob> {
  const document = await PDFDocument.create({ updateMetadata: false })
  document.setTitle(options.title, { showInWindowTitleBar: true })
  document.setLanguage(options.language)
  document.setProducer(productName)
  document.setCreator(productName)
  // Otherwise print dialogs scale it down to add margins, which it already has.
  document.catalog.getOrCreateViewerPreferences().setPrintScaling(PrintScaling.None)
  const page = document.addPage([drawing.width * mm, drawing.height * mm])
  const sheet: PdfContext = { document, page, options, pictures: new Map(), texts: new Map() }
  for (const item of drawing.items) await draw(sheet, item)
  const bytes = await document.save()
  return new Blob([new Uint8Array(bytes)], { type: 'application/pdf' })
}

/** The y axis of a PDF starts at the bottom. */
const upFrom = (page: PDFPage, y: number): number => page.getHeight() - y * mm

async function draw(sheet: PdfContext, item: Item): Promise<void> {
  const { page } = sheet
  if (item.kind === 'text') return drawText(sheet, item)
  if (item.kind === 'picture') return drawPicture(sheet, item)
  if (item.kind === 'filled') return drawFilled(page, item)
  if (item.kind === 'symbol') return drawSymbol(page, item)
  if (item.kind === 'line') {
    const [start, end] = [item.from, item.to].map(([x, y]) => ({ x: x * mm, y: upFrom(page, y) }))
    if (start && end) page.drawLine({ start, end, thickness: 0.2 * mm, color: colourOf(inks.cut) })
    return
  }
  const module = (item.width / item.modules.length) * mm
  const top = upFrom(page, item.y)
  page.pushOperators(
    pushGraphicsState(),
    setFillingColor(colourOf(inks.ink)),
    ...runsOf(item.modules).map(({ x, y, length }) =>
      rectangle(item.x * mm + x * module, top - (y + 1) * module, length * module, module),
    ),
    fill(),
    popGraphicsState(),
  )
}

/** Distance of the Bézier control points of a quarter circle from its ends, as a fraction of the radius. */
const quarter = 0.5523

type Filled = Omit<FilledItem, 'kind'>

function drawFilled(page: PDFPage, { radius, colour, ...box }: Filled): void {
  const [left, right] = [box.x * mm, (box.x + box.width) * mm]
  const [top, bottom] = [upFrom(page, box.y), upFrom(page, box.y + box.height)]
  const r = radius * mm
  const c = r * (1 - quarter)
  page.pushOperators(
    pushGraphicsState(),
    setFillingColor(colourOf(colour)),
    moveTo(left + r, top),
    lineTo(right - r, top),
    appendBezierCurve(right - c, top, right, top - c, right, top - r),
    lineTo(right, bottom + r),
    appendBezierCurve(right, bottom + c, right - c, bottom, right - r, bottom),
    lineTo(left + r, bottom),
    appendBezierCurve(left + c, bottom, left, bottom + c, left, bottom + r),
    lineTo(left, top - r),
    appendBezierCurve(left, top - c, left + c, top, left + r, top),
    closePath(),
    fill(),
    popGraphicsState(),
  )
}

function drawSymbol(page: PDFPage, { x, y, width }: Rectangle): void {
  const scale = width / symbolSide
  page.drawSvgPath(symbolRing, { x: x * mm, y: upFrom(page, y), scale: scale * mm, color: colourOf(inks.ink) })
  const square = { x: x + 10 * scale, y: y + 10 * scale, width: 12 * scale, height: 12 * scale }
  drawFilled(page, { ...square, radius: 4.6 * scale, colour: inks.accent })
  const glint = { x: x + 17.2 * scale, y: y + 11.8 * scale, width: 3 * scale, height: 3 * scale }
  drawFilled(page, { ...glint, radius: 1.5 * scale, colour: inks.paper })
}

function drawObjectAt(page: PDFPage, box: Rectangle, object: PDFRef): void {
  const name = page.node.newXObject('Image', object)
  const bottom = upFrom(page, box.y + box.height)
  page.pushOperators(
    pushGraphicsState(),
    concatTransformationMatrix(box.width * mm, 0, 0, box.height * mm, box.x * mm, bottom),
    drawObject(name),
    popGraphicsState(),
  )
}

interface Pixels {
  columns: number
  rows: number
  bytes: Uint8Array
  space: 'DeviceRGB' | 'DeviceGray'
  /** How opaque each pixel is. */
  mask?: PDFRef
}

function embedPixels({ context }: PDFDocument, { columns, rows, bytes, space, mask }: Pixels): PDFRef {
  const stream = context.flateStream(bytes, {
    Type: 'XObject',
    Subtype: 'Image',
    Width: columns,
    Height: rows,
    BitsPerComponent: 8,
    ColorSpace: space,
    ...(mask && { SMask: mask }),
  })
  return context.register(stream)
}

/** Texts are embedded as images: the browser has fonts for every script and emoji, but cannot export them. */
function drawText({ document, page, options, texts }: PdfContext, item: TextItem): void {
  const { x, baseline, ...look } = item
  const key = JSON.stringify(look)
  let text = texts.get(key)
  if (!text) {
    const { columns, rows, opacity, colours, ...box } = rasterOf(item, options.measure)
    const mask = embedPixels(document, { columns, rows, bytes: opacity, space: 'DeviceGray' })
    // One pixel is enough for the colour of all glyphs.
    const pixels = colours
      ? { columns, rows, bytes: colours }
      : { columns: 1, rows: 1, bytes: Uint8Array.from(bytesOfColour(item.colour)) }
    text = { box, object: embedPixels(document, { ...pixels, space: 'DeviceRGB', mask }) }
    texts.set(key, text)
  }
  drawObjectAt(page, { ...text.box, x: x + text.box.x, y: baseline + text.box.y }, text.object)
}

async function drawPicture({ document, page, options, pictures }: PdfContext, item: PictureItem): Promise<void> {
  const image = options.pictures[item.name]
  if (!image) throw new Error(`the print has no ${item.name}`)
  const object = pictures.get(item.name) ?? (await embedPicture(document, image, item))
  pictures.set(item.name, object)
  drawObjectAt(page, item, object)
}

/** Photos as JPEG; logos, which have sharp edges, as they are, on the ground behind them. */
async function embedPicture(document: PDFDocument, image: HTMLImageElement, item: PictureItem): Promise<PDFRef> {
  if (item.name === 'logo') {
    const { columns, rows, colours } = rgbOf(image, item)
    return embedPixels(document, { columns, rows, bytes: colours, space: 'DeviceRGB' })
  }
  const jpeg = await document.embedJpg(await (await jpegOf(image, item)).arrayBuffer())
  return jpeg.ref
}
