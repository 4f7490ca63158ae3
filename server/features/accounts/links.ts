import { sql } from 'kysely'
import { emailKey } from '@keepsnap/contract/emails.ts'
import { accountLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../db/connect.ts'
import type { Addresses } from '../../domain/addresses.ts'
import { hashOf, isGrant, newId } from '../../domain/ids.ts'
import { hasRoom, writeLetter } from '../../letters/write.ts'

/** What a link does: sets a new password, or confirms an address. */
export type LinkKind = 'reset' | 'verify'

/** Minutes for which a link works, from the moment in which its letter goes. */
export const minutesOf: Record<LinkKind, number> = {
  reset: accountLimits.resetMinutes,
  verify: accountLimits.verifyHours * 60,
}
/** A letter that could not leave for this long is not wanted any more; in minutes. */
const staleAfter: Record<LinkKind, number> = { reset: 120, verify: accountLimits.verifyHours * 60 }

/** A link to be sent: to whom, and for which account. */
export interface NewLink {
  kind: LinkKind
  userId: string
  email: string
  /** The address is to replace the account's own. */
  changed?: boolean
}

/**
 * Writes a link and its letter, in place of every older one of its kind. Only the hash is stored. The caller holds the
 * user's row, so that two at once take turns. False when the address got as many letters of the kind as it may.
 */
export async function sendLink(tx: Db, addresses: Addresses, link: NewLink): Promise<boolean> {
  const { kind, userId, email, changed = false } = link
  if (!(await hasRoom(tx, kind, emailKey(email)))) return false
  await tx.deleteFrom('links').where('user_id', '=', userId).where('kind', '=', kind).execute()
  const id = newId()
  await tx
    .insertInto('links')
    .values({
      id,
      kind,
      user_id: userId,
      email,
      token_hash: hashOf(addresses.accountSecret(kind, id)),
      expires_at: sql<Date>`now() + make_interval(mins => ${minutesOf[kind]})`,
    })
    .execute()
  await writeLetter(tx, { id: newId(), kind, userId, email, facts: { linkId: id, changed } })
  return true
}

/** Starts a link's time anew as its letter goes; until when it works, or undefined when it is used, replaced or stale. */
export async function startTime(tx: Db, kind: LinkKind, id: string): Promise<Date | undefined> {
  const link = await tx
    .updateTable('links')
    .set({ expires_at: sql<Date>`now() + make_interval(mins => ${minutesOf[kind]})` })
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('created_at', '>', sql<Date>`now() - make_interval(mins => ${staleAfter[kind]})`)
    .returning('expires_at')
    .executeTakeFirst()
  return link?.expires_at
}

const living = (db: Db, kind: LinkKind, token: string) =>
  db
    .selectFrom('links as l')
    .innerJoin('users as u', 'u.id', 'l.user_id')
    .select(['l.id', 'l.user_id as userId'])
    .where('l.token_hash', '=', hashOf(token))
    .where('l.kind', '=', kind)
    .where('l.used_at', 'is', null)
    .where('l.expires_at', '>', sql<Date>`now()`)
    .where('u.is_active', '=', true)

/** Whether a link works; a cheap no before anything is worked out for it. */
export const works = async (db: Db, kind: LinkKind, token: string): Promise<boolean> =>
  isGrant(token) && (await living(db, kind, token).executeTakeFirst()) !== undefined

/** Makes what changes an account take turns. Its row is locked before its links, sessions and letters, everywhere. */
export const lockAccount = (tx: Db, userId: string) =>
  tx
    .selectFrom('users')
    .select(['id', 'email', 'email_key', 'email_verified_at'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()

/**
 * Spends a link: of any number at once, one. The address that it went to and its account, locked; undefined for one that
 * is used, replaced, expired, or none.
 */
export async function spendLink(tx: Db, kind: LinkKind, token: string) {
  const found = isGrant(token) ? await living(tx, kind, token).executeTakeFirst() : undefined
  const user = found && (await lockAccount(tx, found.userId))
  if (!user) return undefined
  // Others may have had the account before: what was read without its lock is asked again.
  const spent = await tx
    .updateTable('links')
    .set({ used_at: sql<Date>`now()` })
    .where('id', 'in', living(tx, kind, token).clearSelect().select('l.id'))
    .where('used_at', 'is', null)
    .returning('email')
    .executeTakeFirst()
  return spent && { email: spent.email, user }
}

/** Voids the links of an account but for those that confirm the address which it has. */
export const voidLinks = async (tx: Db, userId: string): Promise<void> =>
  void (await tx
    .deleteFrom('links')
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

/** Forgets links that have not worked for a week. */
export const sweepLinks = async (db: Db): Promise<void> =>
  void (await db
    .deleteFrom('links')
    .where('expires_at', '<', sql<Date>`now() - interval '7 days'`)
    .execute())
