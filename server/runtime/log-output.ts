import { fstatSync, writeSync } from 'node:fs'

/** Where the lines of the log go. */
export interface LogTarget {
  isTTY?: boolean
  /** Bytes that were written and that the target has not accepted yet. */
  writableLength?: number
  write(text: string): unknown
}

/** Writes lines, and counts those that it had to drop. */
export interface LogOutput {
  write(line: string): void
  droppedLines(): number
}

/** What may wait for a target that does not read, about 5,000 lines. More would fill the memory. */
const bufferedBytesMax = 1024 * 1024

/**
 * Never waits for the target of the log, and never fails: a reader that does not read, or a full disk, costs lines and
 * nothing else; docs/security.md F30.
 */
export function createLogOutput(target: LogTarget): LogOutput {
  let droppedLines = 0
  return {
    write(line) {
      try {
        if ((target.writableLength ?? 0) > bufferedBytesMax) droppedLines += 1
        else target.write(line)
      } catch {
        droppedLines += 1
      }
    },
    droppedLines: () => droppedLines,
  }
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile()
  } catch {
    return false
  }
}

/**
 * The standard output as the target of the log. A file is written to directly: Node ends its stream at the first error, such
 * as a full disk, and the log would stay silent after there is space again.
 */
export const standardOutput = (): LogTarget =>
  isFile(process.stdout.fd)
    ? {
        write(text) {
          writeSync(process.stdout.fd, text)
        },
      }
    : process.stdout
