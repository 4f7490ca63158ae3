import { readFile, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { byteAt } from '../bytes.ts'
import {
  type FullType,
  imageFiles,
  type LogoContrast,
  Refusal,
  refuseFile,
  type WatermarkLayout,
  type WorkKind,
} from '../protocol.ts'
import { checkSvg, isSvg, maxSvgBytes } from '../formats/svg.ts'
import { type ImageFormat, sniff } from '../formats/sniff.ts'
import { noExif } from '../metadata/exif.ts'
import { decode, insideSquare, type Source, withSvgDecoder } from './libvips.ts'
import { isLargeEnough, logoLayer, type SourceImage, writeFullImage } from './full-image.ts'
import {
  convertColours,
  failOnOf,
  openHeic,
  readableInput,
  readHead,
  readImageMetadata,
  refuseIfDamaged,
  sniffInput,
} from './open-picture.ts'

export interface WrittenImage {
  contentType: FullType
  width: number
  height: number
  /** For logos only. */
  lowContrast: LogoContrast | null
}
interface ImageOptions {
  maxMegapixels: number
  watermark: WatermarkLayout | null
}
type OnSized = (megapixels: number, isAnimated?: boolean) => void
type SingleImageRenderer = (options: ImageOptions, onSized: OnSized) => Promise<WrittenImage>

/** The longer sides, in pixels. */
const maxSidePx = { logo: 1024, background: 2560, preview: 1280, screen: 2048 } as const

const maxDrawingPixels = 2_000_000

/** The formats of logos, which may also be SVG. A background may have every format of a photo. */
const logoFormats: ReadonlySet<ImageFormat> = new Set(['jpeg', 'png', 'webp'])

const singleImageRenderers: Record<Exclude<WorkKind, 'photo'>, SingleImageRenderer> = {
  logo: renderLogo,
  background: renderBackground,
  watermarked: renderWatermarked,
  preview: renderPreview,
  screen: renderScreen,
  drawing: renderDrawing,
}

/** Makes one picture of the file `in`; rejects as `render` does. */
export const renderSingleImage = (
  work: Exclude<WorkKind, 'photo'>,
  options: ImageOptions,
  onSized: OnSized,
): Promise<WrittenImage> => singleImageRenderers[work](options, onSized)

interface SniffedUpload {
  format: ImageFormat
  maxPixels: number
}

/** The format of an uploaded picture; refuses one that says that it has too many pixels. */
function sniffUpload({ maxMegapixels }: ImageOptions): SniffedUpload {
  const maxPixels = maxMegapixels * 1_000_000
  return { format: sniffInput(maxPixels).format, maxPixels }
}

/** Opens an uploaded picture; of an animation, its first frame. */
async function openUpload({ format, maxPixels }: SniffedUpload, onSized: OnSized): Promise<SourceImage> {
  const open = async (): Promise<SourceImage> => {
    const failOn = logoFormats.has(format) ? 'error' : failOnOf(format)
    const input = (await readableInput(format, maxPixels)) ?? imageFiles.input
    const source: Source = { input, maxPixels, failOn }
    return (await convertColours(format, source, onSized)) ?? readImageMetadata(source, noExif)
  }
  const picture = format === 'heic' ? await openHeic(maxPixels, onSized) : await open()
  onSized(picture.pixels / 1_000_000)
  return picture
}

interface ShrunkOptions {
  side: number
  contentType: FullType
  /** The format whose warnings of damage refuse the file. */
  checkedFormat?: ImageFormat | undefined
}

/** Writes pixels only: no profile and no metadata. */
async function writeShrunk(
  source: Source & { isDeepWithProfile?: boolean },
  { side, contentType, checkedFormat }: ShrunkOptions,
): Promise<WrittenImage> {
  const { result, warnings } = await decode(source, (image) => {
    const small = image.autoOrient().resize(insideSquare(side))
    const converted = source.isDeepWithProfile ? small.withIccProfile('srgb', { attach: false }) : small
    const srgb = converted.toColourspace('srgb')
    const encoded =
      contentType === 'image/png' ? srgb.png() : srgb.flatten({ background: '#fff' }).jpeg({ quality: 85 })
    return encoded.toBuffer({ resolveWithObject: true })
  })
  if (checkedFormat) refuseIfDamaged(checkedFormat, warnings)
  await writeFile(imageFiles.full, result.data)
  return { contentType, width: result.info.width, height: result.info.height, lowContrast: null }
}

async function renderLogo(options: ImageOptions, onSized: OnSized): Promise<WrittenImage> {
  const logo = await writeLogo(options, onSized)
  return { ...logo, lowContrast: await measureLogoContrast(imageFiles.full) }
}

const shrunkLogo: ShrunkOptions = { side: maxSidePx.logo, contentType: 'image/png' }

async function writeLogo(options: ImageOptions, onSized: OnSized): Promise<WrittenImage> {
  if (!isSvg(readHead(imageFiles.input))) {
    const upload = sniffUpload(options)
    if (!logoFormats.has(upload.format)) refuseFile('format')
    return writeShrunk(await openUpload(upload, onSized), shrunkLogo)
  }
  const file = await readFile(imageFiles.input)
  if (file.length > maxSvgBytes) refuseFile('drawing')
  checkSvg(file)
  return withSvgDecoder(() => renderSvg(file, onSized)).catch((error: unknown) => {
    throw new Refusal('drawing', error instanceof Refusal ? (error.cause ?? error) : error)
  })
}

/** Renders the drawing once, in the size in which it is stored. */
async function renderSvg(file: Buffer, onSized: OnSized): Promise<WrittenImage> {
  const { side } = shrunkLogo
  const source: Source = { input: file, maxPixels: 25_000_000, failOn: 'none' }
  const { result: metadata } = await decode({ ...source, maxPixels: 1e9 }, (image) => image.metadata())
  const density = Math.min(100_000, Math.max(1, (72 * side) / Math.max(metadata.width, metadata.height)))
  onSized(side ** 2 / 1_000_000)
  return writeShrunk({ ...source, density }, shrunkLogo)
}

/** An SVG that the server has drawn itself, with a picture in it: unlike a logo, it was uploaded by nobody. */
async function renderDrawing(_: ImageOptions, onSized: OnSized): Promise<WrittenImage> {
  const file = await readFile(imageFiles.input)
  if (!isSvg(file)) refuseFile('drawing')
  return withSvgDecoder(async () => {
    const { result } = await decode({ input: file, maxPixels: maxDrawingPixels }, (image) => {
      onSized(maxDrawingPixels / 1_000_000)
      const opaque = image.flatten({ background: '#fff' })
      return opaque.jpeg({ quality: 88, chromaSubsampling: '4:4:4' }).toBuffer({ resolveWithObject: true })
    })
    await writeFile(imageFiles.full, result.data)
    return { contentType: 'image/jpeg', width: result.info.width, height: result.info.height, lowContrast: null }
  })
}

async function renderBackground(options: ImageOptions, onSized: OnSized): Promise<WrittenImage> {
  const upload = sniffUpload(options)
  const { format } = upload
  const picture = await openUpload(upload, onSized)
  const checkedFormat = logoFormats.has(format) ? undefined : format
  return writeShrunk(picture, { side: maxSidePx.background, contentType: 'image/jpeg', checkedFormat })
}

/** A full image that was made here earlier, with all its frames. */
async function openFullImage({ maxMegapixels }: ImageOptions, onSized: OnSized): Promise<SourceImage> {
  const { format } = sniff(readHead(imageFiles.input)) ?? refuseFile('format')
  const source: Source = { input: imageFiles.input, maxPixels: maxMegapixels * 1_000_000, failOn: 'error' }
  const picture = await readImageMetadata({ ...source, isAnimated: format === 'gif' }, null)
  onSized(picture.pixels / 1_000_000, picture.isAnimated)
  return picture
}

async function renderWatermarked(options: ImageOptions, onSized: OnSized): Promise<WrittenImage> {
  const picture = await openFullImage(options, onSized)
  const contentType = await writeFullImage(picture, imageFiles.full, options.watermark)
  return { contentType, width: picture.width, height: picture.height, lowContrast: null }
}

/** Fewer pixels than this would look soft on most screens. */
const minShrunkSidePx = 1600

/**
 * A full image that is a JPEG, small enough for a screen. libjpeg decodes it at a half, a quarter or an eighth of its size, which
 * takes half of the time; at a size that fits then, nothing is left to resize.
 */
async function renderScreen(options: ImageOptions, onSized: OnSized): Promise<WrittenImage> {
  const { width, height, maxPixels } = await openFullImage(options, onSized)
  const shrink = [8, 4, 2].find((divisor) => Math.max(width, height) / divisor >= minShrunkSidePx) ?? 1
  const source: Source = { input: `${imageFiles.input}[shrink=${shrink}]`, maxPixels, failOn: 'error' }
  const { result } = await decode(source, (image) =>
    image
      .autoOrient()
      .resize(insideSquare(maxSidePx.screen))
      .jpeg({ quality: 82, optimiseCoding: false })
      .toBuffer({ resolveWithObject: true }),
  )
  await writeFile(imageFiles.full, result.data)
  return { contentType: 'image/jpeg', width: result.info.width, height: result.info.height, lowContrast: null }
}

/** What a photo would look like, small enough for a screen; of an animation, the first frame. */
async function renderPreview(options: ImageOptions, onSized: OnSized): Promise<WrittenImage> {
  const picture = await openFullImage(options, onSized)
  const { result } = await decode({ ...picture, isAnimated: false }, (image) =>
    image
      .autoOrient()
      .resize(insideSquare(maxSidePx.preview))
      .flatten({ background: '#fff' })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true }),
  )
  const { width, height, channels } = result.info
  const target = { width, height, isAnimated: false, isSmallerCopy: true }
  const { watermark } = options
  const layer = watermark && isLargeEnough(picture) ? await logoLayer(imageFiles.logo, target, watermark) : null
  const small = sharp(result.data, { raw: { width, height, channels } })
  const jpeg = (layer ? small.composite([layer]) : small).removeAlpha().jpeg({ quality: 85 })
  await writeFile(imageFiles.full, await jpeg.toBuffer())
  return { contentType: 'image/jpeg', width, height, lowContrast: null }
}

