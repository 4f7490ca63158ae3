import { access, constants, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { newId } from '../../lib/ids.ts'
import type { Mail, Message } from './mail.ts'
import { mimeMessage } from './mime-message.ts'
import { createThrottle } from './throttle.ts'

const partialSuffix = '.part'
const partialMaxAgeMs = 60 * 60 * 1000

/** Deletes incomplete files of programs that were killed. A recent one may belong to a running program. */
async function deleteOldPartials(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    if (!name.endsWith(partialSuffix)) continue
    const path = join(dir, name)
    const found = await stat(path).catch(() => undefined)
    if (found && found.mtimeMs < Date.now() - partialMaxAgeMs) await rm(path, { force: true })
  }
}

async function syncFolder(dir: string): Promise<void> {
  const handle = await open(dir, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const isFileSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error && 'errno' in error

/** Writes emails into a folder instead of sending them: `<id>.eml`, durable, with the bytes that a mail server would get. */
export async function outboxMail(dir: string): Promise<Mail> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  await deleteOldPartials(dir)
  const transport = createTransport({ streamTransport: true })
  const throttle = createThrottle()

  const write = async (message: Message): Promise<void> => {
    const { message: bytes } = await transport.sendMail(mimeMessage(message, throttle))
    const partial = join(dir, `${message.id}.${newId()}${partialSuffix}`)
    try {
      await writeFile(partial, bytes, { flag: 'wx', mode: 0o600, flush: true })
      await rename(partial, join(dir, `${message.id}.eml`))
    } finally {
      await rm(partial, { force: true })
    }
    await syncFolder(dir)
  }

  return {
    kind: 'outbox',
    async send(message) {
      try {
        await write(message)
        return { kind: 'sent' }
      } catch (error) {
        if (!isFileSystemError(error)) throw error
        return { kind: 'retry', unreachable: true, reason: 'The outbox folder cannot be written.' }
      }
    },
    async deleteStored(ids) {
      for (const id of ids) await rm(join(dir, `${id}.eml`), { force: true })
    },
    check: () =>
      access(dir, constants.W_OK).then(
        () => true,
        () => false,
      ),
    async close() {},
  }
}
