import { access, constants, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { emailLimits } from '@keepsnap/contract/limits.ts'
import { newId } from '../../lib/ids.ts'
import type { Mail, Message, SendResult } from './mail.ts'
import { mimeMessage } from './mime-message.ts'
import { createOutboxSpace, fileBytes, outboxFullReason, type OutboxLimits, type OutboxSpace } from './outbox-space.ts'
import { createEmailThrottle } from './throttle.ts'

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
