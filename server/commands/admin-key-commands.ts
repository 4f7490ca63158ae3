import { adminLimits } from '@keepsnap/contract/limits.ts'
import { apiKeyNameMessages, apiKeyNameProblem, normalizeName } from '@keepsnap/contract/names.ts'
import { createAdminKey, listAdminKeys, revokeAdminKey, type AdminKey } from '../features/admin/admin-keys.ts'
import { shortApiKey } from '../lib/api-keys.ts'
import { UsageError, type Command } from './command.ts'

/** `create-admin-key NAME`: the last line that it prints is the key. */
const create: Command = (args) => {
  const name = normalizeName(args.join(' '))
  const problem = apiKeyNameProblem(name)
  if (problem === 'missing') throw new UsageError('create-admin-key NAME, with a name such as reports')
  if (problem) throw new UsageError(apiKeyNameMessages[problem])
  return async ({ db }) => {
    const created = await createAdminKey(db, name)
    if (!created)
      throw new UsageError(`there are ${adminLimits.keysMax} admin keys already; revoke one with revoke-admin-key ID`)
    return [
      `Created the admin key ${name} with the ID ${created.id}.`,
      'Save it now: only its hash is stored, so it cannot be shown again. A program with this key can read all accounts.',
      created.key,
    ].join('\n')
  }
}

const timeText = (at: Date | null): string => at?.toISOString() ?? 'never'
const keyText = ({ id, name, lastFour, createdAt, lastUsedAt, revokedAt }: AdminKey): string =>
  `${id}  ${shortApiKey('admin', lastFour)}  ${name}: created ${timeText(createdAt)}, last used ${timeText(lastUsedAt)}` +
  (revokedAt ? `, revoked ${timeText(revokedAt)}` : '')

/** `list-admin-keys`: one line for each key, revoked ones too. */
const list: Command = (args) => {
  if (args.length > 0) throw new UsageError('list-admin-keys has no arguments')
  return async ({ db }) => {
    const keys = await listAdminKeys(db)
    return keys.length === 0 ? 'No admin keys. Create one with create-admin-key NAME.' : keys.map(keyText).join('\n')
  }
}

/** `revoke-admin-key ID`: from then on the key is refused. */
const revoke: Command = (args) => {
  const [id] = args
  if (id === undefined || args.length > 1) throw new UsageError('revoke-admin-key ID; list-admin-keys shows the IDs')
  return async ({ db }) => {
    const key = await revokeAdminKey(db, id)
    if (!key) throw new UsageError(`there is no admin key with the ID ${id}; list-admin-keys shows them`)
    return key.wasRevoked
      ? `The admin key ${key.name} has already been revoked.`
      : `Revoked the admin key ${key.name}. It no longer works.`
  }
}

/** The commands about the keys of the admin API. */
export const adminKeyCommands: Record<string, Command> = {
  'create-admin-key': create,
  'list-admin-keys': list,
  'revoke-admin-key': revoke,
}
