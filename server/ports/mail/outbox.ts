import { access, constants, mkdir, open, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { emailLimits } from '@keepsnap/contract/limits.ts'
import { newId } from '../../lib/ids.ts'
import { createEmailThrottle, type Mail, type Message, mimeMessage, type SendResult } from './mail.ts'

const partialSuffix = '.part'
const partialMaxAgeMs = 60 * 60 * 1000

/** Deletes incomplete files of programs that were killed. A recent one may belong to a running program. */
async function deleteOldPartials(outboxDir: string): Promise<void> {
  for (const name of await readdir(outboxDir)) {
    if (!name.endsWith(partialSuffix)) continue
    const partialPath = join(outboxDir, name)
    const partialStat = await stat(partialPath).catch(() => undefined)
    if (partialStat && partialStat.mtimeMs < Date.now() - partialMaxAgeMs) await rm(partialPath, { force: true })
  }
}

async function syncFolder(outboxDir: string): Promise<void> {
  const folderHandle = await open(outboxDir, 'r')
  try {
    await folderHandle.sync()
  } finally {
    await folderHandle.close()
  }
}

const isFileSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error && 'errno' in error

/** The file of an email that may wait would make the folder too large. */
class OutboxFull extends Error {}

/** Writes emails as durable files and resolves with their size. */
function createEmailWriter(outboxDir: string, space: OutboxSpace): (message: Message) => Promise<number> {
  const transport = createTransport({ streamTransport: true })
  const emailThrottle = createEmailThrottle()
  return async (message: Message): Promise<number> => {
    const { message: emailBytes } = await transport.sendMail(mimeMessage(message, emailThrottle))
    const partialEmailFile = join(outboxDir, `${message.id}.${newId()}${partialSuffix}`)
    const emailFile = join(outboxDir, `${message.id}.eml`)
    try {
      await writeFile(partialEmailFile, emailBytes, { flag: 'wx', mode: 0o600, flush: true })
      const [bytes, replacedBytes] = [await fileBytes(partialEmailFile), await fileBytes(emailFile)]
      if (!space.add(bytes - replacedBytes, message.mayWait ?? false)) throw new OutboxFull()
      await rename(partialEmailFile, emailFile)
      await syncFolder(outboxDir)
      return bytes
    } finally {
      await rm(partialEmailFile, { force: true })
    }
  }
}

/**
 * Writes emails into a folder instead of sending them: `<id>.eml`, durable, with the bytes that a mail server would get.
 * Emails that may wait are not written when the folder or the disk is nearly full.
 */
export async function outboxMail(outboxDir: string, limits: OutboxLimits): Promise<Mail> {
  await mkdir(outboxDir, { recursive: true, mode: 0o700 })
  await deleteOldPartials(outboxDir)
  const space = createOutboxSpace(outboxDir, limits)
  const writeEmailFile = createEmailWriter(outboxDir, space)
  const writeIfRoom = async (message: Message): Promise<SendResult> => {
    const fullReason = message.mayWait ? await space.fullReason() : undefined
    if (fullReason !== undefined) return { kind: 'retry', unreachable: true, isFull: true, reason: fullReason }
    return { kind: 'sent', fileBytes: await writeEmailFile(message) }
  }

  return {
    kind: 'outbox',
    maxAttachmentBytes: emailLimits.fileAttachBytes,
    async send(message) {
      try {
        return await writeIfRoom(message)
      } catch (error) {
        if (error instanceof OutboxFull)
          return { kind: 'retry', unreachable: true, isFull: true, reason: outboxFullReason }
        if (!isFileSystemError(error)) throw error
        return { kind: 'retry', unreachable: true, reason: 'The outbox folder cannot be written.' }
      }
    },
    async deleteStored(ids) {
      for (const id of ids) {
        const emailFile = join(outboxDir, `${id}.eml`)
        const bytes = await fileBytes(emailFile)
        await rm(emailFile, { force: true })
        space.remove(bytes)
      }
    },
    async check() {
      try {
        await access(outboxDir, constants.W_OK)
        await space.recount()
        return (await space.fullReason()) === undefined
      } catch {
        return false
      }
    },
    storedBytes: space.usedBytes,
    async close() {},
  }
}

/** How much the outbox folder may hold. */
interface OutboxLimits {
  maxBytes: number
  /** The free space that emails leave on the disk; otherwise 5 % of it, at most 1 GiB. */
  minFreeBytes?: number
}

/** What the outbox folder holds, and whether there is room for more. */
interface OutboxSpace {
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
const outboxFullReason = 'The outbox folder is full. The email waits until there is room.'
const diskFullReason = 'The disk is nearly full. The email waits until there is room.'
/** The reasons of emails that wait for room. */
export const roomReasons: readonly string[] = [outboxFullReason, diskFullReason]
const recountMs = 60_000
const filesAtOnce = 64
const maxMinFreeBytes = 1024 ** 3
const minFreeShare = 0.05

/** The bytes of a file; 0 when it does not exist. */
const fileBytes = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0

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
function createOutboxSpace(folder: string, { maxBytes, minFreeBytes }: OutboxLimits): OutboxSpace {
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
