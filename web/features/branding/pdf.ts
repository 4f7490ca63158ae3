import {
  appendBezierCurve,
  closePath,
  concatTransformationMatrix,
  drawObject,
  fill,
  lineTo,
  moveTo,
  PDFDocument,
  type PDFPage,
  type PDFRef,
  popGraphicsState,
  PrintScaling,
  pushGraphicsState,
  rectangle,
  rgb,
  setFillingColor,
} from '@cantoo/pdf-lib'
import { productName } from '@keepsnap/contract/site.ts'
import {
  type Drawing,
  type FilledItem,
  inks,
  type Item,
  type PictureItem,
  type PictureName,
  type Rectangle,
  runsOf,
  symbolRing,
  symbolSide,
  type TextItem,
} from './drawing.ts'
import { directionOf, type MeasureText, setFont } from './sheet-text.ts'

const pixelsPerMm = (dotsPerInch: number): number => dotsPerInch / 25.4
/** Edges of glyphs are sharp at twice the resolution of photos. */
const textPixels = pixelsPerMm(600)
const photoPixels = pixelsPerMm(300)
/** Browsers of phones refuse larger canvases. */
const mostPixels = 16_000_000

/** A text as pixels; the box is where they belong, in millimetres from the `x` and the baseline of the text. */
export interface TextPixels extends Rectangle {
  columns: number
  rows: number
  /** How opaque each pixel is, 0 to 255. */
  opacity: Uint8Array
  /** RGB of each pixel, where not all have the colour of the text: there are emojis. */
  colours: Uint8Array | null
}

function newCanvas(columns: number, rows: number): CanvasRenderingContext2D {
  const canvas = document.createElement('canvas')
  canvas.width = columns
  canvas.height = rows
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('this browser cannot draw pictures')
  return context
}

/** Draws one line of text with the fonts of the browser, which have every script and emoji that the preview shows. */
function rasterOf(item: TextItem, measure: MeasureText): TextPixels {
  const { size, align } = item
  // Glyphs of some scripts and slanted edges are outside of the box of the text.
  const [left, above, below] = [size * 0.25, size * 1.15, size * 0.5]
  const textWidth = measure(item.text, item)
  const [width, height] = [textWidth + 2 * left, above + below]
  const pixels = Math.min(textPixels, Math.sqrt(mostPixels / (width * height)))
  const [columns, rows] = [Math.ceil(width * pixels), Math.ceil(height * pixels)]
  const context = newCanvas(columns, rows)
  setFont(context, item, size * pixels)
  context.direction = directionOf(item.text)
  context.textAlign = 'left'
  context.textBaseline = 'alphabetic'
  context.fillStyle = item.colour
  context.fillText(item.text, left * pixels, above * pixels)
  const start = align === 'left' ? 0 : align === 'right' ? -textWidth : -textWidth / 2
  return {
    x: start - left,
    y: -above,
    width: columns / pixels,
    height: rows / pixels,
    columns,
    rows,
    ...separated(context.getImageData(0, 0, columns, rows).data, item),
  }
}

/** Smaller differences of colour are rounding errors: canvases store colours premultiplied with alpha. */
const roundingError = 24
/** Pixels that are more transparent than this say nothing about their colour. */
const leastOpacity = 64

function separated(rgba: Uint8ClampedArray, { colour }: TextItem): Pick<TextPixels, 'opacity' | 'colours'> {
  const count = rgba.length / 4
  const ink = bytesOfColour(colour)
  const opacity = new Uint8Array(count)
  const colours = new Uint8Array(count * 3)
  let hasColours = false
  for (let at = 0; at < count; at++) {
    const alpha = rgba[at * 4 + 3] ?? 0
    opacity[at] = alpha
    for (let part = 0; part < 3; part++) {
      const value = rgba[at * 4 + part] ?? 0
      colours[at * 3 + part] = value
      if (alpha >= leastOpacity && Math.abs(value - (ink[part] ?? 0)) > roundingError) hasColours = true
    }
  }
  return { opacity, colours: hasColours ? colours : null }
}

/** Red, green and blue of a colour such as `#1c1a17`. */
const bytesOfColour = (colour: string): [number, number, number] => {
  const value = Number.parseInt(colour.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

/** The shown part of a picture at 300 dpi, on its ground. */
function pictureCanvas(image: HTMLImageElement, item: PictureItem): CanvasRenderingContext2D {
  const { naturalWidth, naturalHeight } = image
  const { part, width, height, radius, ground } = item
  const [sourceWidth, sourceHeight] = [part.width * naturalWidth, part.height * naturalHeight]
  const scale = Math.min(photoPixels, Math.max(sourceWidth / width, 1))
  const context = newCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)))
  const { canvas } = context
  context.imageSmoothingQuality = 'high'
  context.fillStyle = ground
  context.fillRect(0, 0, canvas.width, canvas.height)
  if (radius > 0) {
    context.beginPath()
    context.roundRect(0, 0, canvas.width, canvas.height, radius * scale)
    context.clip()
  }
  const [x, y] = [part.x * naturalWidth, part.y * naturalHeight]
  context.drawImage(image, x, y, sourceWidth, sourceHeight, 0, 0, canvas.width, canvas.height)
  return context
}

const jpegQuality = 0.9

/** A photo as JPEG. Rejects when the browser may not read it. */
function jpegOf(image: HTMLImageElement, item: PictureItem): Promise<Blob> {
  const { canvas } = pictureCanvas(image, item)
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('the photo could not be encoded'))),
      'image/jpeg',
      jpegQuality,
    ),
  )
}

/** A logo as RGB on its ground: JPEG would put shadows around its edges. */
function rgbOf(image: HTMLImageElement, item: PictureItem) {
  const context = pictureCanvas(image, item)
  const { width: columns, height: rows } = context.canvas
  const rgba = context.getImageData(0, 0, columns, rows).data
  const colours = new Uint8Array(columns * rows * 3)
  for (let at = 0; at < columns * rows; at++) colours.set(rgba.subarray(at * 4, at * 4 + 3), at * 3)
  return { columns, rows, colours }
}

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
