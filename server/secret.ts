import { randomBytes } from 'node:crypto'
import { link, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const exists = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST'

/** The key that signs addresses: as set, or made once in the data folder, readable by this user alone. */
export async function secretKey(given: string | undefined, dataDir: string): Promise<string> {
  if (given !== undefined) return given
  const file = join(dataDir, 'secret-key')
  const draft = `${file}.${process.pid}`
  await writeFile(draft, randomBytes(32).toString('hex'), { mode: 0o600, flush: true })
  try {
    // A link appears whole or not at all, and never replaces a key that signs what is out in the world.
    await link(draft, file)
  } catch (error) {
    if (!exists(error)) throw error
  } finally {
    await unlink(draft)
  }
  const key = (await readFile(file, 'utf8')).trim()
  if (key.length < 32)
    throw new Error(
      `the secret key in ${file} is damaged: restore the file, or delete it to make a new one (addresses handed out before then end)`,
    )
  return key
}
