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
  authenticate(shape: Endpoint, req: HttpRequest): Promise<Actor | undefined>
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

const cacheLimits = { maxRows: 20_000, ttlMs: 30_000 }
const touchAfter = '1 hour'
const maxTokenChars = 128

/** A session that has not expired, neither by idleness nor by age, of an active account. */
async function findSession(db: Db, sessionHash: Buffer): Promise<Session | undefined> {
  const row = await db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['s.user_id', sql<boolean>`s.last_used_at < now() - ${touchAfter}::interval`.as('stale')])
    .where('s.token_hash', '=', sessionHash)
    .where('u.is_active', '=', true)
    .where('s.last_used_at', '>', sql<Date>`now() - make_interval(days => ${limits.sessionIdleDays})`)
    .where('s.created_at', '>', sql<Date>`now() - make_interval(days => ${limits.sessionMaxDays})`)
    .executeTakeFirst()
  return row && { userId: row.user_id, sessionHash, isStale: row.stale }
}

/** The token of an `Authorization: Bearer` header. */
export function bearerToken(req: HttpRequest): string | undefined {
  const [scheme, token, more] = (req.headers.authorization ?? '').split(' ')
  return scheme?.toLowerCase() === 'bearer' && token && more === undefined ? token : undefined
}

/**
 * Authentication by session token. Live sessions are cached for 30 s; the bus announces every session that ends.
 * `touch` updates the time of last use, so that a session in use does not expire.
 */
export function createAuthenticator({
  db,
  bus,
  touch,
}: {
  db: Db
  bus: Bus
  touch: (sessionHash: Buffer) => Promise<void>
}): Authenticator {
  const cache = createRowCache<Actor>({
    bus,
    ...cacheLimits,
    tagsOf: ({ userId, sessionHash }) => [`user ${userId}`, `session ${sessionHash.toString('hex')}`],
  })
  const actorOf = async (token: string): Promise<Actor | undefined> => {
    if (token.length > maxTokenChars) return undefined
    const sessionHash = hashOf(token)
    return cache.find(sessionHash.toString('hex'), async () => {
      const session = await findSession(db, sessionHash)
      if (session?.isStale) await touch(sessionHash)
      return session && { userId: session.userId, sessionHash }
    })
  }

  return {
    actorOf,
    isLive: async ({ sessionHash }) => (await findSession(db, sessionHash)) !== undefined,
    invalidateSession: (hash) => cache.invalidate(`session ${hash.toString('hex')}`),
    invalidateUser: (userId) => cache.invalidate(`user ${userId}`),
    async authenticate(shape, req) {
      if (accessOf(shape).includes('public')) return undefined
      const token = bearerToken(req)
      const actor = token === undefined ? undefined : await actorOf(token)
      if (!actor) throw unauthorized()
      return actor
    },
  }
}
