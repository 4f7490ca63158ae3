import { sql } from 'kysely'
import { isEmail, normalizeEmail } from '@keepsnap/contract/form-rules.ts'
import {
  checkResetLink,
  invalidResetTokenDetail,
  requestPasswordReset,
  resetPassword,
  resetRequested,
} from '@keepsnap/contract/security.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { ApiDependencies, Dependencies } from '../../dependencies.ts'
import { releaseHeldEmails } from '../emails/send-email.ts'
import { Fault, invalidField } from '../../faults.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import { isLinkValid, redeemLink, sendLink } from './email-links.ts'
import { checkNewPassword, refuseCommonPassword, replacePassword } from './passwords.ts'
import { isGrantOpen } from '../events/grants.ts'
import { isHelperOpen } from '../events/helpers.ts'
import { rememberBrowser } from './sessions.ts'

/**
 * Password reset with a link sent by email. Responses take the same time for known and unknown addresses, because the
 * account is looked up in a job.
 */
export function passwordResetRoutes(serve: Serve, deps: ApiDependencies): void {
  serve(requestPasswordReset, async ({ body }) => {
    const email = body.email.trim()
    if (!isEmail(email)) throw invalidField('email', 'Please enter a valid email address')
    await enqueue(deps.db, { name: 'send-password-reset', payload: { email }, key: `reset:${normalizeEmail(email)}` })
    return { detail: resetRequested }
  })

  serve(checkResetLink, async ({ body }) => {
    if (!(await isLinkValid(deps.db, 'reset', body.token))) throw invalidResetLink()
    return { detail: 'This link works. Set a new password with it.' }
  })

  serve(resetPassword, async ({ body }, call) => {
    const { db, passwords, authenticator, mediaCache } = deps
    checkNewPassword('new_password', body.new_password)
    if (!(await isLinkValid(db, 'reset', body.token))) throw invalidResetLink()
    const passwordHash = await passwords.hash(body.new_password, { client: call.client })
    const userId = await db
      .transaction()
      .execute((tx) => resetWithLink(tx, body.token, { password: body.new_password, passwordHash }))
    authenticator.invalidateUser(userId)
    mediaCache.invalidateUser(userId)
    rememberBrowser(deps, call, { id: userId, password_hash: passwordHash })
    deps.securityLog.record('password_reset', call.req, { account: userId })
    return {
      detail: 'Your password has been reset. Please sign in with your new password.',
      has_integrations: await hasIntegrations(db, userId),
    }
  })
}

const invalidResetLink = (): Fault => new Fault('bad_request', invalidResetTokenDetail)

/** Sets the password of a link's account; resolves to the user's id. The link also proves that the address works. */
async function resetWithLink(
  tx: Db,
  token: string,
  { password, passwordHash }: { password: string; passwordHash: string },
): Promise<string> {
  const link = await redeemLink(tx, 'reset', token)
  if (!link || link.user.email_key !== normalizeEmail(link.email)) throw invalidResetLink()
  const { user } = link
  await refuseCommonPassword(user, password)
  await replacePassword(tx, user, passwordHash)
  if (user.email_verified_at === null) {
    await tx
      .updateTable('users')
      .set({ email_verified_at: sql<Date>`now()` })
      .where('id', '=', user.id)
      .execute()
    await releaseHeldEmails(tx, user.id)
  }
  return user.id
}

const hasIntegrations = async (db: Db, userId: string): Promise<boolean> => {
  const { rows } = await sql<{ exist: boolean }>`
    select exists (select from api_keys where user_id = ${userId})
      or exists (select from webhooks where user_id = ${userId})
      or exists (select from event_grants join events on events.id = event_id
        where user_id = ${userId} and ${isGrantOpen})
      or exists (select from helpers join events on events.id = event_id
        where user_id = ${userId} and ${isHelperOpen}) as exist`.execute(db)
  return rows[0]?.exist ?? false
}

/** The job that queues the email with the link, if the address belongs to an active account. */
export async function sendPasswordReset({ db, tokens }: Dependencies, email: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const user = await tx
      .selectFrom('users')
      .select(['id', 'email', 'is_active'])
      .where('email_key', '=', normalizeEmail(email))
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (user?.is_active) await sendLink(tx, tokens, { kind: 'reset', userId: user.id, email: user.email })
  })
}
