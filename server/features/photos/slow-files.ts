import { animationLimits } from '../../images/formats/animation-limits.ts'
import { sniff, type ImageFormat, type Sniffed } from '../../images/formats/sniff.ts'
import { maxScans, type CountedScans } from '../../images/jpeg/scan-counter.ts'

/** How long an image process works on a file of a format: for any size, and for each megapixel; measured on one slow core. */
const baseMs = 250
const msPerMegapixel: Record<ImageFormat, number> = {
  jpeg: 100,
  png: 120,
  webp: 120,
  tiff: 80,
  gif: 150,
  avif: 200,
  heic: 170,
}
/** Of an animation. Larger ones are not dithered (`images/render/full-image.ts`). */
const msPerAnimatedMegapixel = (megapixels: number): number => (megapixels <= 20 ? 1_000 : 650)
/** For a file that does not say its size in its first bytes. */
const unknownMegapixels = 24

/** What a plain JPEG costs, which is not encoded again. */
const plainMsPerMegapixel = { size: 5, scan: 2 }
/** A plain JPEG that takes no longer than this is quick; every photo of a camera is. */
export const maxQuickMs = 2_000

/** What has arrived of a file: the first bytes and more is coming, as many as are looked at, or all of it. */
export type HeadState = 'start' | 'full' | 'whole file'

/**
 * How long processing a file that is not a JPEG will take, in milliseconds, by its first bytes; null when they are not an
 * image. Undefined when more bytes are needed. Unless all of it is there, nobody knows the frames of an animation, so it
 * counts as the largest that is allowed.
 */
export function estimateSlowMs(head: Uint8Array, state: HeadState): number | null | undefined {
  const sniffed = sniff(head)
  if (!sniffed) return state === 'start' ? undefined : null
  if (state === 'start' && (!sniffed.width || !sniffed.height || mayBeAnimated(sniffed, head))) return undefined
  const megapixels = megapixelsOf(sniffed)
  const frames = mayBeAnimated(sniffed, head) ? (state === 'whole file' ? sniffed.frames : animationLimits.frames) : 1
  if (frames === 1) return Math.round(baseMs + megapixels * msPerMegapixel[sniffed.format])
  const allMegapixels = Math.min(animationLimits.megapixels, megapixels * frames)
  return Math.round(baseMs + Math.max(megapixels, allMegapixels) * msPerAnimatedMegapixel(allMegapixels))
}

const megapixelsOf = ({ width, height }: Pick<Sniffed, 'width' | 'height'>): number =>
  width && height ? (width * height) / 1_000_000 : unknownMegapixels

/**
 * How long processing a JPEG will take, in milliseconds, by its frame header and its scans; null for a quick one. Undefined
 * when more bytes are needed. A JPEG without a frame header is slow.
 */
export function estimateSlowJpegMs(
  jpeg: CountedScans,
  { isWholeFile }: { isWholeFile: boolean },
): number | null | undefined {
  const { isLosslessEligible, hasSingleScan, scans } = jpeg
  if (isLosslessEligible === undefined && !isWholeFile) return undefined
  const megapixels = megapixelsOf(jpeg)
  if (!isLosslessEligible) return Math.round(baseMs + megapixels * msPerMegapixel.jpeg)
  const decodedScans = hasSingleScan ? 1 : Math.min(scans, maxScans)
  const ms = Math.round(megapixels * (plainMsPerMegapixel.size + decodedScans * plainMsPerMegapixel.scan))
  if (ms > maxQuickMs) return baseMs + ms
  return hasSingleScan || isWholeFile ? null : undefined
}

/** The flag of animations in the header of an extended WebP; GIF has none. */
const webpAnimationFlag = 2

function mayBeAnimated({ format }: Sniffed, head: Uint8Array): boolean {
  if (format === 'gif') return true
  // The last byte of the name of the chunk VP8X, and its flags.
  return format === 'webp' && head[15] === 0x58 && ((head[20] ?? 0) & webpAnimationFlag) !== 0
}
