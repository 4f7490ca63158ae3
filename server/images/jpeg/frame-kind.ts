import { be16, byteAt } from '../bytes.ts'

/** Start of frame: baseline, extended and progressive, all with Huffman coding (ITU-T T.81 table B.1). */
const huffmanFrames = new Set([0xc0, 0xc1, 0xc2])
/** In the same range of markers: Huffman tables, a reserved one and arithmetic conditioning. */
const notFrames = new Set([0xc4, 0xc8, 0xcc])

/**
 * Whether a JPEG is of the kind whose pixels are kept, as far as its frame header says: Huffman coding, 8 bits, one or three
 * channels. Undefined when `file` ends before that header. Never throws, and never reads outside of `file`.
 */
export function hasPlainFrame(file: Uint8Array): boolean | undefined {
  let at = 2
  while (at + 10 <= file.length) {
    const marker = byteAt(file, at + 1)
    if (file[at] !== 0xff) return false
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker >= 0xc0 && marker <= 0xcf && !notFrames.has(marker))
      return huffmanFrames.has(marker) && file[at + 4] === 8 && (file[at + 9] === 1 || file[at + 9] === 3)
    if (marker === 0xd9 || marker === 0xda) return false
    at += 2 + Math.max(2, be16(file, at + 2))
  }
  return undefined
}
