import { crc32 } from 'node:zlib'
import { be16, byteAt, concatBytes, latin1Bytes, packNumbers } from '../bytes.ts'
import { exifSegment } from '../jpeg/jpeg.ts'
import { writeExif, type Credit } from '../metadata/exif.ts'
import type { FullType } from '../protocol.ts'

/** Inserts the credit into an image that was encoded here, in the way of its format. Returns the file in pieces. */
export function withCredit(image: Uint8Array, type: FullType, credit: Credit): Uint8Array[] {
  const exif = writeExif({ orientation: 1, credit })
  if (!exif) return [image]
  const block = type === 'image/gif' ? gifComment(credit) : type === 'image/png' ? pngChunk(exif) : exifSegment(exif)
  const offset = offsetFor[type](image)
  return [image.subarray(0, offset), block, image.subarray(offset)]
}

const offsetFor: Record<FullType, (image: Uint8Array) => number> = {
  // After the JFIF segment, which must be the first.
  'image/jpeg': (image) => (be16(image, 2) === 0xffe0 ? 4 + be16(image, 4) : 2),
  // After signature and IHDR.
  'image/png': () => 8 + 25,
  // After header, logical screen and palette.
  'image/gif': (image) => 13 + (byteAt(image, 10) & 0x80 ? 3 * 2 ** ((byteAt(image, 10) & 7) + 1) : 0),
}

function pngChunk(exif: Uint8Array): Uint8Array {
  const typeAndData = concatBytes([latin1Bytes('eXIf'), exif])
  return concatBytes([packNumbers([exif.length, 4]), typeAndData, packNumbers([crc32(typeAndData), 4])])
}

/** A GIF comment (GIF89a section 24) of one sub-block, which has at most 255 bytes. */
function gifComment({ artist, copyright }: Credit): Uint8Array {
  const lines = [artist && `Artist: ${artist}`, copyright && `Copyright: ${copyright}`].filter(Boolean)
  const text = latin1Bytes(lines.join('\n').slice(0, 255))
  return concatBytes([Uint8Array.of(0x21, 0xfe, text.length), text, Uint8Array.of(0)])
}
