import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { deriveKey } from '../lib/hmac.ts'
import { loadSecretKey } from '../runtime/secret-key.ts'
import { StartupError } from '../runtime/startup-error.ts'
import { writeDurably } from './backup-folder.ts'
import { checksumOf } from './hashed-files.ts'
import type { Manifest } from './manifest.ts'

const keyFile = 'secret-key'
type KeySettings = Pick<Config, 'secretKey' | 'dataDir'>

/** Tells keys apart and reveals nothing about them. */
const fingerprintOf = (key: string): string =>
  deriveKey(key, 'keepsnap backup fingerprint').toString('hex').slice(0, 16)

/**
 * Adds the secret key to a backup when the program made it: it exists nowhere but in the data folder. A key of the settings
 * is the operator's to keep, so that a backup and the key need not be in one place.
 */
export async function backUpSecretKey(folder: string, config: KeySettings): Promise<Manifest['secretKey']> {
  const key = await loadSecretKey(config.secretKey, config.dataDir)
  if (config.secretKey !== undefined) return { fingerprint: fingerprintOf(key), file: null }
  const path = join(folder, keyFile)
  await writeDurably(path, key)
  return { fingerprint: fingerprintOf(key), file: { file: keyFile, ...(await checksumOf(path)) } }
}

/**
 * The key with which the restored installation will run is that of the backup, or the operator has said that it need not be.
 * @returns the key to be written into the data folder, if any
 * @throws StartupError when it is another one
 */
export async function secretKeyToRestore(
  folder: string,
  { secretKey: { fingerprint, file } }: Manifest,
  { config, otherKey }: { config: KeySettings; otherKey: boolean },
): Promise<string | undefined> {
  const key = file && (await readFile(join(folder, file.file), 'utf8'))
  if (config.secretKey === undefined) {
    if (key !== null || otherKey) return key ?? undefined
    throw new StartupError(
      'The key of this backup is not in it, because it was set as SECRET_KEY. Set SECRET_KEY to the same key. Without it, links in emails that were sent, unsubscribed addresses and secrets of webhooks are lost; printed codes work all the same. To restore without it: --other-key',
    )
  }
  if (otherKey || fingerprintOf(config.secretKey) === fingerprint) return undefined
  const where = file
    ? `The key of the backup is in ${join(folder, file.file)}: set SECRET_KEY to it, or unset it.`
    : 'Set it to the key of that time.'
  throw new StartupError(
    `SECRET_KEY is not the key with which this backup was made. ${where} With another key, links in emails that were sent, unsubscribed addresses and secrets of webhooks are lost; printed codes work all the same. To restore with it nevertheless: --other-key`,
  )
}

/** Writes the key into the data folder of the installation that is being restored. */
export async function restoreSecretKey(dataDir: string, key: string): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  await writeDurably(join(dataDir, keyFile), key)
}
