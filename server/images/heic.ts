import { open } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { readHeif } from './boxes.ts'
import { be16, be32, startsWith } from './bytes.ts'
import { decline } from './decoders.ts'
import { noExif, readExif, type Credit, type Exif } from './exif.ts'
import { displayP3, maxProfileBytes } from './icc.ts'
import { tiffStart, type RawPicture } from './tiff.ts'

/** The few things of libheif that we use; its own types describe neither its results nor its bundle. */
interface Libheif {
  ready?: Promise<unknown>
  HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[]; decoder: { delete(): void } }
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
  /** Set when it failed. */
  code?: unknown
  image: unknown
  channels?: { width: number; height: number; stride: number; data: Uint8Array }[]
}

/**
 * Decodes the main picture of a HEIC file into an uncompressed TIFF file at `to`, with its colour profile. libheif turns
 * and crops as the file's own properties say (ISO/IEC 23008-12); only a file without any is turned by its EXIF.
 */
export async function decodeHeic(b: Uint8Array, to: string, maxPixels: number): Promise<Credit> {
  const header = readHeif(b)
  if (!header) return decline('damaged')
  const { exif, orientation } = wordsOf(b, header)
  const libheif = await load()
  const decoder = new libheif.HeifDecoder()
  const images = decoder.decode(b)
  try {
    const image = images.find((one) => one.is_primary()) ?? images[0]
    if (!image) return decline('damaged')
    if (image.get_width() * image.get_height() > maxPixels) decline('pixels')
    const channels = image.has_alpha_channel() ? 4 : 3
    const { heif_chroma_interleaved_RGB: rgb, heif_chroma_interleaved_RGBA: rgba } = libheif.heif_chroma
    const chroma = channels === 4 ? rgba : rgb
    const decoded = await libheif.heif_js_decode_image2(
      image.handle,
      libheif.heif_colorspace.heif_colorspace_RGB,
      chroma,
    )
    const plane = decoded.channels?.[0]
    if (decoded.code || !plane) return decline('damaged')
    const { width, height } = plane
    await writePixels(to, { width, height, channels, orientation, profile: profileOf(b, header) }, plane)
    libheif.heif_image_release(decoded.image)
  } finally {
    for (const image of images) image.free()
  }
  return exif.credit
}

/** 1.4 MB of WebAssembly, loaded by the first HEIC file only. */
async function load(): Promise<Libheif> {
  // A CommonJS bundle that declares no types.
  const libheif = createRequire(import.meta.url)('libheif-js/wasm-bundle') as Libheif
  await libheif.ready
  return libheif
}

type Header = NonNullable<ReturnType<typeof readHeif>>

function wordsOf(b: Uint8Array, { exif: place, properties }: Header): { exif: Exif; orientation: number } {
  const item = place ? b.subarray(place.start, place.end) : new Uint8Array()
  // The item starts with the distance to its TIFF header (ISO/IEC 23008-12 annex A.2.1).
  const from = 4 + be32(item, 0)
  const exif = from < item.length ? readExif(item.subarray(from)) : noExif
  const turnsItself = properties.some(({ type }) => type === 'irot' || type === 'imir')
  return { exif, orientation: turnsItself ? 1 : exif.orientation }
}

/** The picture's profile: the one it carries, or Display P3 when it names that by number. */
function profileOf(b: Uint8Array, { properties }: Header): Uint8Array | null {
  const colours = properties.filter(({ type }) => type === 'colr')
  const carried = colours.find(({ start }) => startsWith(b, start, 'prof') || startsWith(b, start, 'rICC'))
  if (carried && carried.end - carried.start <= maxProfileBytes) return b.slice(carried.start + 4, carried.end)
  const named = colours.find(({ start }) => startsWith(b, start, 'nclx'))
  return named && be16(b, named.start + 4) === 12 ? displayP3() : null
}

interface Plane {
  stride: number
  data: Uint8Array
}

const chunkBytes = 1024 * 1024

/** Writes header and pixels, a bounded piece at a time: the plane lies in the decoder's own memory. */
async function writePixels(to: string, picture: RawPicture, { stride, data }: Plane): Promise<void> {
  const rowBytes = picture.width * picture.channels
  const rows = Math.max(1, Math.floor(chunkBytes / rowBytes))
  const file = await open(to, 'w')
  try {
    await file.writeFile(tiffStart(picture))
    for (let from = 0; from < picture.height; from += rows) {
      const count = Math.min(rows, picture.height - from)
      const chunk = new Uint8Array(count * rowBytes)
      for (let row = 0; row < count; row++) {
        const at = (from + row) * stride
        chunk.set(data.subarray(at, at + rowBytes), row * rowBytes)
      }
      await file.writeFile(chunk)
    }
  } finally {
    await file.close()
  }
}