/** Large enough to see every stroke of a logo. */
const measuredSidePx = 256
const maxLogoPixels = 25_000_000

/** Relative luminances (WCAG 2.2) of `--paper` of the light and `--ink` of the light theme in web/styles/tokens.css. */
const groundLuminance = { paper: 0.93, ink: 0.01 } as const
/** A colour with less contrast to a background cannot be seen well on it. */
const minContrast = 2
/** With a smaller share of transparent pixels, a logo has its own background. Rounded corners are less. */
const minTransparentShare = 0.03

/** How much of a logo cannot be seen on paper and on ink. A logo without transparency can be seen on both. */
async function measureLogoContrast(path: string): Promise<LogoContrast> {
  const { result } = await decode({ input: path, maxPixels: maxLogoPixels }, (image) =>
    image.resize(insideSquare(measuredSidePx)).toColourspace('srgb').ensureAlpha().raw().toBuffer(),
  )
  const lowContrast = { onPaper: 0, onInk: 0 }
  let visible = 0
  let transparentPixels = 0
  for (let at = 0; at < result.length; at += 4) {
    const alpha = byteAt(result, at + 3) / 255
    if (alpha < 0.5) transparentPixels++
    visible += alpha
    const luminance = luminanceAt(result, at)
    if (contrastOf(luminance, groundLuminance.paper) < minContrast) lowContrast.onPaper += alpha
    if (contrastOf(luminance, groundLuminance.ink) < minContrast) lowContrast.onInk += alpha
  }
  const isOpaque = transparentPixels < (result.length / 4) * minTransparentShare
  if (isOpaque || visible === 0) return { onPaper: 0, onInk: 0 }
  return { onPaper: lowContrast.onPaper / visible, onInk: lowContrast.onInk / visible }
}

/** The linear value of each sRGB value. */
const linearValues = Float64Array.from({ length: 256 }, (_, value) => {
  const channel = value / 255
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
})
const linearAt = (pixels: Uint8Array, offset: number): number => linearValues[byteAt(pixels, offset)] ?? 0

const luminanceAt = (pixels: Uint8Array, offset: number): number =>
  0.2126 * linearAt(pixels, offset) + 0.7152 * linearAt(pixels, offset + 1) + 0.0722 * linearAt(pixels, offset + 2)

const contrastOf = (one: number, other: number): number => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
