import { type Selectable, sql } from 'kysely'
import { apiKeyLimits } from '@keepsnap/contract/limits.ts'
import { type ApiKey, createApiKey, deleteApiKey, deleteApiKeys, listApiKeys } from '@keepsnap/contract/integrations.ts'
import { apiKeyNameMessages, apiKeyNameProblem, normalizeName } from '@keepsnap/contract/form-rules.ts'
import { type Database, type Db, ignoreDatabaseDown } from '../../platform/db/connect.ts'
import type { ApiKeys } from '../../platform/db/schema.ts'
import { prepareQuery, type Query } from '../../platform/db/prepared-query.ts'
import { currentPlan, type PlanColumn, planOf } from '../plans/plans.ts'
import { Fault, invalidField, noApiAccess, unauthorized } from '../../faults.ts'
import { type Bus, publish } from '../../platform/live/bus.ts'
import { createRowCache } from '../../platform/live/row-cache.ts'
import type { ApiDependencies, CustomerKeys } from '../../dependencies.ts'
import { confirmNewAccess } from '../accounts/passwords.ts'
import { liveEvent } from '../events/chosen-event.ts'
import { accountHasEvents } from '../photos/photo-view.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { lastFourOf, newApiKey, shortApiKey } from '../../lib/api-keys.ts'
import { hashOf, newId } from '../../lib/ids.ts'

