import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { type Access, accessOf, type Endpoint } from '@keepsnap/contract/endpoint.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import { type Db, ignoreDatabaseDown, poolOf } from '../db/connect.ts'
import { isApiKey } from '../../lib/api-keys.ts'
import { hashOf } from '../../lib/ids.ts'
import { endpointNotFound, invalidApiKey, unauthorized } from '../../faults.ts'
import type { Bus } from '../live/bus.ts'
import { createRowCache } from '../live/row-cache.ts'
import type { HttpRequest } from './http-types.ts'
import type { SecurityLog } from './security-log.ts'
import { clientKey } from './client-address.ts'
import { countRateHit } from './rate-limits.ts'

/** The keys of one kind. The features that own them implement it, and `app.ts` passes it to the authenticator. */
export interface KeyStore<A extends Actor> {
  /**
   * The actor of a key, by the SHA-256 of the whole key; undefined when the key is unknown, revoked or expired, or its
   * account is deactivated. Throws `forbidden` when the key is good but may not be used now.
   */
  find(keyHash: Buffer): Promise<A | undefined>
  /** Whether the database still has the key; bypasses caches. */
  isLive(actor: A): Promise<boolean>
  /** Stores a network that a key is used from; true if it was not among the last ones. */
  addNetwork?(actor: A, networkHash: Buffer): Promise<boolean>
  /** Removes the keys of a user from a cache, if there is one. */
  invalidateUser?(userId: string): void
}

export interface Authenticator {
  /**
   * Decides from the headers alone. Undefined for public endpoints, unless they also accept a session and the request
   * has one. Throws `unauthorized`; `not_found` where only operators are allowed; `rate_limited` for a client that has
   * sent too many wrong keys.
   */
  authenticate(endpoint: Endpoint, req: HttpRequest): Promise<Actor | undefined>
  /** The owner of a live session token, whether it came in a header or in a URL. */
  actorOf(token: string): Promise<SessionActor | undefined>
  /** Whether the database still has the caller's session or key; bypasses the cache. */
  isLive(actor: Actor): Promise<boolean>
  /** Removes a session from the cache, before the event of its end arrives. */
  invalidateSession(sessionHash: Buffer): void
  /** The same for all sessions and keys of a user. */
  invalidateUser(userId: string): void
}

interface Session extends SessionActor {
  /** Whether `last_used_at` is so old that it should be updated. */
  isStale: boolean
}

const sessionCacheLimits = { maxRows: 20_000, ttlMs: 30_000 }
const touchSessionAfter = '1 hour'
const maxTokenChars = 128

/** A session that has not expired, neither by idleness nor by age, of an active account. */
async function findSession(db: Db, sessionHash: Buffer): Promise<Session | undefined> {
  const sessionRow = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.user_id',
      sql<boolean>`sessions.last_used_at < now() - ${touchSessionAfter}::interval`.as('stale'),
    ])
    .where('sessions.token_hash', '=', sessionHash)
    .where('users.is_active', '=', true)
    .where('sessions.last_used_at', '>', sql<Date>`now() - make_interval(days => ${limits.sessionIdleDays})`)
    .where('sessions.created_at', '>', sql<Date>`now() - make_interval(days => ${limits.sessionMaxDays})`)
    .executeTakeFirst()
  return sessionRow && { by: 'session', userId: sessionRow.user_id, sessionHash, isStale: sessionRow.stale }
}

/** The token of an `Authorization: Bearer` header. */
function bearerToken(req: HttpRequest): string | undefined {
  const [authScheme, token, extraPart] = (req.headers.authorization ?? '').split(' ')
  return authScheme?.toLowerCase() === 'bearer' && token && extraPart === undefined ? token : undefined
}

/** Not cached, so that a user who is no longer an admin is refused at once. */
async function isAdmin(db: Db, { userId }: SessionActor): Promise<boolean> {
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('is_admin', '=', true)
    .where('is_active', '=', true)
    .executeTakeFirst()
  return user !== undefined
}

/** How many networks of keys a node knows to be stored. */
const knownNetworksMax = 20_000

/** What `createAuthenticator` needs. */
interface AuthenticatorOptions {
  db: Db
  bus: Bus
  /** Updates the time of last use, so that a session in use does not expire. */
  touchSession: (sessionHash: Buffer) => Promise<void>
  /** A kind without a store has no keys: its endpoints refuse everybody. */
  keyStores?: { customer?: KeyStore<KeyActor>; admin?: KeyStore<AdminKeyActor> }
  securityLog?: SecurityLog
}

/**
 * Authentication by session token or key. An endpoint accepts the credentials of its access kinds and no others. A key
 * decides when one was sent and the endpoint accepts keys: there is no second attempt with the session of the same request.
 */
