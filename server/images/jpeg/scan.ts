import { be16, byteAt } from '../bytes.ts'
import { unsupportedJpeg, type JpegComponent, type JpegFrame, type JpegTables } from './tables.ts'

/** A checked scan header (T.81 B.2.3). */
export interface JpegScan {
  components: JpegComponent[]
  /** Destinations of the Huffman tables that it decodes with. */
  dc: number[]
  ac: number[]
}

/** For each component, what earlier scans have defined of each coefficient: its lowest known bit, 255 for nothing yet. */
export type CoefficientProgress = Uint8Array[]

export const noProgress = (frame: JpegFrame): CoefficientProgress =>
  frame.components.map(() => new Uint8Array(64).fill(255))

/** Coefficients and bits that a scan defines: spectral selection and successive approximation, T.81 B.2.3. */
interface SpectralBand {
  spectralStart: number
  spectralEnd: number
  approximationHigh: number
  approximationLow: number
}

/** Reads an SOS segment, checks that its tables exist, and records what the scan defines in `state.progress`. */
export function readScanHeader(
  bytes: Uint8Array,
  frame: JpegFrame,
  state: { tables: JpegTables; progress: CoefficientProgress },
): JpegScan {
  const count = byteAt(bytes, 4)
  if (count < 1 || count > frame.components.length || bytes.length !== 8 + 2 * count) unsupportedJpeg('broken scan')
  const band = readSpectralBand(bytes.subarray(-3))
  checkSpectralBand(band, frame, count)
  const scan: JpegScan = { components: [], dc: [], ac: [] }
  let previous = -1
  for (let at = 5; at < 5 + 2 * count; at += 2) {
    const index = frame.components.findIndex(({ id }) => id === bytes[at])
    const [component, knownBits] = [frame.components[index], state.progress[index]]
    if (index <= previous || !component || !knownBits) unsupportedJpeg('broken scan')
    previous = index
    recordSpectralBand(knownBits, band)
    scan.components.push(component)
    const [dc, ac] = [byteAt(bytes, at + 1) >> 4, byteAt(bytes, at + 1) & 15]
    // A progressive scan may name any number for a table that it does not use.
    if (band.spectralStart === 0 && band.approximationHigh === 0) scan.dc.push(dc)
    if (band.spectralEnd > 0) scan.ac.push(ac)
  }
  if (scan.dc.some((table) => !state.tables.dc[table]) || scan.ac.some((table) => !state.tables.ac[table]))
    unsupportedJpeg('missing table')
  return scan
}

const readSpectralBand = (bytes: Uint8Array): SpectralBand => ({
  spectralStart: byteAt(bytes, 0),
  spectralEnd: byteAt(bytes, 1),
  approximationHigh: byteAt(bytes, 2) >> 4,
  approximationLow: byteAt(bytes, 2) & 15,
})

function checkSpectralBand(
  { spectralStart, spectralEnd, approximationHigh, approximationLow }: SpectralBand,
  frame: JpegFrame,
  componentCount: number,
): void {
  if (!frame.isProgressive) {
    if (spectralStart !== 0 || spectralEnd !== 63 || approximationHigh !== 0 || approximationLow !== 0)
      unsupportedJpeg('broken scan')
    return
  }
  if (spectralStart === 0 ? spectralEnd !== 0 : spectralEnd < spectralStart || spectralEnd > 63)
    unsupportedJpeg('broken scan')
  // Only DC scans may be interleaved.
  if (spectralStart > 0 && componentCount !== 1) unsupportedJpeg('broken scan')
  if (approximationLow > 13 || (approximationHigh !== 0 && approximationHigh !== approximationLow + 1))
    unsupportedJpeg('broken scan')
}

/** Each coefficient is defined once and then refined bit by bit, and DC comes first (T.81 G.1.1.1). */
function recordSpectralBand(
  knownBits: Uint8Array,
  { spectralStart, spectralEnd, approximationHigh, approximationLow }: SpectralBand,
): void {
  if (spectralStart > 0 && knownBits[0] === 255) unsupportedJpeg('broken scan')
  for (let coefficient = spectralStart; coefficient <= spectralEnd; coefficient++) {
    if (knownBits[coefficient] !== (approximationHigh === 0 ? 255 : approximationHigh)) unsupportedJpeg('broken scan')
    knownBits[coefficient] = approximationLow
  }
}

/** RST0 to RST7, which have no length. */
export const isRestartMarker = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7

/**
 * Where the entropy-coded data that starts at an offset ends: the offset of the next marker. The data may contain only
 * stuffed bytes and exactly the expected restart markers, in their order.
 */
export function findScanEnd(file: Uint8Array, start: number, restartMarkers: number): number {
  let found = 0
  let at = start
  for (;;) {
    at = file.indexOf(0xff, at)
    if (at === -1 || at + 1 >= file.length) unsupportedJpeg('incomplete')
    const marker = byteAt(file, at + 1)
    if (marker !== 0) {
      if (!isRestartMarker(marker)) break
      if (found >= restartMarkers || marker !== 0xd0 + (found & 7)) unsupportedJpeg('unexpected marker')
      found++
    }
    at += 2
  }
  if (found !== restartMarkers || at === start) unsupportedJpeg('broken scan')
  return at
}

/** How many restart markers a scan has (T.81 A.2.2 and A.2.3 for its MCUs, E.1.4). */
export function countRestartMarkers(scan: JpegScan, frame: JpegFrame, restartInterval: number): number {
  if (restartInterval === 0) return 0
  const maxH = Math.max(...frame.components.map(({ h }) => h))
  const maxV = Math.max(...frame.components.map(({ v }) => v))
  const [first, ...others] = scan.components
  // A scan of one component is not interleaved: each of its MCUs is one block.
  const single = others.length === 0 ? first : undefined
  const mcusPerRow = single
    ? Math.ceil(Math.ceil((frame.width * single.h) / maxH) / 8)
    : Math.ceil(frame.width / 8 / maxH)
  const mcuRows = single
    ? Math.ceil(Math.ceil((frame.height * single.v) / maxV) / 8)
    : Math.ceil(frame.height / 8 / maxV)
  return Math.ceil((mcusPerRow * mcuRows) / restartInterval) - 1
}

/** Reads the payload of a DRI segment: the number of MCUs between restart markers. */
export function readRestartInterval(payload: Uint8Array): number {
  if (payload.length !== 2) unsupportedJpeg('broken segment')
  return be16(payload, 0)
}
