import { open } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { be16, be32, hasText } from '../bytes.ts'
import { noExif, readExif, type Credit, type Exif } from '../metadata/exif.ts'
import { displayP3Profile, maxProfileBytes } from '../metadata/icc.ts'
import { refuseFile } from '../refusal.ts'
import { readHeif, type HeifHeader } from './heif-boxes.ts'
import { tiffHeader, type RawImage } from './tiff.ts'

/** The part of libheif that is used here. Its own types describe neither its results nor its bundle. */
interface Libheif {
  ready?: Promise<unknown>
  HeifDecoder: new () => { decode(file: Uint8Array): HeifImage[] }
  heif_js_decode_image2(handle: unknown, colorspace: unknown, chroma: unknown): Decoded | Promise<Decoded>
  heif_image_release(image: unknown): void
  heif_colorspace: { heif_colorspace_RGB: unknown }
  heif_chroma: { heif_chroma_interleaved_RGB: unknown; heif_chroma_interleaved_RGBA: unknown }
}
interface HeifImage {
  handle: unknown
  get_width(): number
  get_height(): number
  is_primary(): boolean
  has_alpha_channel(): boolean
  free(): void
}
interface Decoded {
  /** Present when decoding failed. */
  code?: unknown
  image: unknown
  channels?: { width: number; height: number; stride: number; data: Uint8Array }[]
}

/**
 * Decodes the primary image of a HEIC file into an uncompressed TIFF file, with its colour profile, and returns its credit.
 * libheif rotates, mirrors and crops as the file's properties say (ISO/IEC 23008-12). EXIF orientation applies only to a
 * file without such properties.
 */
export async function decodeHeic(file: Uint8Array, tiffPath: string, maxPixels: number): Promise<Credit> {
  const header = readHeif(file)
  if (!header) return refuseFile('damaged')
  const { exif, orientation } = readOrientation(file, header)
  const libheif = await loadLibheif()
  const decoder = new libheif.HeifDecoder()
  const images = decoder.decode(file)
  try {
    const image = images.find((one) => one.is_primary()) ?? images[0]
    if (!image) return refuseFile('damaged')
    if (image.get_width() * image.get_height() > maxPixels) refuseFile('pixels')
    const channels = image.has_alpha_channel() ? 4 : 3
    const { heif_chroma_interleaved_RGB: rgb, heif_chroma_interleaved_RGBA: rgba } = libheif.heif_chroma
    const decoded = await libheif.heif_js_decode_image2(
      image.handle,
      libheif.heif_colorspace.heif_colorspace_RGB,
      channels === 4 ? rgba : rgb,
    )
    const plane = decoded.channels?.[0]
    if (decoded.code || !plane) return refuseFile('damaged')
    const { width, height } = plane
    await writeTiff(tiffPath, { width, height, channels, orientation, profile: readProfile(file, header) }, plane)
    libheif.heif_image_release(decoded.image)
  } finally {
    for (const image of images) image.free()
  }
  return exif.credit
}

/** Loads 1.4 MB of WebAssembly; only when the first HEIC file arrives. */
async function loadLibheif(): Promise<Libheif> {
  // A CommonJS bundle that declares no types.
  const libheif = createRequire(import.meta.url)('libheif-js/wasm-bundle') as Libheif
  await libheif.ready
  return libheif
}

/** The EXIF of a file, and the orientation that has to be applied after libheif. */
function readOrientation(file: Uint8Array, header: HeifHeader): { exif: Exif; orientation: number } {
  const item = header.exif ? file.subarray(header.exif.start, header.exif.end) : new Uint8Array()
  // The item starts with the distance to its TIFF header (ISO/IEC 23008-12 annex A.2.1).
  const tiffStart = 4 + be32(item, 0)
  const exif = tiffStart < item.length ? readExif(item.subarray(tiffStart)) : noExif
  const hasOwnTransform = header.properties.some(({ type }) => type === 'irot' || type === 'imir')
  return { exif, orientation: hasOwnTransform ? 1 : exif.orientation }
}

/** The embedded colour profile, or that of Display P3 when the file names it by number. */
function readProfile(file: Uint8Array, { properties }: HeifHeader): Uint8Array | null {
  const colours = properties.filter(({ type }) => type === 'colr')
  const embedded = colours.find(({ start }) => hasText(file, start, 'prof') || hasText(file, start, 'rICC'))
  if (embedded && embedded.end - embedded.start <= maxProfileBytes) return file.slice(embedded.start + 4, embedded.end)
  const numbered = colours.find(({ start }) => hasText(file, start, 'nclx'))
  return numbered && be16(file, numbered.start + 4) === 12 ? displayP3Profile() : null
}

interface Plane {
  stride: number
  data: Uint8Array
}

const chunkBytes = 1024 * 1024

/** Writes header and pixels in chunks of bounded size: the plane is in the memory of the decoder. */
async function writeTiff(path: string, image: RawImage, { stride, data }: Plane): Promise<void> {
  const rowBytes = image.width * image.channels
  const rowsPerChunk = Math.max(1, Math.floor(chunkBytes / rowBytes))
  const file = await open(path, 'w')
  try {
    await file.writeFile(tiffHeader(image))
    for (let firstRow = 0; firstRow < image.height; firstRow += rowsPerChunk) {
      const rows = Math.min(rowsPerChunk, image.height - firstRow)
      const chunk = new Uint8Array(rows * rowBytes)
      for (let row = 0; row < rows; row++) {
        const start = (firstRow + row) * stride
        chunk.set(data.subarray(start, start + rowBytes), row * rowBytes)
      }
      await file.writeFile(chunk)
    }
  } finally {
    await file.close()
  }
}
