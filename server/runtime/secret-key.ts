import { randomBytes } from 'node:crypto'
import { link, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const keyAlreadyExists = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST'

/** The key that signs URLs and tokens: the given one, or one created once in the data folder, readable by this user only. */
export async function loadSecretKey(configuredKey: string | undefined, dataDir: string): Promise<string> {
  if (configuredKey !== undefined) return configuredKey
  const keyFile = join(dataDir, 'secret-key')
  const temporaryKeyFile = `${keyFile}.${process.pid}`
  await writeFile(temporaryKeyFile, randomBytes(32).toString('hex'), { mode: 0o600, flush: true })
  try {
    // Linking is atomic and never replaces an existing key, which URLs in use are signed with.
    await link(temporaryKeyFile, keyFile)
  } catch (error) {
    if (!keyAlreadyExists(error)) throw error
  } finally {
    await unlink(temporaryKeyFile)
  }
  const secretKey = (await readFile(keyFile, 'utf8')).trim()
  if (secretKey.length < 32)
    throw new Error(
      `the secret key in ${keyFile} is damaged: restore the file, or delete it to create a new one (existing links and image URLs then stop working)`,
    )
  return secretKey
}
