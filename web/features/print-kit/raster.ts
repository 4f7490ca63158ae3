import type { Rectangle, PictureItem, TextItem } from './drawing.ts'
import { directionOf, setFont } from './measure.ts'
import type { MeasureText } from './text-fit.ts'

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
export function rasterOf(item: TextItem, measure: MeasureText): TextPixels {
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
export const bytesOfColour = (colour: string): [number, number, number] => {
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
export function jpegOf(image: HTMLImageElement, item: PictureItem): Promise<Blob> {
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
export function rgbOf(image: HTMLImageElement, item: PictureItem) {
  const context = pictureCanvas(image, item)
  const { width: columns, height: rows } = context.canvas
  const rgba = context.getImageData(0, 0, columns, rows).data
  const colours = new Uint8Array(columns * rows * 3)
  for (let at = 0; at < columns * rows; at++) colours.set(rgba.subarray(at * 4, at * 4 + 3), at * 3)
  return { columns, rows, colours }
}
