import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { isUnsupportedKind } from '../formats/unsupported-kinds.ts'
import { sniff, sniffBytes, type Sniffed } from '../formats/sniff.ts'
import { imageFiles } from '../protocol.ts'
import { refuseFile } from '../refusal.ts'

/** Far above the limit of any plan. Some formats are read into memory as a whole. */
const maxInputBytes = 256 * 1024 * 1024

/** The first bytes of a file, as many as `sniff` needs. Refuses a file that is too large for this process. */
export function readHead(path: string): Uint8Array {
  const file = openSync(path, 'r')
  try {
    if (fstatSync(file).size > maxInputBytes) refuseFile('memory')
    const head = Buffer.alloc(sniffBytes)
    return head.subarray(0, readSync(file, head))
  } finally {
    closeSync(file)
  }
}

/** The format of the file `in`. Refuses one that is not accepted or cannot be decoded, and one that says that it has too many pixels. */
export function sniffInput(maxPixels: number): Sniffed {
  const head = readHead(imageFiles.input)
  const sniffed = sniff(head) ?? refuseFile('format')
  const { format, width, height } = sniffed
  if ((width ?? 0) * (height ?? 0) > maxPixels) refuseFile('pixels')
  if (isUnsupportedKind(format, width === null ? readFileSync(imageFiles.input) : head)) refuseFile('unsupported')
  return sniffed
}
