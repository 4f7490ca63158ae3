import { be16, byteAt } from '../bytes.ts'

/** Start of frame: baseline, extended and progressive, all with Huffman coding (ITU-T T.81 table B.1). */
const huffmanFrames = new Set([0xc0, 0xc1, 0xc2])
/** In the same range of markers: Huffman tables, a reserved one and arithmetic conditioning. */
const notFrames = new Set([0xc4, 0xc8, 0xcc])

const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && !notFrames.has(marker)
const isScan = (marker: number): boolean => marker === 0xda

/** Where the first segment of a kind begins. Null when something else comes first, and undefined when `file` ends first. */
function findSegment(file: Uint8Array, isWanted: (marker: number) => boolean): number | null | undefined {
  let at = 2
  while (at + 10 <= file.length) {
    const marker = byteAt(file, at + 1)
    if (file[at] !== 0xff) return null
    if (marker === 0xff) {
      at++
      continue
    }
    if (isWanted(marker)) return at
    if (marker === 0xd9 || marker === 0xda) return null
    at += 2 + Math.max(2, be16(file, at + 2))
  }
  return undefined
}

/**
 * Whether a JPEG is of the kind whose pixels are kept, as far as its frame header says: Huffman coding, 8 bits, one or three
 * channels. Undefined when `file` ends before that header. Never throws, and never reads outside of `file`.
 */
export function hasPlainFrame(file: Uint8Array): boolean | undefined {
  const at = findSegment(file, isFrame)
  if (at === null || at === undefined) return at === null ? false : undefined
  return huffmanFrames.has(byteAt(file, at + 1)) && file[at + 4] === 8 && (file[at + 9] === 1 || file[at + 9] === 3)
}

/**
 * Whether a decoder reads one scan only, whatever follows it: the frame is not progressive, and the first scan has all its
 * components. Undefined when `file` ends before that scan. Never throws, and never reads outside of `file`.
 */
export function hasSingleScan(file: Uint8Array): boolean | undefined {
  const frame = findSegment(file, isFrame)
  const scan = findSegment(file, isScan)
  if (frame === undefined || scan === undefined) return undefined
  return frame !== null && scan !== null && file[frame + 1] !== 0xc2 && file[scan + 4] === file[frame + 9]
}
