import { access, constants, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { newId } from '../../domain/ids.ts'
import { compose } from './compose.ts'
import type { Mail, Message } from './mail.ts'
import { createPace } from './pace.ts'

const partEnd = '.part'
const partMostMs = 60 * 60 * 1000

/** Files that an attempt left behind when its program was killed. */
async function dropParts(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    if (!name.endsWith(partEnd)) continue
    const path = join(dir, name)
    const found = await stat(path).catch(() => undefined)
    if (found && found.mtimeMs < Date.now() - partMostMs) await rm(path, { force: true })
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

const isOfTheDisk = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && 'path' in error === 'path' in error && 'errno' in error

/** Writes letters into a folder instead of sending them: `<id>.eml`, the bytes a mail server would get, lasting. */
export async function outboxMail(dir: string): Promise<Mail> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  await dropParts(dir)
  const transport = createTransport({ streamTransport: true })
  const pace = createPace()

  const write = async (message: Message): Promise<void> => {
    const { message: bytes } = await transport.sendMail(compose(message, pace))
    const part = join(dir, `${message.id}.${newId()}${partEnd}`)
    try {
      const file = await open(part, 'wx', 0o600)
      try {
        await writeFile(file, bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(part, join(dir, `${message.id}.eml`))
    } finally {
      await rm(part, { force: true })
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
        if (!isOfTheDisk(error)) throw error
        return { kind: 'again', unreachable: true, reason: 'The outbox folder cannot be written.' }
      }
    },
    async forget(ids) {
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
