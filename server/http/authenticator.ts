import { sql } from 'kysely'
import { accessOf, type Endpoint } from '@keepsnap/contract/endpoint.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../db/connect.ts'
import { hashOf } from '../lib/ids.ts'
import { unauthorized } from '../faults.ts'
import type { Bus } from '../live/bus.ts'
import { createRowCache } from '../live/row-cache.ts'
import type { HttpRequest } from './http-types.ts'

/** The authenticated caller. */
export interface Actor {
  userId: string
  /** SHA-256 of the session token. */
  sessionHash: Buffer
}

export interface Authenticator {
  /** Decides from the headers alone. Undefined for public endpoints; throws `unauthorized`. */
  authenticate(endpoint: Endpoint, req: HttpRequest): Promise<Actor | undefined>
  /** The owner of a live session token, whether it came in a header or in a URL. */
  actorOf(token: string): Promise<Actor | undefined>
  /** Whether the database still has the caller's session; bypasses the cache. */
  isLive(actor: Actor): Promise<boolean>
  /** Removes a session from the cache, before the event of its end arrives. */
  invalidateSession(sessionHash: Buffer): void
  /** The same for all sessions of a user. */
  invalidateUser(userId: string): void
}

interface Session extends Actor {
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
  return sessionRow && { userId: sessionRow.user_id, sessionHash, isStale: sessionRow.stale }
}

/** The token of an `Authorization: Bearer` header. */
function bearerToken(req: HttpRequest): string | undefined {
  const [authScheme, token, extraPart] = (req.headers.authorization ?? '').split(' ')
  return authScheme?.toLowerCase() === 'bearer' && token && extraPart === undefined ? token : undefined
}

/**
 * Authentication by session token. Live sessions are cached for 30 s; the bus announces every session that ends.
 * `touchSession` updates the time of last use, so that a session in use does not expire.
 */
export function createAuthenticator({
  db,
  bus,
  touchSession,
}: {
  db: Db
  bus: Bus
  touchSession: (sessionHash: Buffer) => Promise<void>
}): Authenticator {
  const sessionCache = createRowCache<Actor>({
    bus,
    ...sessionCacheLimits,
    tagsOf: ({ userId, sessionHash }) => [`user ${userId}`, `session ${sessionHash.toString('hex')}`],
  })
  const actorOf = async (token: string): Promise<Actor | undefined> => {
    if (token.length > maxTokenChars) return undefined
    const sessionHash = hashOf(token)
    return sessionCache.find(sessionHash.toString('hex'), async () => {
      const session = await findSession(db, sessionHash)
      if (session?.isStale) await touchSession(sessionHash)
      return session && { userId: session.userId, sessionHash }
    })
  }

  return {
    actorOf,
    isLive: async ({ sessionHash }) => (await findSession(db, sessionHash)) !== undefined,
    invalidateSession: (hash) => sessionCache.invalidate(`session ${hash.toString('hex')}`),
    invalidateUser: (userId) => sessionCache.invalidate(`user ${userId}`),
    async authenticate(endpoint, req) {
      if (accessOf(endpoint).includes('public')) return undefined
      const token = bearerToken(req)
      const actor = token === undefined ? undefined : await actorOf(token)
      if (!actor) throw unauthorized()
      return actor
    },
  }
}
