import { sql } from 'kysely'
import { accountLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../db/connect.ts'
import { confirmPasswordFirst, Fault, unauthorized } from '../faults.ts'

/**
 * For what opens an account to others and outlives the session: throws `confirm_password` unless the password was given in this
 * session within the last 10 minutes, at sign-in or later; and `forbidden` where emails reach people and the address is
 * not confirmed, since nobody would hear of it.
 */
export async function requireRecentPassword(
  db: Db,
  { userId, sessionHash }: { userId: string; sessionHash: Buffer },
  config: { mail: { kind: 'smtp' | 'outbox' } },
): Promise<void> {
  const { rows } = await sql<{ is_verified: boolean; is_recent: boolean }>`
    select email_verified_at is not null as is_verified,
      greatest(sessions.created_at, confirmed_at) > now() - make_interval(mins => ${accountLimits.passwordMinutes}) as is_recent
    from sessions join users on users.id = sessions.user_id
      left join operator_confirmations on session_hash = sessions.token_hash
    where sessions.token_hash = ${sessionHash} and users.id = ${userId}`.execute(db)
  const [session] = rows
  if (!session) throw unauthorized()
  if (config.mail.kind === 'smtp' && !session.is_verified)
    throw new Fault('forbidden', 'Please confirm your email address first. The link is in the email we sent you.')
  if (!session.is_recent) throw confirmPasswordFirst()
}

/** Stores that the password was given in this session just now; until when that counts. */
export async function storeConfirmation(db: Db, sessionHash: Buffer, minutes: number): Promise<string> {
  const { rows } = await sql<{ until: Date }>`
    insert into operator_confirmations (session_hash) values (${sessionHash})
    on conflict (session_hash) do update set confirmed_at = now()
    returning confirmed_at + make_interval(mins => ${minutes}) as until`.execute(db)
  const [confirmation] = rows
  if (!confirmation) throw new Error('the confirmation was not stored')
  return confirmation.until.toISOString()
}
