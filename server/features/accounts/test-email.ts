import { sql } from 'kysely'
import { accountLimits } from '@keepsnap/contract/limits.ts'
import { getTestEmail, sendTestEmail, type TestEmail } from '@keepsnap/contract/readiness.ts'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { queueEmail } from '../../emails/queue-email.ts'
import { Fault, unauthorized } from '../../faults.ts'
import type { Serve } from '../../http/serve.ts'
import { newId } from '../../lib/ids.ts'
import { lockAccount } from './email-links.ts'

const tooManyEmails = (): Fault =>
  new Fault('rate_limited', 'Several test emails have been sent already. Please try again in an hour.', 3600)

/** Sends a test email to the user's own address, and reads its state. */
export function testEmailRoutes(serve: Serve, { db, mail }: Pick<Dependencies, 'db' | 'mail'>): void {
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
    if (!isQueued) throw tooManyEmails()
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
