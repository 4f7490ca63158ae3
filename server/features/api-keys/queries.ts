import { sql } from 'kysely'
import { apiKeyLimits } from '@keepsnap/contract/limits.ts'
import type { Database, Db } from '../../db/connect.ts'
import { prepareQuery, type Query } from '../../db/prepared-query.ts'
import { currentPlan, type PlanColumn } from '../../domain/plans.ts'

/** A key as its owner sees it, without the secret. */
export interface ApiKeyRow {
  id: string
  name: string
  last_four: string
  created_at: Date
  last_used_at: Date | null
  expires_at: Date | null
}

const keyColumns = ['id', 'name', 'last_four', 'created_at', 'last_used_at', 'expires_at'] as const

/** The keys of a user, newest first. Their number is limited when they are created. */
export const keysOfUser = (db: Db, userId: string): Promise<ApiKeyRow[]> =>
  db
    .selectFrom('api_keys')
    .select(keyColumns)
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()

/**
 * Locks an account for the rest of the transaction, before its keys are written: uploads by key are accepted under the same
 * lock, so that none is accepted after its key was deleted. Returns the plan that counts now and how many keys there are;
 * undefined when the account is gone.
 */
export async function lockKeysOfUser(
  tx: Db,
  userId: string,
): Promise<(PlanColumn & { email: string; keys: number }) | undefined> {
  const user = await tx
    .selectFrom('users')
    .select(['email', currentPlan.as('plan')])
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

export interface NewApiKey {
  id: string
  userId: string
  name: string
  keyHash: Buffer
  lastFour: string
  expiresInDays: number | undefined
}

export const addKey = (tx: Db, key: NewApiKey): Promise<ApiKeyRow> =>
  tx
    .insertInto('api_keys')
    .values({
      id: key.id,
      user_id: key.userId,
      name: key.name,
      key_hash: key.keyHash,
      last_four: key.lastFour,
      expires_at:
        key.expiresInDays === undefined
          ? null
          : sql<Date>`now() + make_interval(days => ${key.expiresInDays}::integer)`,
    })
    .returning(keyColumns)
    .executeTakeFirstOrThrow()

/** False when the user has no such key. */
export async function deleteKey(tx: Db, userId: string, id: string): Promise<boolean> {
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
export interface UsableKey extends PlanColumn {
  id: string
  user_id: string
  /** Whether `last_used_at` is so old that it should be updated. */
  is_stale: boolean
}

const touchKeyAfter = sql`interval '1 minute'`
const isStale = sql<boolean>`(last_used_at is null or last_used_at < now() - ${touchKeyAfter})`

/** Finds a key by its hash, if it has not expired and its account is active. */
export const prepareFindKey = (db: Db, pool: Database['pool']): Query<UsableKey> =>
  prepareQuery(
    pool,
    'api key',
    usableKeys(db)
      .select(['api_keys.id', 'api_keys.user_id', currentPlan.as('plan'), isStale.as('is_stale')])
      .where('api_keys.key_hash', '=', Buffer.of())
      .compile(),
  )

export const isKeyUsable = async (db: Db, id: string): Promise<boolean> =>
  (await usableKeys(db).select('api_keys.id').where('api_keys.id', '=', id).executeTakeFirst()) !== undefined

/** Updates the last use of a key, unless it was updated within the last minute. */
export const touchKey = async (db: Db, id: string): Promise<void> =>
  void (await db
    .updateTable('api_keys')
    .set({ last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where(isStale)
    .execute())

/** Adds a network to the last ones that a key was used from; false if it is among them. */
export async function addNetwork(db: Db, id: string, network: Buffer): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update api_keys set networks = (array_prepend(${network}::bytea, networks))[1:${sql.lit(apiKeyLimits.networksMax)}]
    where id = ${id} and not ${network}::bytea = any (networks)`.execute(db)
  return numAffectedRows === 1n
}
