import { access, constants, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { newId } from '../../lib/ids.ts'
import type { Mail, Message } from './mail.ts'
import { mimeMessage } from './mime-message.ts'
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

/** Writes emails into a folder instead of sending them: `<id>.eml`, durable, with the bytes that a mail server would get. */
export async function outboxMail(outboxDir: string): Promise<Mail> {
  await mkdir(outboxDir, { recursive: true, mode: 0o700 })
  await deleteOldPartials(outboxDir)
  const transport = createTransport({ streamTransport: true })
  const emailThrottle = createEmailThrottle()

  const writeEmailFile = async (message: Message): Promise<void> => {
    const { message: emailBytes } = await transport.sendMail(mimeMessage(message, emailThrottle))
    const partialEmailFile = join(outboxDir, `${message.id}.${newId()}${partialSuffix}`)
    try {
      await writeFile(partialEmailFile, emailBytes, { flag: 'wx', mode: 0o600, flush: true })
      await rename(partialEmailFile, join(outboxDir, `${message.id}.eml`))
    } finally {
      await rm(partialEmailFile, { force: true })
    }
    await syncFolder(outboxDir)
  }

  return {
    kind: 'outbox',
    async send(message) {
      try {
        await writeEmailFile(message)
        return { kind: 'sent' }
      } catch (error) {
        if (!isFileSystemError(error)) throw error
        return { kind: 'retry', unreachable: true, reason: 'The outbox folder cannot be written.' }
      }
    },
    async deleteStored(ids) {
      for (const id of ids) await rm(join(outboxDir, `${id}.eml`), { force: true })
    },
    check: () =>
      access(outboxDir, constants.W_OK).then(
        () => true,
        () => false,
      ),
    async close() {},
  }
}
