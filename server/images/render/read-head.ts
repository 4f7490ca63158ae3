import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { sniffBytes } from '../formats/formats.ts'
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
