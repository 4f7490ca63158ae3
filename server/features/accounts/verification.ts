import { sql } from 'kysely'
import { emailKey, isEmail } from '@keepsnap/contract/emails.ts'
import { badVerifyToken, changeEmail, sendVerification, verifyEmail } from '@keepsnap/contract/security.ts'
import { isViolation, type Db } from '../../db/connect.ts'
import type { Deps } from '../../deps.ts'
import { newId } from '../../domain/ids.ts'
import { Fault, invalid } from '../../faults.ts'
import type { Serve } from '../../http/serve.ts'
import { publish } from '../../live/bus.ts'
import { releaseHeld } from '../../letters/queries.ts'
import { writeLetter } from '../../letters/write.ts'
import { lockAccount, sendLink, spendLink, voidLinks } from './links.ts'
import { askPassword } from './own-password.ts'
import type { Passwords } from './passwords.ts'
import { forgiveAccount, isTaken, taken } from './queries.ts'

/** An address of which the reader knows the rest: its first letter and its domain. */
export function masked(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, 1)}…${email.slice(at)}`
}

const tooMany = (): Fault =>
  new Fault('rate_limited', 'Several letters went to this address already. Please try again in an hour.', 3600)

/** Confirms the address of a link, or makes it the account's; resolves with it. */
async function confirm(tx: Db, token: string): Promise<string> {
  const link = await spendLink(tx, 'verify', token)
  if (!link) throw new Fault('bad_request', badVerifyToken)
  const { user, email } = link
  const key = emailKey(email)
  const isOther = key !== user.email_key
  await tx
    .updateTable('users')
    .set({ email_verified_at: sql<Date>`now()`, ...(isOther && { email, email_key: key }) })
    .where('id', '=', user.id)
    .execute()
  if (isOther) {
    await voidLinks(tx, user.id)
    await forgiveAccount(tx, user.email_key)
    const facts = { at: new Date().toISOString(), newEmail: masked(email) }
    await writeLetter(tx, { id: newId(), kind: 'email-changed', userId: user.id, email: user.email, facts })
  }
  await releaseHeld(tx, user.id)
  await publish(tx, { kind: 'user', user: user.id })
  return email
}

/** Confirming addresses, and changing them; product.md section 8. */
export function verification(
  serve: Serve,
  { db, addresses, passwords }: Pick<Deps, 'db' | 'addresses'> & { passwords: Passwords },
): void {
  serve(verifyEmail, async ({ body }) => {
    try {
      const email = await db.transaction().execute((tx) => confirm(tx, body.token))
      return { detail: 'Your e-mail address is confirmed.', email }
    } catch (error) {
      // Somebody else registered the address meanwhile.
      throw isViolation(error, 'unique') ? taken() : error
    }
  })

  serve(sendVerification, async (_, { actor }) => {
    const outcome = await db.transaction().execute(async (tx) => {
      const user = await lockAccount(tx, actor.userId)
      if (!user || user.email_verified_at !== null) return 'confirmed'
      const isSent = await sendLink(tx, addresses, { kind: 'verify', userId: user.id, email: user.email })
      return isSent ? 'sent' : 'too many'
    })
    if (outcome === 'confirmed') throw new Fault('conflict', 'Your e-mail address is confirmed already.')
    if (outcome === 'too many') throw tooMany()
    return { detail: 'The letter is on its way. Please look into your inbox.' }
  })

  serve(changeEmail, async ({ body }, { actor, client }) => {
    const email = body.email.trim()
    if (!isEmail(email)) throw invalid('email', 'Please enter a valid email address')
    const user = await askPassword({ db, passwords }, { userId: actor.userId, client }, body.password)
    if (emailKey(email) === user.email_key) throw invalid('email', 'This is your address already')
    if (await isTaken(db, email)) throw taken()
    const isSent = await db.transaction().execute(async (tx) => {
      const now = await lockAccount(tx, user.id)
      return now !== undefined && sendLink(tx, addresses, { kind: 'verify', userId: user.id, email, changed: true })
    })
    if (!isSent) throw tooMany()
    return { detail: 'Please open the link in the letter to your new address. Until then your old address stays.' }
  })
}
