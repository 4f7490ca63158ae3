import { createApiKey, deleteApiKey, deleteApiKeys, listApiKeys, type ApiKey } from '@keepsnap/contract/api-keys.ts'
import { apiKeyLimits } from '@keepsnap/contract/limits.ts'
import { apiKeyNameMessages, apiKeyNameProblem, normalizeName } from '@keepsnap/contract/names.ts'
import type { Dependencies } from '../../dependencies.ts'
import { planOf } from '../../domain/plans.ts'
import { requireRecentPassword } from '../../domain/recent-password.ts'
import { queueEmail } from '../../emails/queue-email.ts'
import { Fault, invalidField, noApiAccess, unauthorized } from '../../faults.ts'
import type { SessionActor } from '../../http/actor.ts'
import type { Serve } from '../../http/serve.ts'
import { lastFourOf, newApiKey, shortApiKey } from '../../lib/api-keys.ts'
import { hashOf, newId } from '../../lib/ids.ts'
import { publish } from '../../live/bus.ts'
import type { CustomerKeys } from './key-store.ts'
import { addKey, deleteKey, keysOfUser, lockKeysOfUser, type ApiKeyRow } from './queries.ts'

const keyNotFound = (): Fault => new Fault('not_found', 'This API key does not exist.')
const tooManyKeys = (): Fault =>
  new Fault('conflict', `You have ${apiKeyLimits.keysMax} API keys, the most there can be. Please delete one first.`)

/** A user's own API keys. Another user's key does not exist. */
export function apiKeyRoutes(serve: Serve, deps: Pick<Dependencies, 'db' | 'config'> & { customerKeys: CustomerKeys }) {
  const { db, customerKeys } = deps
  serve(listApiKeys, async (_, { actor }) => (await keysOfUser(db, actor.userId)).map((row) => keyView(row)))

  serve(createApiKey, async ({ body }, { actor }) => {
    const name = normalizeName(body.name)
    const problem = apiKeyNameProblem(name)
    if (problem) throw invalidField('name', apiKeyNameMessages[problem])
    return createKey(deps, { actor, name, expiresInDays: body.expires_in_days })
  })

  serve(deleteApiKey, async ({ params: { id } }, { actor: { userId } }) => {
    await db.transaction().execute(async (tx) => {
      if (!(await lockKeysOfUser(tx, userId))) throw unauthorized()
      if (!(await deleteKey(tx, userId, id))) throw keyNotFound()
      await publish(tx, { kind: 'key', user: userId, key: id })
    })
    customerKeys.invalidateKey(id)
    return null
  })

  serve(deleteApiKeys, async ({ body: { ids } }, { actor: { userId } }) => {
    await db.transaction().execute(async (tx) => {
      if (!(await lockKeysOfUser(tx, userId))) throw unauthorized()
      for (const id of ids)
        if (await deleteKey(tx, userId, id)) await publish(tx, { kind: 'key', user: userId, key: id })
    })
    for (const id of ids) customerKeys.invalidateKey(id)
    return null
  })
}

/** Creates a key. Only this response contains it in full. */
async function createKey(
  { db, config }: Pick<Dependencies, 'db' | 'config'>,
  { actor, name, expiresInDays }: { actor: SessionActor; name: string; expiresInDays: number | undefined },
): Promise<ApiKey> {
  const { userId } = actor
  const key = newApiKey('customer')
  const newRow = { id: newId(), userId, name, keyHash: hashOf(key), lastFour: lastFourOf(key), expiresInDays }
  const row = await db.transaction().execute(async (tx) => {
    const owner = await lockKeysOfUser(tx, userId)
    if (!owner) throw unauthorized()
    if (!planOf(owner).features.api_access) throw noApiAccess()
    if (owner.keys >= apiKeyLimits.keysMax) throw tooManyKeys()
    await requireRecentPassword(tx, actor, config)
    const added = await addKey(tx, newRow)
    await publish(tx, { kind: 'key', user: userId, key: added.id })
    const payload = { at: added.created_at.toISOString(), name }
    await queueEmail(tx, { id: newId(), kind: 'api-key-created', userId, recipient: owner.email, payload })
    return added
  })
  return keyView(row, key)
}

const keyView = (row: ApiKeyRow, key = shortApiKey('customer', row.last_four)): ApiKey => ({
  id: row.id,
  name: row.name,
  key,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
  expires_at: row.expires_at?.toISOString() ?? null,
})
