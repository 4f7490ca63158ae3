import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { accessOf, type Shape } from '@keepsnap/contract/endpoint.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../db/connect.ts'
import { hashOf } from '../domain/ids.ts'
import { signInAgain } from '../faults.ts'
import type { Bus } from '../live/bus.ts'

/** Who calls, once admitted. */
export interface Actor {
  userId: string
  /** SHA-256 of the session's token. */
  sessionHash: Buffer
}

export interface Doors {
  /** Decides from the headers alone. Undefined for calls that anybody may make; throws `unauthorized`. */
  admit(shape: Shape, req: FastifyRequest): Promise<Actor | undefined>
  /** The live session behind a token, whatever carried it. */
  actorOf(token: string): Promise<Actor | undefined>
  /** Whether a caller's session is still there, as the database has it now. */
  isLive(actor: Actor): Promise<boolean>
  /** Forgets what is remembered of a session or of everybody, before the event comes round. */
  forget(sessionHash?: Buffer): void
}

interface Remembered {
  actor: Actor
  until: number
}

const rememberMs = 30_000
const rememberMost = 20_000
const touchAfter = '1 hour'

/** A session that is neither idle for too long, nor too old, nor of a deactivated account. */
async function findSession(db: Db, hash: Buffer): Promise<{ user_id: string; stale: boolean } | undefined> {
  return db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['s.user_id', sql<boolean>`s.last_used_at < now() - ${touchAfter}::interval`.as('stale')])
    .where('s.token_hash', '=', hash)
    .where('u.is_active', '=', true)
    .where('s.last_used_at', '>', sql<Date>`now() - make_interval(days => ${limits.sessionIdleDays})`)
    .where('s.created_at', '>', sql<Date>`now() - make_interval(days => ${limits.sessionMaxDays})`)
    .executeTakeFirst()
}

/** The token of an `Authorization: Bearer` header. */
export function bearerOf(req: FastifyRequest): string | undefined {
  const [scheme, token, more] = (req.headers.authorization ?? '').split(' ')
  return scheme?.toLowerCase() === 'bearer' && token && more === undefined ? token : undefined
}

/**
 * Admission by session. Live sessions are remembered for 30 s while the bus tells of every session that ends; when it
 * is silent, each call asks the database. `touch` keeps a used session from growing idle.
 */
export function createDoors({ db, bus, touch }: { db: Db; bus: Bus; touch: (hash: Buffer) => Promise<void> }): Doors {
  const remembered = new Map<string, Remembered>()
  let changes = 0
  bus.onGap(() => {
    changes += 1
    remembered.clear()
  })
  bus.onEvent((event) => {
    if (event.kind === 'session' || event.kind === 'user') changes += 1
    if (event.kind === 'session') remembered.delete(event.session)
    if (event.kind !== 'user') return
    for (const [key, { actor }] of remembered) if (actor.userId === event.user) remembered.delete(key)
  })

  const actorOf = async (token: string): Promise<Actor | undefined> => {
    if (token.length > 128) return undefined
    const sessionHash = hashOf(token)
    const key = sessionHash.toString('hex')
    const known = remembered.get(key)
    if (known && known.until > Date.now() && bus.isListening()) return known.actor
    const before = changes
    const found = await findSession(db, sessionHash)
    if (!found) return undefined
    if (found.stale) await touch(sessionHash)
    const actor = { userId: found.user_id, sessionHash }
    // A session that ended while this was found out is not to be remembered as a live one.
    if (changes !== before) return actor
    if (remembered.size >= rememberMost) remembered.clear()
    remembered.set(key, { actor, until: Date.now() + rememberMs })
    return actor
  }

  return {
    actorOf,
    isLive: async ({ sessionHash }) => (await findSession(db, sessionHash)) !== undefined,
    forget(hash) {
      changes += 1
      if (hash) remembered.delete(hash.toString('hex'))
      else remembered.clear()
    },
    async admit(shape, req) {
      if (accessOf(shape).includes('public')) return undefined
      const token = bearerOf(req)
      const actor = token === undefined ? undefined : await actorOf(token)
      if (!actor) throw signInAgain()
      return actor
    },
  }
}
