import { be16, byteAt, concatBytes } from '../bytes.ts'
import { isRestartMarker } from './scan.ts'

/** No camera and no program writes more. A decoder processes the whole picture once for each scan. */
export const maxScans = 64

/** What the received bytes of a JPEG say about how expensive it is to decode. */
export interface CountedScans {
  scans: number
  /** Pixels by the first frame header, which is the one that decoders use; 0 before it has arrived. */
  width: number
  height: number
  /**
   * Whether its coded pixels may be kept: Huffman coding, 8 bits, one or three channels, and only segments before the
   * first scan. Undefined before the frame header has arrived.
   */
  isLosslessEligible: boolean | undefined
  /** Whether a decoder reads one scan only, whatever follows it: the frame is not progressive, and that scan has all components. */
  hasSingleScan: boolean
  /** Whether the end marker has been found. */
  isEnded: boolean
}

/** Counts scans while a file is being received. */
export interface ScanCounter {
  /** The next bytes of the file. */
  add(bytes: Uint8Array): void
  counted(): CountedScans
}

/** A frame header (ITU-T T.81 B.2.2). */
interface Frame {
  marker: number
  bits: number
  width: number
  height: number
  components: number
}

/** Start of frame: baseline, extended and progressive, all with Huffman coding (T.81 table B.1). */
const huffmanFrames = new Set([0xc0, 0xc1, 0xc2])
/** In the same range of markers: Huffman tables, a reserved one and arithmetic conditioning. */
const notFrames = new Set([0xc4, 0xc8, 0xcc])

const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && !notFrames.has(marker)
/** Markers without a length, which decoders skip in a header. */
const hasNoLength = (marker: number): boolean => marker < 0xc0 || isRestartMarker(marker) || marker === 0xd8

const isLosslessEligibleFrame = ({ marker, bits, components }: Frame): boolean =>
  huffmanFrames.has(marker) && bits === 8 && (components === 1 || components === 3)

const readFrameAt = (file: Uint8Array, at: number): Frame => ({
  marker: byteAt(file, at + 1),
  bits: byteAt(file, at + 4),
  height: be16(file, at + 5),
  width: be16(file, at + 7),
  components: byteAt(file, at + 9),
})

/** How many bytes of a segment are examined, its marker included. */
const neededBytes = (marker: number): number => (isFrame(marker) ? 10 : marker === 0xda ? 5 : 4)

/** Records the first frame header, the first scan, and whether anything but segments comes before it. */
function createHeaderRecord() {
  let frame: Frame | undefined
  let firstScanComponents: number | undefined
  let scans = 0
  let isRegular = true
  return {
    addSegment(file: Uint8Array, at: number): void {
      const marker = byteAt(file, at + 1)
      if (isFrame(marker)) frame ??= readFrameAt(file, at)
      if (marker !== 0xda) return
      scans++
      firstScanComponents ??= byteAt(file, at + 4)
    },
    addStrayBytes(): void {
      if (scans === 0) isRegular = false
    },
    counted: (): Omit<CountedScans, 'isEnded'> => ({
      scans,
      width: frame?.width ?? 0,
      height: frame?.height ?? 0,
      isLosslessEligible: frame && isRegular && isLosslessEligibleFrame(frame),
      hasSingleScan: frame !== undefined && frame.marker !== 0xc2 && firstScanComponents === frame.components,
    }),
  }
}

/**
 * Counts the scans of any JPEG, as a decoder finds them: up to its end marker, and past bytes that do not belong to a segment.
 * Looks at each byte once, wherever the pieces end, and keeps a few bytes only.
 */
export function createScanCounter(): ScanCounter {
  const record = createHeaderRecord()
  let bytesToSkip = 2
  let rest: Uint8Array = new Uint8Array()
  let isEnded = false
  /** The offset after a marker and its segment. Undefined when there are not enough bytes to tell. */
  const skipMarker = (file: Uint8Array, at: number): number | undefined => {
    if (at + 2 > file.length) return undefined
    const marker = byteAt(file, at + 1)
    if (marker === 0xff) return at + 1
    if (hasNoLength(marker)) {
      record.addStrayBytes()
      return at + 2
    }
    isEnded = marker === 0xd9
    if (isEnded) return file.length
    if (at + neededBytes(marker) > file.length) return undefined
    record.addSegment(file, at)
    return at + 2 + be16(file, at + 2)
  }
  return {
    add(bytes) {
      if (isEnded) return
      const file = rest.length > 0 ? concatBytes([rest, bytes]) : bytes
      let at = bytesToSkip
      while (at < file.length) {
        const marker = file.indexOf(0xff, at)
        if (marker !== at) record.addStrayBytes()
        const next = marker === -1 ? file.length : skipMarker(file, marker)
        at = next ?? marker
        if (next === undefined) break
      }
      bytesToSkip = Math.max(0, at - file.length)
      // A copy, because the receive buffer is reused.
      rest = concatBytes([file.subarray(at)])
    },
    counted: () => ({ ...record.counted(), isEnded }),
  }
}

/** Counts the scans of a whole file. */
export function countScans(file: Uint8Array): CountedScans {
  const counter = createScanCounter()
  counter.add(file)
  return counter.counted()
}
