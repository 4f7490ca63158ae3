import type { Config } from '../config.ts'
import type { Db } from '../db/connect.ts'
import { UnknownSecretKey, resolveSecretKeys } from './stored-keys.ts'
import type { SecretKeys } from '../lib/secret-keys.ts'
import { forgetFormerKeys, loadSecretKeys } from '../runtime/secret-key.ts'
import { StartupError } from '../runtime/startup-error.ts'

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
