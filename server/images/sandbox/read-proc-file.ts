import { closeSync, openSync, readSync } from 'node:fs'

const procBuffer = Buffer.allocUnsafeSlow(16 * 1024)

/**
 * The content of a file below /proc, of at most 16 KB that one read returns, such as status or limits; empty if it cannot be
 * read, for example because the process has exited. These files have no size: `readFileSync` allocates 64 KB for each, which
 * stay until garbage is collected.
 */
export function readProcFile(file: string): string {
  try {
    const descriptor = openSync(file, 'r')
    try {
      return procBuffer.toString('latin1', 0, readSync(descriptor, procBuffer))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return ''
  }
}
