import { giveUpStoredKey, keyFingerprint, type StoredKey, storedKeys } from '../platform/db/secret-keys.ts'
import { formerKeyDays } from '../lib/cryptography.ts'
import { loadSecretKeys, newSecretKey, replaceKeyFile } from '../platform/process/secret-key-file.ts'
import { type Command, UsageError } from './command.ts'

const effects = [
  `Once the server has started with the new key, signatures of the former key are accepted for ${formerKeyDays} days:`,
  '  URLs of full-size images that programs have stored, and test codes.',
  'These keep working permanently: printed codes, sessions, API keys, links to unsubscribe, and everybody who has',
  '  unsubscribed. Links in other emails work as long as each email says.',
]

const inDataFolder = (dataDir: string): string[] => [
  `Created a new secret key in ${dataDir}; the former one is stored beside it, readable by this user only.`,
  'The running server still uses the former key: restart it, and every "work" process.',
  ...effects,
]

const inSettings = (): string[] => [
  'The secret key comes from SECRET_KEY, so nothing was changed. This is a new one, shown this once:',
  newSecretKey(),
  '1. On every machine, add it to SECRET_KEYS_ACCEPTED, and restart the machines one by one.',
  '2. Then, on every machine, make it SECRET_KEY and put the former key into SECRET_KEYS_ACCEPTED; restart them one by one.',
  `3. After ${formerKeyDays} days, remove the former key from SECRET_KEYS_ACCEPTED.`,
  ...effects,
]

const day = (at: Date): string => at.toISOString().slice(0, 10)
const keyLine = ({ fingerprint, firstUsedAt, replacedAt, acceptedUntil }: StoredKey, isConfigured: boolean): string =>
  `${fingerprint}: ${
    replacedAt === null
      ? `in use since ${day(firstUsedAt)}`
      : `used from ${day(firstUsedAt)} to ${day(replacedAt)}, accepted until ${acceptedUntil ? day(acceptedUntil) : 'now'}`
  }${isConfigured ? '' : ', not configured'}`

/**
 * `rotate-secret`: a new secret key. `--status`: which keys the database was used with. `--key-lost`: lets the next start adopt
 * any key.
 */
const rotateSecret: Command = (args) => {
  const [option] = args
  if (args.length > 1 || (option !== undefined && option !== '--status' && option !== '--key-lost'))
    throw new UsageError('rotate-secret, rotate-secret --status or rotate-secret --key-lost')
  return async ({ config, db, confirm }) => {
    if (option === '--status') {
      const { current, accepted } = await loadSecretKeys(config)
      const configured = new Set([current, ...accepted].map(keyFingerprint))
      const keys = await storedKeys(db)
      return keys.length === 0
        ? 'No key is in use: at its next start, the server adopts the key of its settings.'
        : keys.map((key) => keyLine(key, configured.has(key.fingerprint))).join('\n')
    }
    if (option === '--key-lost') {
      const question =
        'Without the former key, links to unsubscribe in emails stop working, people who have unsubscribed can get emails again, and owners must replace the secrets of their webhooks. Go on?'
      if (!(await confirm(question))) return 'Nothing was changed: this has to be confirmed in a terminal.'
      return (await giveUpStoredKey(db))
        ? 'At its next start, the server adopts the key of its settings.'
        : 'No key was in use: at its next start, the server adopts the key of its settings.'
    }
    if (config.secretKey !== undefined) return inSettings().join('\n')
    const { current } = await loadSecretKeys(config)
    const stored = await storedKeys(db)
    const inUse = stored.find(({ replacedAt }) => replacedAt === null)
    if (inUse && inUse.fingerprint !== keyFingerprint(current))
      throw new UsageError('the key was already replaced; restart the server first, so that it adopts the new key')
    await replaceKeyFile(config.dataDir)
    return inDataFolder(config.dataDir).join('\n')
  }
}

export const secretCommands: Record<string, Command> = { 'rotate-secret': rotateSecret }
