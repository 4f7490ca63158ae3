import { sql } from 'kysely'
import {
  type ConfiguredKeys,
  createEncryption,
  deriveKey,
  deriveKeys,
  formerKeyDays,
  type SecretKeys,
  shortHmac,
  unsubscribeKeys,
} from '../../lib/cryptography.ts'
import type { Config } from '../../config.ts'
import { forgetFormerKeys, loadSecretKeys } from '../process/secret-key-file.ts'
import { StartupError } from '../../faults.ts'
import type { Db } from './connect.ts'

export interface StoredKey {
  fingerprint: string
  firstUsedAt: Date
  /** Null for the key in use. */
  replacedAt: Date | null
  /** Until when what it signed is accepted; null for the key in use. */
  acceptedUntil: Date | null
}

/** The configured key is not the one that the database was used with. */
export class UnknownSecretKey extends Error {
  override readonly name = 'UnknownSecretKey'
}

/** Names a key without revealing anything of it. */
export const keyFingerprint = (key: string): string => shortHmac(deriveKey(key, 'keepsnap fingerprint'), 'fingerprint')

/** Every key that the database was used with, the oldest first. */
export const storedKeys = (db: Db): Promise<StoredKey[]> =>
  db
    .selectFrom('secret_keys')
    .select([
      'fingerprint',
      'first_used_at as firstUsedAt',
      'replaced_at as replacedAt',
      sql<Date | null>`replaced_at + make_interval(days => ${formerKeyDays})`.as('acceptedUntil'),
    ])
    .orderBy('first_used_at')
    .execute()

/** Encrypts the keys of unsubscribe links that were derived from former secret keys. */
const formerKeyEncryption = (keys: ConfiguredKeys) =>
  createEncryption(deriveKeys({ ...keys, formerUnsubscribeKeys: [] }, 'keepsnap former keys'))

/** Replaces the stored key, and keeps the key of its unsubscribe links, encrypted with its successor. */
async function replaceStoredKey(tx: Db, fingerprint: string, keys: ConfiguredKeys): Promise<void> {
  const replaced = keys.accepted.find((key) => keyFingerprint(key) === fingerprint)
  if (replaced === undefined) throw new UnknownSecretKey()
  const [unsubscribeKey] = unsubscribeKeys({ current: replaced, accepted: [], formerUnsubscribeKeys: [] })
  const encrypted = formerKeyEncryption(keys).encrypt(unsubscribeKey.toString('base64'), fingerprint)
  await tx
    .updateTable('secret_keys')
    .set({ replaced_at: sql<Date>`now()`, unsubscribe_key: encrypted })
    .where('fingerprint', '=', fingerprint)
    .execute()
}

/** Marks a key as in use, also one that was given up and found again. */
const takeIntoUse = (tx: Db, fingerprint: string) =>
  tx
    .insertInto('secret_keys')
    .values({ fingerprint })
    .onConflict((conflict) => conflict.column('fingerprint').doUpdateSet({ replaced_at: null, unsubscribe_key: null }))
    .execute()

/** The keys of unsubscribe links under former secret keys; re-encrypts them with the current one. */
async function formerUnsubscribeKeys(tx: Db, keys: ConfiguredKeys): Promise<Buffer[]> {
  const encryption = formerKeyEncryption(keys)
  const rows = await tx
    .selectFrom('secret_keys')
    .select(['fingerprint', 'unsubscribe_key'])
    .where('unsubscribe_key', 'is not', null)
    .execute()
  const formerKeys: Buffer[] = []
  for (const { fingerprint, unsubscribe_key: encrypted } of rows) {
    const text = encrypted && encryption.decrypt(encrypted, fingerprint)
    if (!encrypted || text === undefined || text === null) continue
    formerKeys.push(Buffer.from(text, 'base64'))
    const renewed = encryption.renew(encrypted, fingerprint)
    if (renewed)
      await tx
        .updateTable('secret_keys')
        .set({ unsubscribe_key: renewed })
        .where('fingerprint', '=', fingerprint)
        .execute()
  }
  return formerKeys
}

/**
 * Decides which keys the program works with. The first start stores the fingerprint of its key; a new key is taken into use
 * when the one before is among the accepted ones. Former keys are accepted for some days from then on. Throws
 * `UnknownSecretKey` when the key in use by the database is not among the given ones.
 */
export const resolveSecretKeys = (db: Db, keys: ConfiguredKeys): Promise<SecretKeys> =>
  db.transaction().execute(async (tx) => {
    await sql`lock table secret_keys in exclusive mode`.execute(tx)
    const stored = await storedKeys(tx)
    const inUse = stored.find(({ replacedAt }) => replacedAt === null)
    const current = keyFingerprint(keys.current)
    if (!inUse || !stored.some(({ fingerprint }) => fingerprint === current)) {
      if (inUse) await replaceStoredKey(tx, inUse.fingerprint, keys)
      await takeIntoUse(tx, current)
    } else if (![keys.current, ...keys.accepted].some((key) => keyFingerprint(key) === inUse.fingerprint))
      throw new UnknownSecretKey()
    const former = await formerUnsubscribeKeys(tx, keys)
    const expired = await tx
      .selectFrom('secret_keys')
      .select('fingerprint')
      .where('replaced_at', '<', sql<Date>`now() - make_interval(days => ${formerKeyDays})`)
      .execute()
    const isExpired = (key: string): boolean => expired.some(({ fingerprint }) => fingerprint === keyFingerprint(key))
    if (isExpired(keys.current)) throw new UnknownSecretKey()
    return {
      current: keys.current,
      accepted: keys.accepted.filter((key) => !isExpired(key)),
      formerUnsubscribeKeys: former,
    }
  })

/** Whether the key in use is among the given ones, or none is in use. */
export async function knowsKeyInUse(db: Db, { current, accepted }: ConfiguredKeys): Promise<boolean> {
  const configuredFingerprints = [current, ...accepted].map(keyFingerprint)
  const inUse = (await storedKeys(db)).find(({ replacedAt }) => replacedAt === null)
  return !inUse || configuredFingerprints.includes(inUse.fingerprint)
}

/** Gives up the key in use when it is not among the given ones. */
export async function giveUpUnknownKey(db: Db, keys: ConfiguredKeys): Promise<void> {
  if (!(await knowsKeyInUse(db, keys))) await giveUpStoredKey(db)
}

/** Gives up the key in use, which is lost; the next start takes any other into use. False when there is none. */
export async function giveUpStoredKey(db: Db): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('secret_keys')
    .set({ replaced_at: sql<Date>`now()` })
    .where('replaced_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The secret keys of the settings or the data folder, if the database was used with them. */
export async function openSecretKeys(config: Config, db: Db): Promise<SecretKeys> {
  const configured = await loadSecretKeys(config)
  try {
    const secretKeys = await resolveSecretKeys(db, configured)
    if (config.secretKey === undefined) await forgetFormerKeys(config.dataDir, secretKeys.accepted)
    return secretKeys
  } catch (error) {
    if (!(error instanceof UnknownSecretKey)) throw error
    throw new StartupError(
      config.secretKey === undefined
        ? `The file secret-key in ${config.dataDir} is not the key that this database was used with: links in emails would stop working, and people who have unsubscribed would get emails again. Restore the file. Only if it is lost for good, run "rotate-secret --key-lost".`
        : 'SECRET_KEY is not the key that this database was used with: links in emails would stop working, and people who have unsubscribed would get emails again. Set the former key, or name it in SECRET_KEYS_ACCEPTED to replace it. Only if it is lost for good, run "rotate-secret --key-lost".',
      { cause: error },
    )
  }
}
