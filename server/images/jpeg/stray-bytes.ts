import { be16, byteAt, concatBytes } from '../bytes.ts'
import { maxSegments } from './reader.ts'

/**
 * A JPEG without the bytes that do not belong to any segment before its first scan; some cameras write such bytes. Null when
 * there are none, and when the scan cannot be found. The coded picture is not examined: stray bytes there mean damage.
 */
export function withoutStrayBytes(file: Uint8Array): Uint8Array | null {
  const kept: Uint8Array[] = []
  let keptFrom = 0
  let at = 2
  for (let segments = 0; segments < maxSegments; segments++) {
    const start = nextMarker(file, at)
    const marker = byteAt(file, start + 1)
    if (start !== at) kept.push(file.subarray(keptFrom, at))
    if (start !== at) keptFrom = start
    if (marker === 0xda) return kept.length > 0 ? concatBytes([...kept, file.subarray(keptFrom)]) : null
    const length = be16(file, start + 2)
    if (!hasLength(marker) || !(length >= 2)) return null
    at = start + 2 + length
  }
  return null
}

/** Where a decoder finds the next marker (T.81 B.1.1.2): 0xff, and then neither another one nor 0. NaN at the end. */
function nextMarker(file: Uint8Array, start: number): number {
  for (let at = file.indexOf(0xff, start); at !== -1; at = file.indexOf(0xff, at + 1)) {
    const next = byteAt(file, at + 1)
    if (next !== 0 && next !== 0xff) return at
  }
  return Number.NaN
}

/** Markers of a header: frames, tables, application data and comments. */
const hasLength = (marker: number): boolean =>
  (marker >= 0xc0 && marker <= 0xcf) || (marker >= 0xdb && marker <= 0xef) || marker === 0xfe
