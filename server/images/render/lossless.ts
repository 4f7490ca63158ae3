import { readFileSync, writeFileSync } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { concatBytes } from '../bytes.ts'
import { countScans, maxScans } from '../jpeg/scan.ts'
import { isRebuilt, type LosslessJpeg, readJpeg, rebuildInPlace, withoutStrayBytes } from '../jpeg/jpeg.ts'
import { imageFiles, refuseFile } from '../protocol.ts'
import { decode, insideSquare, type Source } from './libvips.ts'

const rebuiltFile = 'rebuilt'
const tidiedFile = 'tidied'
const endMarker = Uint8Array.of(0xff, 0xd9)

/** An uploaded JPEG without anything that a picture does not need. */
export interface RebuiltJpeg {
  jpeg: LosslessJpeg
  bytes: Uint8Array
  /** The file with these bytes, once `written` has resolved: `imageFiles.input` itself, or a new one. */
  path: string
  written: Promise<void>
}

/**
 * Reads the file `in` strictly and rebuilds it, unless that would not change it: the start of an upload is usually cleaned
 * while it is received. A missing end marker is added: the decoder tells whether the coded data before it is complete. When
 * its pixels cannot be kept: the path of the file to decode, which is `in`, or a copy with an end marker and without stray
 * bytes between the segments of its header.
 */
export function rebuildInput(maxPixels: number): RebuiltJpeg | string {
  const input = readFileSync(imageFiles.input)
  const read = readJpeg(input)
  const lacksEnd = !read.lossless && read.reason === 'incomplete'
  const file = lacksEnd ? concatBytes([input, endMarker]) : input
  const jpeg = lacksEnd ? readJpeg(file) : read
  // A decoder does not miss the last scans of a progressive file.
  if (!jpeg.lossless || (lacksEnd && !jpeg.hasAllScans)) return pathToDecode(input)
  if (jpeg.width * jpeg.height > maxPixels) return imageFiles.input
  if (!lacksEnd && isRebuilt(file, jpeg))
    return { jpeg, bytes: file, path: imageFiles.input, written: Promise.resolve() }
  const bytes = rebuildInPlace(file, jpeg)
  const written = writeRebuilt(bytes)
  written.catch(() => {})
  return { jpeg, bytes, path: rebuiltFile, written }
}

function pathToDecode(input: Uint8Array): string {
  const tidied = withoutStrayBytes(input) ?? input
  const { scans, hasSingleScan, isEnded } = countScans(tidied)
  if (scans > maxScans) refuseFile('damaged')
  const file = hasSingleScan && !isEnded ? concatBytes([tidied, endMarker]) : tidied
  if (file === input) return imageFiles.input
  writeFileSync(tidiedFile, file)
  return tidiedFile
}

/**
 * Writes the rebuilt file and starts to sync it while the thumbnail is made: the parent process, which has to make it
 * durable, then waits less.
 */
async function writeRebuilt(bytes: Uint8Array): Promise<void> {
  const file = await open(rebuiltFile, 'w')
  try {
    await writeFile(file, bytes)
  } catch (error) {
    await file.close()
    throw error
  }
  void file
    .datasync()
    .catch(() => {})
    .then(() => file.close())
}

/**
 * Writes the thumbnail and returns its ThumbHash. Null when the rebuilt file cannot be served: libvips decodes the same
 * bytes that will be served, and must not report any flaw.
 */
export async function writeLosslessThumbnail({ bytes }: RebuiltJpeg, maxPixels: number): Promise<string | null> {
  const source = { input: bytes, maxPixels, failOn: 'error' } as const
  const thumbnail = await writeThumbnail(source, imageFiles.thumbnail, { isDeepWithProfile: false }).catch(() => null)
  return thumbnail && thumbnail.warnings.length === 0 ? thumbnail.thumbhash : null
}

export function uprightSize({ width, height, exif }: LosslessJpeg): { width: number; height: number } {
  return exif.orientation >= 5 ? { width: height, height: width } : { width, height }
}

/** Frees the memory of a file now, instead of when the garbage collector finds it. Its bytes are not usable afterwards. */
export function freeBytes({ bytes: { buffer } }: RebuiltJpeg): void {
  // Small buffers share their memory with others.
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0)
}

/** The longer side of a thumbnail in pixels. */
const thumbnailSidePx = 480

/** The largest picture that ThumbHash accepts. */
const maxThumbhashSide = 100

/** The ThumbHash of a picture, in base64, and what libvips reported while decoding it. */
interface WrittenThumbnail {
  thumbhash: string
  warnings: string[]
}

/**
 * Writes the first frame as a WebP of at most 480 px, upright, in sRGB, without any metadata. libvips decodes a JPEG at a
 * fraction of its size, but reads all of its coded data.
 */
export async function writeThumbnail(
  source: Source,
  path: string,
  { isDeepWithProfile }: { isDeepWithProfile: boolean },
): Promise<WrittenThumbnail> {
  const { result, warnings } = await decode(source, (image) => {
    const small = image.autoOrient().resize(insideSquare(thumbnailSidePx))
    return (isDeepWithProfile ? small.withIccProfile('srgb', { attach: false }) : small)
      .raw()
      .toBuffer({ resolveWithObject: true })
  })
  const { width, height, channels } = result.info
  const openShrunk = () => sharp(result.data, { raw: { width, height, channels } })
  const computeThumbhash = async (): Promise<string> => {
    const hashed = await openShrunk()
      .resize(insideSquare(maxThumbhashSide))
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    return Buffer.from(rgbaToThumbHash(hashed.info.width, hashed.info.height, hashed.data)).toString('base64')
  }
  const [webp, thumbhash] = await Promise.all([
    openShrunk().webp({ quality: 80, effort: 2 }).toBuffer(),
    computeThumbhash(),
  ])
  // Synchronous, because this process has nothing else to do.
  writeFileSync(path, webp)
  return { thumbhash, warnings }
}
