import { sql } from 'kysely'
import { emailKey, isEmail } from '@keepsnap/contract/emails.ts'
import { badResetToken, requestPasswordReset, resetPassword, resetRequested } from '@keepsnap/contract/security.ts'
import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps.ts'
import { newId } from '../../domain/ids.ts'
import { Fault, invalid } from '../../faults.ts'
import type { Doors } from '../../http/access.ts'
import type { Serve } from '../../http/serve.ts'
import { enqueue } from '../../jobs/queue.ts'
import { releaseHeld } from '../../letters/queries.ts'
import { writeLetter } from '../../letters/write.ts'
import { endAllSessions } from './ending.ts'
import { sendLink, spendLink, voidLinks, works } from './links.ts'
import { checkNewPassword } from './new-password.ts'
import type { Passwords } from './passwords.ts'
import { forgetClients, forgiveAccount } from './queries.ts'

/** Writes the letter with the link, if the address has an account that may sign in and got not too many of them. */
export async function sendReset({ db, addresses }: Pick<Deps, 'db' | 'addresses'>, email: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const user = await tx
      .selectFrom('users')
      .select(['id', 'email', 'is_active'])
      .where('email_key', '=', emailKey(email))
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (user?.is_active) await sendLink(tx, addresses, { kind: 'reset', userId: user.id, email: user.email })
  })
}

/** What changes with a password, whoever changed it: sessions, addresses and open links end, known clients are forgotten, and a letter says so. */
export async function replacePassword(
  tx: Db,
  user: { id: string; email: string; email_key: string },
  passwordHash: string,
): Promise<void> {
  await tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', user.id).execute()
  await endAllSessions(tx, user.id)
  await voidLinks(tx, user.id)
  await forgiveAccount(tx, user.email_key)
  await forgetClients(tx, user.id)
  const facts = { at: new Date().toISOString() }
  await writeLetter(tx, { id: newId(), kind: 'password-changed', userId: user.id, email: user.email, facts })
}

const badToken = (): Fault => new Fault('bad_request', badResetToken)

/** Sets the password of the account that a link belongs to. Whoever got its letter has the address as well. */
async function useLink(tx: Db, token: string, passwordHash: string): Promise<void> {
  const link = await spendLink(tx, 'reset', token)
  if (!link || link.user.email_key !== emailKey(link.email)) throw badToken()
  const { user } = link
  await replacePassword(tx, user, passwordHash)
  if (user.email_verified_at !== null) return
  await tx
    .updateTable('users')
    .set({ email_verified_at: sql<Date>`now()` })
    .where('id', '=', user.id)
    .execute()
  await releaseHeld(tx, user.id)
}

/** A new password by a letter's link. Asking takes as long for unknown addresses as for known ones: a job does the rest. */
export function passwordReset(
  serve: Serve,
  { db, media, passwords, doors }: Pick<Deps, 'db' | 'media'> & { passwords: Passwords; doors: Doors },
): void {
  serve(requestPasswordReset, async ({ body }) => {
    const email = body.email.trim()
    if (!isEmail(email)) throw invalid('email', 'Please enter a valid email address')
    await enqueue(db, { name: 'send-reset', payload: { email }, key: `reset:${emailKey(email)}` })
    return { detail: resetRequested }
  })

  serve(resetPassword, async ({ body }) => {
    checkNewPassword('new_password', body.new_password)
    if (!(await works(db, 'reset', body.token))) throw badToken()
    const passwordHash = await passwords.hash(body.new_password)
    await db.transaction().execute((tx) => useLink(tx, body.token, passwordHash))
    doors.forget()
    media.forgetAll()
    return { detail: 'Your password has been reset. Please sign in with your new password.' }
  })
}
