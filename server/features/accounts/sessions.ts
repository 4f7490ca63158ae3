import { sql } from 'kysely'
import { accountLimits, limits } from '@keepsnap/contract/limits.ts'
import { changePassword, endOneSession, endSessions, listSessions } from '@keepsnap/contract/security.ts'
import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps.ts'
import { hashOf, newSecret } from '../../domain/ids.ts'
import { Fault } from '../../faults.ts'
import type { Doors } from '../../http/access.ts'
import type { Serve } from '../../http/serve.ts'
import { publish } from '../../live/bus.ts'
import { endAllSessions } from './ending.ts'
import { checkNewPassword } from './new-password.ts'
import { askPassword } from './own-password.ts'
import type { Passwords } from './passwords.ts'
import { addSession } from './queries.ts'
import { replacePassword } from './reset.ts'

const sessionsOf = (db: Db, userId: string) =>
  db
    .selectFrom('sessions')
    .select(['id', 'token_hash', 'user_agent', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .where('last_used_at', '>', sql<Date>`now() - make_interval(days => ${limits.sessionIdleDays})`)
    .where('created_at', '>', sql<Date>`now() - make_interval(days => ${limits.sessionMaxDays})`)
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .limit(accountLimits.sessionsMax)
    .execute()

/** Which of these sessions, by their hashes in hexadecimal, still open something. */
export async function livingSessions(db: Db, hashes: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ hash: string }>`
    select encode(s.token_hash, 'hex') as hash from sessions s join users u on u.id = s.user_id
    where s.token_hash in (select decode(hash, 'hex') from unnest(${hashes}::text[]) as hash) and u.is_active`.execute(
    db,
  )
  return new Set(rows.map(({ hash }) => hash))
}

/** Where a user is signed in, signing out of it, and changing the password. */
export function sessions(
  serve: Serve,
  { db, media, passwords, doors }: Pick<Deps, 'db' | 'media'> & { passwords: Passwords; doors: Doors },
): void {
  serve(listSessions, async (_, { actor }) => {
    const open = await sessionsOf(db, actor.userId)
    return {
      sessions: open.map((session) => ({
        id: session.id,
        user_agent: session.user_agent,
        created_at: session.created_at.toISOString(),
        last_used_at: session.last_used_at.toISOString(),
        current: session.token_hash.equals(actor.sessionHash),
      })),
    }
  })

  serve(endSessions, async (_, { actor }) => {
    await db.transaction().execute((tx) => endAllSessions(tx, actor.userId))
    doors.forget()
    media.forgetAll()
    return null
  })

  serve(endOneSession, async ({ params }, { actor }) => {
    const ended = await db.transaction().execute(async (tx) => {
      const session = await tx
        .deleteFrom('sessions')
        .where('id', '=', params.id)
        .where('user_id', '=', actor.userId)
        .returning('token_hash')
        .executeTakeFirst()
      if (session) await publish(tx, { kind: 'session', session: session.token_hash.toString('hex') })
      return session
    })
    if (!ended) throw new Fault('not_found', 'There is no such session.')
    doors.forget(ended.token_hash)
    return null
  })

  serve(changePassword, async ({ body }, { actor, client, req }) => {
    checkNewPassword('new_password', body.new_password)
    const user = await askPassword({ db, passwords }, { userId: actor.userId, client }, body.current_password)
    const passwordHash = await passwords.hash(body.new_password)
    const token = newSecret()
    await db.transaction().execute(async (tx) => {
      const now = await tx
        .selectFrom('users')
        .select('password_hash')
        .where('id', '=', user.id)
        .forNoKeyUpdate()
        .executeTakeFirst()
      if (now?.password_hash !== user.password_hash)
        throw new Fault('conflict', 'Your password was changed at this moment from elsewhere. Please sign in again.')
      await replacePassword(tx, user, passwordHash)
      await addSession(tx, { tokenHash: hashOf(token), userId: user.id, userAgent: req.headers['user-agent'] })
    })
    doors.forget()
    media.forgetAll()
    return { access_token: token, token_type: 'bearer' as const }
  })
}
