import { sql } from 'kysely'
import { accountLimits, limits } from '@keepsnap/contract/limits.ts'
import {
  changePassword,
  confirmPassword,
  endOneSession,
  endSessions,
  listSessions,
  type SessionDetails,
} from '@keepsnap/contract/security.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import {
  checkNewPassword,
  type Passwords,
  reauthenticate,
  refuseCommonPassword,
  replacePassword,
  revokeAllSessions,
  storeConfirmation,
} from './passwords.ts'
import { Fault, unauthorized } from '../../faults.ts'
import type { Authenticator, SessionActor } from '../../platform/http/authenticator.ts'
import type { Call, Serve } from '../../platform/http/serve.ts'
import { hashOf, newSecret } from '../../lib/ids.ts'
import { publish } from '../../platform/live/bus.ts'
import { addSession } from './users.ts'
import { rememberBrowser } from './sign-in.ts'

type SessionDependencies = Pick<Dependencies, 'config' | 'db' | 'mediaCache' | 'tokens'> & {
  passwords: Passwords
  authenticator: Authenticator
}

/** Listing and ending a user's sessions, and changing the password. */
export function sessions(serve: Serve, deps: SessionDependencies): void {
  serve(listSessions, async (_, { actor }) => ({
    sessions: await listSessionsOf(deps.db, actor),
    ...(await passwordTimesOf(deps.db, actor.userId)),
  }))
  serve(endSessions, async (_, { actor: { userId } }) => {
    await deps.db.transaction().execute((tx) => revokeAllSessions(tx, userId))
    invalidateUser(deps, userId)
    return null
  })
  serve(endOneSession, async ({ params }, { actor }) => {
    deps.authenticator.invalidateSession(await endSession(deps.db, actor.userId, params.id))
    return null
  })
  serve(confirmPassword, async ({ body }, { actor, client }) => {
    await reauthenticate(deps, { actor, client }, body.password)
    return { confirmed_until: await storeConfirmation(deps.db, actor.sessionHash, accountLimits.passwordMinutes) }
  })
  serve(changePassword, async ({ body }, call) => {
    checkNewPassword('new_password', body.new_password)
    return setNewPassword(deps, { currentPassword: body.current_password, newPassword: body.new_password }, call)
  })
}

function invalidateUser({ authenticator, mediaCache }: SessionDependencies, userId: string): void {
  authenticator.invalidateUser(userId)
  mediaCache.invalidateUser(userId)
}

async function listSessionsOf(db: Db, { userId, sessionHash }: SessionActor): Promise<SessionDetails[]> {
  const sessionRows = await db
    .selectFrom('sessions')
    .select(['id', 'token_hash', 'user_agent', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .where('last_used_at', '>', sql<Date>`now() - make_interval(days => ${limits.sessionIdleDays})`)
    .where('created_at', '>', sql<Date>`now() - make_interval(days => ${limits.sessionMaxDays})`)
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .limit(accountLimits.sessionsMax)
    .execute()
  return sessionRows.map((session) => ({
    id: session.id,
    user_agent: session.user_agent,
    created_at: session.created_at.toISOString(),
    last_used_at: session.last_used_at.toISOString(),
    current: session.token_hash.equals(sessionHash),
  }))
}

/** When the password was set and when the one before it; at registration if it was not changed. */
async function passwordTimesOf(
  db: Db,
  userId: string,
): Promise<{ password_set_at: string; previous_password_set_at: string }> {
  const user = await db
    .selectFrom('users')
    .select(['created_at', 'password_changed_at', 'password_changed_before'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!user) throw unauthorized()
  return {
    password_set_at: (user.password_changed_at ?? user.created_at).toISOString(),
    previous_password_set_at: (user.password_changed_before ?? user.created_at).toISOString(),
  }
}

/** Ends one of a user's sessions; the hash of its token. */
async function endSession(db: Db, userId: string, id: string): Promise<Buffer> {
  const endedSession = await db.transaction().execute(async (tx) => {
    const session = await tx
      .deleteFrom('sessions')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returning('token_hash')
      .executeTakeFirst()
    if (session) await publish(tx, { kind: 'session', session: session.token_hash.toString('hex') })
    return session
  })
  if (!endedSession) throw new Fault('not_found', 'This session does not exist.')
  return endedSession.token_hash
}

/** Sets a new password, which revokes all sessions, and opens a new one for the caller. */
async function setNewPassword(
  deps: SessionDependencies,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  call: Call<typeof changePassword>,
): Promise<{ access_token: string; token_type: 'bearer' }> {
  const { actor, client, req } = call
  const user = await reauthenticate(deps, { actor, client }, currentPassword)
  await refuseCommonPassword(user, newPassword)
  const passwordHash = await deps.passwords.hash(newPassword, { account: user.id })
  const sessionToken = newSecret()
  await deps.db.transaction().execute(async (tx) => {
    const lockedUser = await tx
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', user.id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (lockedUser?.password_hash !== user.password_hash)
      throw new Fault('conflict', 'Your password was just changed on another device. Please sign in again.')
    await replacePassword(tx, user, passwordHash)
    await addSession(tx, { tokenHash: hashOf(sessionToken), userId: user.id, userAgent: req.headers['user-agent'] })
  })
  invalidateUser(deps, user.id)
  rememberBrowser(deps, call, { id: user.id, password_hash: passwordHash })
  return { access_token: sessionToken, token_type: 'bearer' }
}
