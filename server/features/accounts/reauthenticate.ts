import type { Db } from '../../db/connect.ts'
import { recordAction } from '../../domain/audit-log.ts'
import { Fault, unauthorized } from '../../faults.ts'
import type { SessionActor } from '../../http/actor.ts'
import { countPasswordAttempt, resetPasswordAttempts } from './password-attempts.ts'
import type { Passwords } from './passwords.ts'

/** A signed-in user who has just entered the password again. */
export interface ReauthenticatedUser {
  id: string
  email: string
  email_key: string
  password_hash: string
  is_admin: boolean
}

/**
 * Asks a signed-in user for the password again, with the growing delay of sign-in: a stolen session is not enough to take
 * over or delete an account. Throws `forbidden`, because `unauthorized` would sign the page out. Refusals of an operator are recorded in
 * the audit log, whatever the password was asked for: it allows actions in any case.
 */
export async function reauthenticate(
  { db, passwords }: { db: Db; passwords: Passwords },
  { actor: { userId, sessionHash }, client }: { actor: SessionActor; client: string },
  password: string,
): Promise<ReauthenticatedUser> {
  const user = await db
    .selectFrom('users')
    .select(['id', 'email', 'email_key', 'password_hash', 'is_admin'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!user) throw unauthorized()
  try {
    const attemptCounter = await countPasswordAttempt(db, user.email, { client, session: sessionHash })
    if (!(await passwords.matches(user.password_hash, password, { account: userId })))
      throw new Fault('forbidden', 'This is not your current password.')
    await resetPasswordAttempts(db, attemptCounter)
  } catch (error) {
    if (error instanceof Fault && user.is_admin) await recordRefusal(db, user, error)
    throw error
  }
  return user
}

async function recordRefusal(db: Db, { id, email }: ReauthenticatedUser, refusal: Fault): Promise<void> {
  const by = { kind: 'operator', id, name: email } as const
  await recordAction(db, { by, action: 'enter password', outcome: { refused: refusal.message } })
}
