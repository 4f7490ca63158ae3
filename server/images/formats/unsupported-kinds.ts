import { hasText } from '../bytes.ts'
import { boxesIn, readHeif } from './heif-boxes.ts'
import type { ImageFormat } from './sniff.ts'

/** HEVC, AV1, JPEG, and pictures that are put together from others. */
const decodableCodings = new Set(['hvc1', 'av01', 'jpeg', 'grid', 'iden', 'iovl'])

/**
 * Whether a whole file has a format that is accepted, but is of a kind that no decoder here reads: a PNG as Apple optimises it
 * for iPhones, a HEIF file with nothing but a video in it, or with a picture in another coding. Decoders call these damaged.
 */
export function isUnsupportedKind(format: ImageFormat, file: Uint8Array): boolean {
  if (format === 'png') return hasText(file, 12, 'CgBI')
  if (format !== 'heic' && format !== 'avif') return false
  const boxes = boxesIn(file, 0, file.length)
  const hasBox = (name: string): boolean => boxes.some(({ type }) => type === name)
  if (!hasBox('meta')) return hasBox('moov')
  const coding = readHeif(file)?.coding
  return typeof coding === 'string' && !decodableCodings.has(coding)
}
