import { randomBytes, randomUUID } from 'node:crypto'
import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ConfiguredKeys, maxAcceptedKeys } from '../../lib/cryptography.ts'
import { StartupError, systemCode } from '../../faults.ts'

const keyFileOf = (dataDir: string): string => join(dataDir, 'secret-key')
const formerKeysFileOf = (dataDir: string): string => join(dataDir, 'secret-keys-former')
const minKeyChars = 32

/** A new key: 64 hexadecimal digits, 256 random bits. */
export const newSecretKey = (): string => randomBytes(32).toString('hex')

async function readKey(keyFile: string): Promise<string> {
  const secretKey = (await readFile(keyFile, 'utf8')).trim()
  if (secretKey.length < minKeyChars)
    throw new StartupError(
      `The secret key in ${keyFile} is damaged. Restore the file, for example from a backup. Only if it is lost for good, delete it and run "rotate-secret --key-lost".`,
    )
  return secretKey
}

async function createKeyFile(dataDir: string): Promise<void> {
  const keyFile = keyFileOf(dataDir)
  const temporaryKeyFile = `${keyFile}.${randomUUID()}`
  await writeFile(temporaryKeyFile, newSecretKey(), { mode: 0o600, flush: true })
  try {
    // Linking is atomic and never replaces an existing key, which URLs in use are signed with.
    await link(temporaryKeyFile, keyFile)
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  } finally {
    await unlink(temporaryKeyFile)
  }
}

/** Former keys of a data folder, one a line, the newest first. */
async function readFormerKeys(dataDir: string): Promise<string[]> {
  try {
    const lines = (await readFile(formerKeysFileOf(dataDir), 'utf8')).split('\n').map((line) => line.trim())
    return lines.filter((line) => line.length >= minKeyChars)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw error
  }
}

/** The settings that this file reads. */
export interface KeySettings {
  secretKey: string | undefined
  acceptedSecretKeys: readonly string[]
  dataDir: string
}

/** The keys that sign URLs and tokens: those of the settings, or one created once in the data folder, readable by this user only. */
export async function loadSecretKeys({ secretKey, acceptedSecretKeys, dataDir }: KeySettings): Promise<ConfiguredKeys> {
  if (secretKey !== undefined) return { current: secretKey, accepted: acceptedSecretKeys }
  await createKeyFile(dataDir)
  const current = await readKey(keyFileOf(dataDir))
  return { current, accepted: (await readFormerKeys(dataDir)).filter((key) => key !== current) }
}

async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}`
  await writeFile(temporary, text, { mode: 0o600, flush: true })
  await rename(temporary, path)
}

/**
 * Gives a data folder a new key, which programs use from their next start. The key before is stored among the former ones
 * first, so that it survives a power failure in between.
 */
export async function replaceKeyFile(dataDir: string): Promise<void> {
  const current = await readKey(keyFileOf(dataDir))
  const former = [current, ...(await readFormerKeys(dataDir)).filter((key) => key !== current)]
  await writeKeyFiles(dataDir, { current: newSecretKey(), former })
}

/** Replaces the key files of a data folder; former keys the newest first. */
export async function writeKeyFiles(
  dataDir: string,
  { current, former }: { current: string; former: readonly string[] },
): Promise<void> {
  if (former.length > 0)
    await replaceFile(formerKeysFileOf(dataDir), `${former.slice(0, maxAcceptedKeys).join('\n')}\n`)
  await replaceFile(keyFileOf(dataDir), current)
}

/** Removes former keys that are no longer accepted from the data folder. */
export async function forgetFormerKeys(dataDir: string, stillAccepted: readonly string[]): Promise<void> {
  const formerKeys = await readFormerKeys(dataDir)
  const acceptedKeys = formerKeys.filter((key) => stillAccepted.includes(key))
  if (acceptedKeys.length === formerKeys.length) return
  if (acceptedKeys.length === 0) await unlink(formerKeysFileOf(dataDir))
  else await replaceFile(formerKeysFileOf(dataDir), `${acceptedKeys.join('\n')}\n`)
}
