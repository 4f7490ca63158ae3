import { crc32 } from 'node:zlib'
import { be16, joined, latin1, packed } from './bytes.ts'
import { writeExif, type Credit } from './exif.ts'
import { segment } from './jpeg-reading.ts'
import type { FullType } from './protocol.ts'

/** An image that we encoded ourselves, with the credit put in where its format keeps such words. In pieces. */
export function withCredit(image: Uint8Array, type: FullType, credit: Credit): Uint8Array[] {
  const exif = writeExif({ orientation: 1, credit })
  if (!exif) return [image]
  const words = type === 'image/gif' ? comment(credit) : type === 'image/png' ? pngChunk(exif) : exifSegment(exif)
  const at = placeFor[type](image)
  return [image.subarray(0, at), words, image.subarray(at)]
}

const placeFor: Record<FullType, (image: Uint8Array) => number> = {
  // After the JFIF segment, which must be the first.
  'image/jpeg': (image) => (be16(image, 2) === 0xffe0 ? 4 + be16(image, 4) : 2),
  // After signature and IHDR.
  'image/png': () => 8 + 25,
  // After header, screen and palette.
  'image/gif': (image) => 13 + (image[10]! & 0x80 ? 3 * 2 ** ((image[10]! & 7) + 1) : 0),
}

const exifSegment = (exif: Uint8Array): Uint8Array => segment(0xe1, latin1('Exif\0\0'), exif)

function pngChunk(exif: Uint8Array): Uint8Array {
  const body = joined([latin1('eXIf'), exif])
  return joined([packed([exif.length, 4]), body, packed([crc32(body), 4])])
}

/** A GIF comment (GIF89a section 24) of one block, 255 bytes at most. */
function comment({ artist, copyright }: Credit): Uint8Array {
  const lines = [artist && `Artist: ${artist}`, copyright && `Copyright: ${copyright}`].filter(Boolean)
  const words = latin1(lines.join('\n').slice(0, 255))
  return joined([Uint8Array.of(0x21, 0xfe, words.length), words, Uint8Array.of(0)])
}