/** A user's own API keys. Another user's key does not exist. */
export function apiKeyRoutes(serve: Serve, { config, customerKeys, db }: ApiDependencies): void {
  // Newest first. Their number is limited when they are created.
  serve(listApiKeys, async (_, { actor }) => {
    const rows = await db
      .selectFrom('api_keys')
      .innerJoin('users', 'users.id', 'api_keys.user_id')
      .select(keyColumns)
      .select(accountHasEvents.as('has_events'))
      .where('user_id', '=', actor.userId)
      .orderBy('api_keys.created_at', 'desc')
      .orderBy('api_keys.id')
      .execute()
    return rows.map((row) => keyView(row))
  })

  serve(createApiKey, async ({ body }, { actor }) => {
    const name = normalizeName(body.name)
    const problem = apiKeyNameProblem(name)
    if (problem) throw invalidField('name', apiKeyNameMessages[problem])
    const { userId } = actor
    const expiresInDays = body.expires_in_days
    const key = newApiKey('customer')
    const row = await db.transaction().execute(async (tx) => {
      const owner = await lockKeysOfUser(tx, userId)
      if (!owner) throw unauthorized()
      if (!planOf(owner).features.api_access) throw noApiAccess()
      if (owner.keys >= apiKeyLimits.keysMax) throw tooManyKeys()
      const eventId = body.event_id ?? null
      if (eventId !== null) await liveEvent(tx, userId, eventId)
      const added = await tx
        .insertInto('api_keys')
        .values({
          id: newId(),
          user_id: userId,
          name,
          key_hash: hashOf(key),
          last_four: lastFourOf(key),
          event_id: eventId,
          expires_at:
            expiresInDays === undefined ? null : sql<Date>`now() + make_interval(days => ${expiresInDays}::integer)`,
        })
        .returning(keyColumns)
        .executeTakeFirstOrThrow()
      await publish(tx, { kind: 'key', user: userId, key: added.id })
      await confirmNewAccess(tx, actor, config, { kind: 'api-key-created', name })
      return { ...added, has_events: owner.has_events }
    })
    // Only this response contains the key in full.
    return keyView(row, key)
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

const keyColumns = [
  'api_keys.id',
  'api_keys.name',
  'api_keys.last_four',
  'api_keys.created_at',
  'api_keys.last_used_at',
  'api_keys.expires_at',
  'api_keys.event_id',
] as const

/**
 * Locks an account for the rest of the transaction, before its keys are written: uploads by key are accepted under the same
 * lock, so that none is accepted after its key was deleted. Returns the plan that counts now and how many keys there are;
 * undefined when the account is gone.
 */
async function lockKeysOfUser(
  tx: Db,
  userId: string,
): Promise<(PlanColumn & { keys: number; has_events: boolean }) | undefined> {
  const user = await tx
    .selectFrom('users')
    .select([currentPlan.as('plan'), accountHasEvents.as('has_events')])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!user) return undefined
  const { keys } = await tx
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<number>().as('keys'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return { ...user, keys }
}

/** False when the user has no such key. */
async function deleteKey(tx: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('api_keys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Keys that have not expired, of active accounts. */
const usableKeys = (db: Db) =>
  db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .where('users.is_active', '=', sql.lit(true))
    .where(sql<boolean>`(api_keys.expires_at is null or api_keys.expires_at > now())`)

/** What a call with a key needs to know about it. */
interface UsableKey extends PlanColumn {
  id: string
  user_id: string
  event_id: string | null
  /** Whether `last_used_at` is so old that it should be updated. */
  is_stale: boolean
}

const touchKeyAfter = sql`interval '1 minute'`

const isStale = sql<boolean>`(last_used_at is null or last_used_at < now() - ${touchKeyAfter})`

/**
 * The TTL covers changes without a bus event: a plan or key that expires, and a last use that is due to be written.
 */
const keyCacheLimits = { maxRows: 20_000, ttlMs: 1_000 }

/** Cached keys are at most a second old; bus events invalidate them earlier. docs/security.md T22. */
export function createCustomerKeys({ db, pool, bus }: Pick<Database, 'db' | 'pool'> & { bus: Bus }): CustomerKeys {
  const findKey: Query<UsableKey> = prepareQuery(
    pool,
    'api key',
    usableKeys(db)
      .select(['api_keys.id', 'api_keys.user_id', 'api_keys.event_id', currentPlan.as('plan'), isStale.as('is_stale')])
      .where('api_keys.key_hash', '=', Buffer.of())
      .compile(),
  )
  const keyCache = createRowCache<UsableKey>({
    bus,
    ...keyCacheLimits,
    maxWaitMs: pool.options.connectionTimeoutMillis,
    tagsOf: ({ id, user_id: userId }) => [`key ${id}`, `user ${userId}`],
  })
  const loadKey = async (keyHash: Buffer): Promise<UsableKey | undefined> => {
    const [key] = await findKey([keyHash])
    if (key?.is_stale && includesApi(key))
      await db
        .updateTable('api_keys')
        .set({ last_used_at: sql<Date>`now()` })
        .where('id', '=', key.id)
        .where(isStale)
        .execute()
        .catch(ignoreDatabaseDown)
    return key
  }
  return {
    async find(keyHash) {
      const key = await keyCache.find(keyHash.toString('hex'), () => loadKey(keyHash))
      if (!key) return undefined
      if (!includesApi(key)) throw noApiAccess()
      return { by: 'key', userId: key.user_id, keyId: key.id, eventId: key.event_id }
    },
    isLive: async ({ keyId }) =>
      (await usableKeys(db).select('api_keys.id').where('api_keys.id', '=', keyId).executeTakeFirst()) !== undefined,
    async addNetwork({ keyId }, network) {
      const { numAffectedRows } = await sql`
        update api_keys set networks = (array_prepend(${network}::bytea, networks))[1:${sql.lit(apiKeyLimits.networksMax)}]
        where id = ${keyId} and not ${network}::bytea = any (networks)`.execute(db)
      return numAffectedRows === 1n
    },
    invalidateKey: (keyId) => keyCache.invalidate(`key ${keyId}`),
    invalidateUser: (userId) => keyCache.invalidate(`user ${userId}`),
  }
}

const includesApi = (key: UsableKey): boolean => planOf(key).features.api_access

const keyNotFound = (): Fault => new Fault('not_found', 'This API key does not exist.')

const tooManyKeys = (): Fault =>
  new Fault('conflict', `You have ${apiKeyLimits.keysMax} API keys, the most there can be. Please delete one first.`)

type KeyColumn = 'id' | 'name' | 'last_four' | 'created_at' | 'last_used_at' | 'expires_at' | 'event_id'

/** A key as its owner sees it, without the secret. */
const keyView = (
  row: Pick<Selectable<ApiKeys>, KeyColumn> & { has_events: boolean },
  key = shortApiKey('customer', row.last_four),
): ApiKey => ({
  id: row.id,
  name: row.name,
  key,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
  expires_at: row.expires_at?.toISOString() ?? null,
  ...(row.has_events && { event_id: row.event_id }),
})
