import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'

/** How much the outbox folder may hold. */
export interface OutboxLimits {
  maxBytes: number
  /** The free space that emails leave on the disk; otherwise 5 % of it, at most 1 GiB. */
  minFreeBytes?: number
}

/** What the outbox folder holds, and whether there is room for more. */
export interface OutboxSpace {
  /** Why there is no room, as a sentence; undefined when there is. */
  fullReason(): Promise<string | undefined>
  /** Counts a file that is added; false when it does not fit and `mayWait`. */
  add(bytes: number, mayWait: boolean): boolean
  /** Counts a file that was removed. */
  remove(bytes: number): void
  /** What the folder holds, as counted within the last minute. */
  usedBytes(): Promise<number>
  /** Counts the files in the folder again. */
  recount(): Promise<void>
}

/** No email that may wait is larger, with a photo of 1 MB and a logo, both in base64. */
const largestEmailBytes = 3 * 1024 * 1024
/** Why an email waits, for the photo's owner. */
export const outboxFullReason = 'The outbox folder is full. The email waits until there is room.'
const diskFullReason = 'The disk is nearly full. The email waits until there is room.'
/** The reasons of emails that wait for room. */
export const roomReasons: readonly string[] = [outboxFullReason, diskFullReason]
const recountMs = 60_000
const filesAtOnce = 64
const maxMinFreeBytes = 1024 ** 3
const minFreeShare = 0.05

/** The bytes of a file; 0 when it does not exist. */
export const fileBytes = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0

async function folderBytes(folder: string): Promise<number> {
  const names = await readdir(folder)
  let bytes = 0
  for (let at = 0; at < names.length; at += filesAtOnce) {
    const sizes = await Promise.all(names.slice(at, at + filesAtOnce).map((name) => fileBytes(join(folder, name))))
    bytes += sizes.reduce((sum, size) => sum + size, 0)
  }
  return bytes
}

/** Whether the disk of a folder has little free space. */
async function isDiskNearlyFull(folder: string, minFreeBytes: number | undefined): Promise<boolean> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return bavail * bsize < (minFreeBytes ?? Math.min(maxMinFreeBytes, blocks * bsize * minFreeShare))
}

/** Counts what a folder holds: at first and once a minute all its files, since others may remove some, and otherwise changes. */
export function createOutboxSpace(folder: string, { maxBytes, minFreeBytes }: OutboxLimits): OutboxSpace {
  let usedBytes = 0
  let countedAtMs = -Infinity
  const recount = async (): Promise<void> => {
    countedAtMs = performance.now()
    usedBytes = await folderBytes(folder)
  }
  const currentBytes = async (): Promise<number> => {
    if (performance.now() - countedAtMs > recountMs) await recount()
    return usedBytes
  }
  return {
    recount,
    usedBytes: currentBytes,
    async fullReason() {
      await currentBytes()
      if (usedBytes + largestEmailBytes > maxBytes) return outboxFullReason
      if (await isDiskNearlyFull(folder, minFreeBytes)) return diskFullReason
      return undefined
    },
    add(bytes, mayWait) {
      if (mayWait && usedBytes + bytes > maxBytes) return false
      usedBytes += bytes
      return true
    },
    remove: (bytes) => void (usedBytes -= bytes),
  }
}