export function createAuthenticator({
  db,
  bus,
  touchSession,
  keyStores: { customer, admin } = {},
  securityLog,
}: AuthenticatorOptions): Authenticator {
  // Live ones are cached for 30 s; the bus announces every session that ends.
  const sessionCache = createRowCache<SessionActor>({
    bus,
    ...sessionCacheLimits,
    maxWaitMs: poolOf(db).options.connectionTimeoutMillis,
    tagsOf: ({ userId, sessionHash }) => [`user ${userId}`, `session ${sessionHash.toString('hex')}`],
  })
  const knownNetworks = new LRUCache<string, true>({ max: knownNetworksMax })

  async function actorOf(token: string): Promise<SessionActor | undefined> {
    if (token.length > maxTokenChars) return undefined
    const sessionHash = hashOf(token)
    return sessionCache.find(sessionHash.toString('hex'), async () => {
      const session = await findSession(db, sessionHash)
      if (session?.isStale) await touchSession(sessionHash).catch(ignoreDatabaseDown)
      return session && { by: 'session', userId: session.userId, sessionHash }
    })
  }
  async function actorOfSession(req: HttpRequest): Promise<SessionActor | undefined> {
    const token = bearerToken(req)
    return token === undefined ? undefined : actorOf(token)
  }

  /** Records that a key is used from a network for the first time. The database is asked once for each, on each node. */
  async function recordNetwork(actor: KeyActor | AdminKeyActor, req: HttpRequest): Promise<void> {
    if (!securityLog) return
    const network = securityLog.networkHash(req.ip)
    const id = `${actor.keyId} ${network.toString('hex')}`
    if (knownNetworks.has(id)) return
    knownNetworks.set(id, true)
    const isNew =
      actor.by === 'key' ? await customer?.addNetwork?.(actor, network) : await admin?.addNetwork?.(actor, network)
    const account = actor.by === 'key' ? actor.userId : null
    if (isNew) securityLog.record('key_new_network', req, { account, key: actor.keyId })
  }
  /** The actor of a key of the allowed kinds. Wrong keys are counted per client. */
  async function actorOfKey(
    key: string,
    allowed: readonly Access[],
    req: HttpRequest,
  ): Promise<KeyActor | AdminKeyActor> {
    const customerStore = allowed.includes('key') && isApiKey('customer', key) ? customer : undefined
    const adminStore = allowed.includes('admin') && isApiKey('admin', key) ? admin : undefined
    const actor = await (customerStore ?? adminStore)?.find(hashOf(key))
    if (actor) {
      await recordNetwork(actor, req).catch(ignoreDatabaseDown)
      return actor
    }
    await countRateHit(db, 'unknownKeys', clientKey(req.ip))
    throw invalidApiKey()
  }

  return {
    actorOf,
    invalidateSession: (hash) => sessionCache.invalidate(`session ${hash.toString('hex')}`),
    invalidateUser(userId) {
      sessionCache.invalidate(`user ${userId}`)
      customer?.invalidateUser?.(userId)
    },
    async isLive(actor) {
      if (actor.by === 'session') return (await findSession(db, actor.sessionHash)) !== undefined
      if (actor.by === 'key') return (await customer?.isLive(actor)) ?? false
      return (await admin?.isLive(actor)) ?? false
    },
    async authenticate(endpoint, req) {
      const allowed = accessOf(endpoint)
      if (allowed.includes('public')) return allowed.includes('user') ? actorOfSession(req) : undefined
      const key = apiKeyHeaderOf(req)
      if (key !== undefined && (allowed.includes('key') || allowed.includes('admin')))
        return actorOfKey(key, allowed, req)
      const [isForUsers, isForOperators] = [allowed.includes('user'), allowed.includes('operator')]
      const session = isForUsers || isForOperators ? await actorOfSession(req) : undefined
      if (session && (isForUsers || (await isAdmin(db, session)))) return session
      if (isForUsers) throw unauthorized()
      throw isForOperators ? endpointNotFound() : invalidApiKey()
    },
  }
}

/** A signed-in user: the caller has a session token. */
export interface SessionActor {
  by: 'session'
  userId: string
  /** SHA-256 of the session token. */
  sessionHash: Buffer
}

/** A customer's program: the caller has a key of this user. */
export interface KeyActor {
  by: 'key'
  userId: string
  keyId: string
  /** The event that the key is bound to, which may be gone; null for a key of the whole account. */
  eventId: string | null
}

/** A program of the operator: the caller has an admin key, which belongs to no account. */
export interface AdminKeyActor {
  by: 'admin key'
  keyId: string
  /** What the operator called the key. */
  keyName: string
}

/** The authenticated caller. */
export type Actor = SessionActor | KeyActor | AdminKeyActor

interface ActorByAccess {
  public: undefined
  user: SessionActor
  key: KeyActor
  admin: AdminKeyActor
  /** Of a user who is an admin now. */
  operator: SessionActor
}

/** Who can have called an endpoint: one of the actors of its access kinds. Undefined only when it is public. */
export type ActorOf<E extends Pick<Endpoint, 'access'>> = ActorByAccess[E['access'] extends readonly (infer Kind extends
  Access)[]
  ? Kind
  : Extract<E['access'], Access>]

/** Both names mean the same. */
const keyHeaders = ['api-key', 'x-api-key'] as const

/**
 * What the request's key headers say; undefined without one. Two different values are no key at all: a proxy in front may
 * have checked only one of them. Node.js joins a header that is sent twice, which is no key either.
 */
export function apiKeyHeaderOf({ headers }: Pick<HttpRequest, 'headers'>): string | undefined {
  const values = keyHeaders.map((name) => headers[name]).filter((value) => value !== undefined)
  const [first] = values
  if (first === undefined) return undefined
  return typeof first === 'string' && values.every((value) => value === first) ? first : ''
}
