import { sql } from 'kysely'
import { isEmail, normalizeEmail } from '@keepsnap/contract/form-rules.ts'
import { invalidVerifyTokenDetail, verifyEmail, changeEmail, sendVerification } from '@keepsnap/contract/security.ts'
import { accountLimits } from '@keepsnap/contract/limits.ts'
import { getTestEmail, sendTestEmail, type TestEmail } from '@keepsnap/contract/guests.ts'
import { type Db, isViolation } from '../../platform/db/connect.ts'
import type { ApiDependencies, Dependencies } from '../../dependencies.ts'
import { releaseHeldEmails } from '../emails/send-email.ts'
import { queueEmail } from '../emails/queue-email.ts'
import { Fault, invalidField, unauthorized } from '../../faults.ts'
import type { SessionActor } from '../../platform/http/authenticator.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { newId } from '../../lib/ids.ts'
import { publish } from '../../platform/live/bus.ts'
import { deleteObsoleteLinks, lockAccount, redeemLink, sendLink } from './email-links.ts'
import { reauthenticate, resetAllPasswordAttempts } from './passwords.ts'
import { emailTaken, isEmailTaken } from './users.ts'

/** Confirming and changing the email address of an account. */
export function emailVerificationRoutes(serve: Serve, deps: ApiDependencies): void {
  serve(verifyEmail, async ({ body }) => {
    try {
      const email = await deps.db.transaction().execute((tx) => confirmWithLink(tx, body.token))
      return { detail: 'Your email address is confirmed.', email }
    } catch (error) {
      // Somebody else has registered the address meanwhile.
      throw isViolation(error, 'unique') ? emailTaken() : error
    }
  })
  serve(sendVerification, async (_, { actor }) => {
    await resendVerification(deps, actor.userId)
    return { detail: "We've sent you an email. Please check your inbox." }
  })
  serve(changeEmail, async ({ body }, { actor, client }) => {
    await requestEmailChange(deps, { actor, client, email: body.email.trim(), password: body.password })
    return {
      detail: "We've sent an email to your new address. Your current address stays until you open the link in it.",
    }
  })
}

/** Shows only the first letter and the domain of an address, to readers who know the rest. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, 1)}…${email.slice(at)}`
}

const tooManyEmails = (): Fault =>
  new Fault('rate_limited', 'Several emails have already been sent to this address. Please try again in an hour.', 3600)

/** Confirms the address of a link, or makes it the account's address. Resolves with the address. */
async function confirmWithLink(tx: Db, token: string): Promise<string> {
  const link = await redeemLink(tx, 'verify', token)
  if (!link) throw new Fault('bad_request', invalidVerifyTokenDetail)
  const { user, email } = link
  const newEmailKey = normalizeEmail(email)
  const isNewAddress = newEmailKey !== user.email_key
  await tx
    .updateTable('users')
    .set({ email_verified_at: sql<Date>`now()`, ...(isNewAddress && { email, email_key: newEmailKey }) })
    .where('id', '=', user.id)
    .execute()
  if (isNewAddress) {
    await deleteObsoleteLinks(tx, user.id)
    await resetAllPasswordAttempts(tx, user.email_key)
    const payload = { at: new Date().toISOString(), newEmail: maskEmail(email) }
    await queueEmail(tx, { id: newId(), kind: 'email-changed', userId: user.id, recipient: user.email, payload })
  }
  await releaseHeldEmails(tx, user.id)
  await publish(tx, { kind: 'user', user: user.id })
  return email
}

async function resendVerification({ db, tokens }: Dependencies, userId: string): Promise<void> {
  const resendOutcome = await db.transaction().execute(async (tx) => {
    const user = await lockAccount(tx, userId)
    if (!user || user.email_verified_at !== null) return 'confirmed'
    const isLinkSent = await sendLink(tx, tokens, { kind: 'verify', userId, email: user.email })
    return isLinkSent ? 'sent' : 'too many'
  })
  if (resendOutcome === 'confirmed') throw new Fault('conflict', 'Your email address is already confirmed.')
  if (resendOutcome === 'too many') throw tooManyEmails()
}

/** Sends a link to a new address. The current address stays until the link is opened. */
async function requestEmailChange(
  deps: ApiDependencies,
  { actor, client, email, password }: { actor: SessionActor; client: string; email: string; password: string },
): Promise<void> {
  if (!isEmail(email)) throw invalidField('email', 'Please enter a valid email address')
  const { userId } = actor
  const user = await reauthenticate(deps, { actor, client }, password)
  if (normalizeEmail(email) === user.email_key) throw invalidField('email', 'This is already your address')
  if (await isEmailTaken(deps.db, email)) throw emailTaken()
  const isLinkSent = await deps.db.transaction().execute(async (tx) => {
    const lockedAccount = await lockAccount(tx, userId)
    return lockedAccount !== undefined && sendLink(tx, deps.tokens, { kind: 'verify', userId, email, changed: true })
  })
  if (!isLinkSent) throw tooManyEmails()
}

const tooManyTestEmails = (): Fault =>
  new Fault('rate_limited', 'Several test emails have been sent already. Please try again in an hour.', 3600)

/** Sends a test email to the user's own address, and reads its state. */
export function testEmailRoutes(serve: Serve, { db, mail }: Dependencies): void {
  const current = async (userId: string): Promise<TestEmail> => ({
    ...(await lastTestEmail(db, userId)),
    mail: mail.kind,
  })

  serve(getTestEmail, (_, { actor }) => current(actor.userId))
  serve(sendTestEmail, async (_, { actor: { userId } }) => {
    const isQueued = await db.transaction().execute(async (tx) => {
      const user = await lockAccount(tx, userId)
      if (!user) throw unauthorized()
      if (!(await isUnderLimit(tx, userId))) return false
      const payload = { at: new Date().toISOString() }
      await queueEmail(tx, { id: newId(), kind: 'test', userId, recipient: user.email, payload })
      return true
    })
    if (!isQueued) throw tooManyTestEmails()
    return current(userId)
  })
}

/** The limits are those of emails with links. The caller has locked the account. */
async function isUnderLimit(tx: Db, userId: string): Promise<boolean> {
  const { rows } = await sql<{ hour: number; day: number }>`
    select count(*) filter (where created_at > now() - interval '1 hour') as hour, count(*) as day from emails
    where user_id = ${userId} and kind = 'test' and created_at > now() - interval '1 day'`.execute(tx)
  const [{ hour, day } = { hour: 0, day: 0 }] = rows
  return hour < accountLimits.linksPerHour && day < accountLimits.linksPerDay
}

async function lastTestEmail(db: Db, userId: string): Promise<Omit<TestEmail, 'mail'>> {
  const email = await db
    .selectFrom('emails')
    .select(['state', 'created_at', 'sent_at', 'failure'])
    .where('user_id', '=', userId)
    .where('kind', '=', 'test')
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
  if (!email) return { state: 'none', asked_at: null, sent_at: null, reason: null }
  const { state, created_at, sent_at, failure } = email
  return {
    // The column is text; the program writes these three states only.
    state: state === 'sent' || state === 'failed' ? state : 'queued',
    asked_at: created_at.toISOString(),
    sent_at: sent_at?.toISOString() ?? null,
    reason: state === 'sent' ? null : failure,
  }
}
