import { sql } from 'kysely'
import { accountLimits, retention } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Tokens } from './tokens.ts'
import { isUnderLinkLimit, queueEmail } from '../emails/queue-email.ts'
import { mailboxKey } from '../../lib/email-address.ts'
import { hashOf, isSecret, newId } from '../../lib/ids.ts'

/** What a link does: sets a new password, or confirms an email address. */
export type LinkKind = 'reset' | 'verify'

/** How long a link works after its email was sent. */
const linkLifetimeMinutes: Record<LinkKind, number> = {
  reset: accountLimits.resetMinutes,
  verify: accountLimits.verifyHours * 60,
}
/** An email that could not be sent for this long is no longer sent. */
const maxLinkDelayMinutes: Record<LinkKind, number> = { reset: 120, verify: accountLimits.verifyHours * 60 }

export interface NewLink {
  kind: LinkKind
  userId: string
  /** The recipient. */
  email: string
  /** The address is to replace the account's current one. */
  changed?: boolean
}

/**
 * Creates a link and queues its email; replaces every older link of its kind. Only the hash of the token is stored. The
 * caller has locked the user's row. False when the address has reached its limit of such emails.
 */
export async function sendLink(tx: Db, tokens: Tokens, link: NewLink): Promise<boolean> {
  const { kind, userId, email, changed = false } = link
  if (!(await isUnderLinkLimit(tx, kind, email))) return false
  await tx.deleteFrom('email_links').where('user_id', '=', userId).where('kind', '=', kind).execute()
  const id = newId()
  await tx
    .insertInto('email_links')
    .values({
      id,
      kind,
      user_id: userId,
      email,
      token_hash: hashOf(tokens.account(kind, id)),
      expires_at: sql<Date>`now() + make_interval(mins => ${linkLifetimeMinutes[kind]})`,
    })
    .execute()
  const payload = { linkId: id, changed }
  await queueEmail(tx, { id: newId(), kind, userId, recipient: email, recipientKey: mailboxKey(email), payload })
  return true
}

/** Starts a link's lifetime when its email is sent. Undefined when the link was used, replaced or is too old. */
export const startLinkLifetime = (tx: Db, kind: LinkKind, id: string) =>
  tx
    .updateTable('email_links')
    .set({ expires_at: sql<Date>`now() + make_interval(mins => ${linkLifetimeMinutes[kind]})` })
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('created_at', '>', sql<Date>`now() - make_interval(mins => ${maxLinkDelayMinutes[kind]})`)
    .returning(['expires_at as expiresAt', 'token_hash as tokenHash'])
    .executeTakeFirst()

const validLink = (db: Db, kind: LinkKind, token: string) =>
  db
    .selectFrom('email_links')
    .innerJoin('users', 'users.id', 'email_links.user_id')
    .select(['email_links.id', 'email_links.user_id as userId'])
    .where('email_links.token_hash', '=', hashOf(token))
    .where('email_links.kind', '=', kind)
    .where('email_links.used_at', 'is', null)
    .where('email_links.expires_at', '>', sql<Date>`now()`)
    .where('users.is_active', '=', true)

/** Whether a link works; a cheap check before a password is hashed for it. */
export const isLinkValid = async (db: Db, kind: LinkKind, token: string): Promise<boolean> =>
  isSecret(token) && (await validLink(db, kind, token).executeTakeFirst()) !== undefined

/** Locks an account. Everybody locks its row before its links, sessions and emails, which prevents deadlocks. */
export const lockAccount = (tx: Db, userId: string) =>
  tx
    .selectFrom('users')
    .select(['id', 'email', 'email_key', 'email_verified_at', 'is_admin'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()

/**
 * Uses a link; of concurrent uses, one succeeds. The address that the link was sent to, and its account, locked; undefined
 * for a link that is used, replaced, expired or unknown.
 */
export async function redeemLink(tx: Db, kind: LinkKind, token: string) {
  const foundLink = isSecret(token) ? await validLink(tx, kind, token).executeTakeFirst() : undefined
  const user = foundLink && (await lockAccount(tx, foundLink.userId))
  if (!user) return undefined
  // Check again: the link may have changed before the account was locked.
  const usedLink = await tx
    .updateTable('email_links')
    .set({ used_at: sql<Date>`now()` })
    .where('id', 'in', validLink(tx, kind, token).clearSelect().select('email_links.id'))
    .where('used_at', 'is', null)
    .returning('email')
    .executeTakeFirst()
  return usedLink && { email: usedLink.email, user }
}

/** Deletes the links of an account, except those that confirm its current address. */
export const deleteObsoleteLinks = async (tx: Db, userId: string): Promise<void> =>
  void (await tx
    .deleteFrom('email_links')
    .where('user_id', '=', userId)
    .where(({ eb, not, and, selectFrom }) =>
      not(
        and([
          eb('kind', '=', 'verify'),
          eb(sql`lower(email)`, '=', selectFrom('users').select('email_key').where('id', '=', userId)),
        ]),
      ),
    )
    .execute())

/** Deletes links that expired a week ago. */
export const deleteOldLinks = async (db: Db): Promise<void> =>
  void (await db
    .deleteFrom('email_links')
    .where('expires_at', '<', sql<Date>`now() - make_interval(days => ${retention.expiredLinkDays})`)
    .execute())
