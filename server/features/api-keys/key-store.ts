import { ignoreDatabaseDown, type Database } from '../../db/connect.ts'
import { planOf } from '../../domain/plans.ts'
import { noApiAccess } from '../../faults.ts'
import type { KeyActor } from '../../http/actor.ts'
import type { KeyStore } from '../../http/authenticator.ts'
import type { Bus } from '../../live/bus.ts'
import { createRowCache } from '../../live/row-cache.ts'
import { addNetwork, isKeyUsable, prepareFindKey, touchKey, type UsableKey } from './queries.ts'

/** The customers' keys. */
export interface CustomerKeys extends KeyStore<KeyActor> {
  /** Removes a key from the cache, before the event of its deletion arrives. */
  invalidateKey(keyId: string): void
}

/**
 * The TTL covers changes without a bus event: a plan or key that expires, and a last use that is due to be written.
 */
const keyCacheLimits = { maxRows: 20_000, ttlMs: 1_000 }

/** Cached keys are at most a second old; bus events invalidate them earlier. docs/security.md T22. */
export function createCustomerKeys({ db, pool, bus }: Pick<Database, 'db' | 'pool'> & { bus: Bus }): CustomerKeys {
  const findKey = prepareFindKey(db, pool)
  const keyCache = createRowCache<UsableKey>({
    bus,
    ...keyCacheLimits,
    maxWaitMs: pool.options.connectionTimeoutMillis,
    tagsOf: ({ id, user_id: userId }) => [`key ${id}`, `user ${userId}`],
  })
  const loadKey = async (keyHash: Buffer): Promise<UsableKey | undefined> => {
    const [key] = await findKey([keyHash])
    if (key?.is_stale && includesApi(key)) await touchKey(db, key.id).catch(ignoreDatabaseDown)
    return key
  }
  return {
    async find(keyHash) {
      const key = await keyCache.find(keyHash.toString('hex'), () => loadKey(keyHash))
      if (!key) return undefined
      if (!includesApi(key)) throw noApiAccess()
      return { by: 'key', userId: key.user_id, keyId: key.id }
    },
    isLive: ({ keyId }) => isKeyUsable(db, keyId),
    addNetwork: ({ keyId }, network) => addNetwork(db, keyId, network),
    invalidateKey: (keyId) => keyCache.invalidate(`key ${keyId}`),
    invalidateUser: (userId) => keyCache.invalidate(`user ${userId}`),
  }
}

const includesApi = (key: UsableKey): boolean => planOf(key).features.api_access
