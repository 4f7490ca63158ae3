import { createRequire } from 'node:module'
import { be32 } from '../bytes.ts'
import { type Exif, noExif, readExif } from '../metadata/exif.ts'
import { refuseFile } from '../protocol.ts'
import { type HeifHeader, profileIn, readHeif } from './heif-boxes.ts'
import { coloursOfHeif, type ConvertRows, type DecodedPixels, srgbConverter, wideSamples } from './named-colours.ts'
import { writeTiff } from './tiff.ts'

/** The part of libheif that is used here. Its own types describe neither its results nor its bundle. */
interface Libheif {
  ready?: Promise<unknown>
  HeifDecoder: new () => { decode(file: Uint8Array): HeifImage[] }
  heif_js_decode_image2(handle: unknown, colorspace: unknown, chroma: unknown): Decoded | Promise<Decoded>
  heif_image_release(image: unknown): void
  heif_colorspace: { heif_colorspace_RGB: unknown }
  heif_chroma: Record<`heif_chroma_interleaved_${'RGB' | 'RGBA' | 'RRGGBB_LE' | 'RRGGBBAA_LE'}`, unknown>
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
  channels?: { width: number; height: number; stride: number; data: Uint8Array; bits_per_pixel: number }[]
}

/**
 * Decodes the primary image of a HEIC file into an uncompressed TIFF file, with its colour profile, and returns its EXIF.
 * libheif rotates, mirrors and crops as the file's properties say (ISO/IEC 23008-12). EXIF orientation applies only to a
 * file without such properties.
 */
export async function decodeHeic(file: Uint8Array, tiffPath: string, maxPixels: number): Promise<Exif> {
  const header = readHeif(file)
  if (!header) return refuseFile('damaged')
  const { exif, orientation } = readOrientation(file, header)
  const colours = coloursOfHeif(file, header)
  const libheif = await loadLibheif()
  const decoder = new libheif.HeifDecoder()
  const images = decoder.decode(file)
  try {
    const image = images.find((one) => one.is_primary()) ?? images[0]
    if (!image) return refuseFile('damaged')
    if (image.get_width() * image.get_height() > maxPixels) refuseFile('pixels')
    const channels = image.has_alpha_channel() ? 4 : 3
    // Eight bits are too few for HDR.
    const [rgb, rgba] = colours?.hdr ? (['RRGGBB_LE', 'RRGGBBAA_LE'] as const) : (['RGB', 'RGBA'] as const)
    const decoded = await libheif.heif_js_decode_image2(
      image.handle,
      libheif.heif_colorspace.heif_colorspace_RGB,
      libheif.heif_chroma[`heif_chroma_interleaved_${channels === 4 ? rgba : rgb}`],
    )
    const plane = decoded.channels?.[0]
    if (decoded.code || !plane) return refuseFile('damaged')
    const { width, height } = plane
    const isWide = plane.bits_per_pixel > 8
    const pixels: DecodedPixels = {
      data: isWide ? wideSamples(plane.data) : plane.data,
      width,
      height,
      channels,
      stride: isWide ? plane.stride / 2 : plane.stride,
      maxCode: 2 ** plane.bits_per_pixel - 1,
    }
    const profile = profileIn(file, header.properties) ?? null
    const rowsOf = colours ? srgbConverter(pixels, colours) : packedRows(pixels)
    await writeTiff(tiffPath, { width, height, channels, orientation, profile }, rowsOf)
    libheif.heif_image_release(decoded.image)
  } finally {
    for (const image of images) image.free()
  }
  return exif
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

/** The rows without what stands between them in the memory of the decoder. */
const packedRows =
  ({ data, width, channels, stride }: DecodedPixels): ConvertRows =>
  (firstRow, rows) => {
    const packed = new Uint8Array(rows * width * channels)
    for (let row = 0; row < rows; row++) {
      const start = (firstRow + row) * stride
      packed.set(data.subarray(start, start + width * channels), row * width * channels)
    }
    return packed
  }
