import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { deriveKey } from '../lib/hmac.ts'
import { loadSecretKeys, writeKeyFiles } from '../runtime/secret-key.ts'
import { StartupError } from '../runtime/startup-error.ts'
import { writeDurably } from './backup-folder.ts'
import { checksumOf } from './hashed-files.ts'
import type { Manifest } from './manifest.ts'

const keyFile = 'secret-key'
type KeySettings = Pick<Config, 'secretKey' | 'acceptedSecretKeys' | 'dataDir'>

/** Tells keys apart and reveals nothing about them. */
const fingerprintOf = (key: string): string =>
  deriveKey(key, 'keepsnap backup fingerprint').toString('hex').slice(0, 16)

/**
 * Adds the secret key to a backup, followed by former keys one per line, if the program generated it: it exists only in
 * the data folder. A key from the settings is left out, so that the operator can store it apart from the backup.
 */
export async function backUpSecretKey(folder: string, config: KeySettings): Promise<Manifest['secretKey']> {
  const { current, accepted } = await loadSecretKeys(config)
  if (config.secretKey !== undefined) return { fingerprint: fingerprintOf(current), file: null }
  const path = join(folder, keyFile)
  await writeDurably(path, [current, ...accepted].join('\n'))
  return { fingerprint: fingerprintOf(current), file: { file: keyFile, ...(await checksumOf(path)) } }
}

/**
 * Makes sure that the restored installation will use the key of the backup, unless `otherKey` allows another.
 * @returns the keys to write into the data folder, if any; the one in use first
 * @throws StartupError when the configured key differs from that of the backup
 */
export async function secretKeyToRestore(
  folder: string,
  { secretKey: { fingerprint, file } }: Manifest,
  { config, otherKey }: { config: KeySettings; otherKey: boolean },
): Promise<readonly string[] | undefined> {
  const keys = file && (await readFile(join(folder, file.file), 'utf8')).trim().split('\n')
  if (config.secretKey === undefined) {
    if (keys !== null || otherKey) return keys ?? undefined
    throw new StartupError(
      'The key of this backup is not in it, because it was set as SECRET_KEY. Set SECRET_KEY to the same key. Without it, links in emails that were sent, unsubscribed addresses and secrets of webhooks are lost; printed codes work all the same. To restore without it: --other-key',
    )
  }
  const configuredKeys = [config.secretKey, ...config.acceptedSecretKeys]
  if (otherKey || configuredKeys.some((key) => fingerprintOf(key) === fingerprint)) return undefined
  const where = file
    ? `The key of the backup is in ${join(folder, file.file)}: set SECRET_KEY to it, or unset it.`
    : 'Set it to the key of that time.'
  throw new StartupError(
    `SECRET_KEY is not the key with which this backup was made. ${where} With another key, links in emails that were sent, unsubscribed addresses and secrets of webhooks are lost; printed codes work all the same. To restore with it nevertheless: --other-key`,
  )
}

/** Writes the keys into the data folder of the installation that is being restored. */
export async function restoreSecretKey(dataDir: string, [current = '', ...former]: readonly string[]): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  await writeKeyFiles(dataDir, { current, former })
}
