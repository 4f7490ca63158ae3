import { sql } from 'kysely'
import { reportEmailLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../db/connect.ts'
import { queueEmail } from '../../emails/queue-email.ts'
import { Fault } from '../../faults.ts'
import { newId } from '../../lib/ids.ts'
import { isCountedForUnconfirmedAddress, recipientKeysOf } from './report-email-queries.ts'
import { recordDecision } from './report-queries.ts'

/** A 403: the owner cannot show what an operator has hidden. */
export const hiddenByOperator = (): Fault =>
  new Fault(
    'forbidden',
    'This photo was hidden from guests by the operator of this site. Please write to support if you think that this is a mistake.',
  )

/**
 * Throws 403 when an operator has hidden this photo. The transaction holds the lock of its owner, like every
 * transaction with a decision of an operator. Does nothing for the photo of another owner, which the caller answers as
 * not found.
 */
export async function refuseIfOperatorHid(
  tx: Db,
  { userId, photoId }: { userId: string; photoId: string },
): Promise<void> {
  const photo = await tx
    .selectFrom('photos')
    .select('operator_decision')
    .where('id', '=', photoId)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (photo?.operator_decision === 'hide') throw hiddenByOperator()
}

/** What an operator decides about the photo of an owner. */
export interface OperatorDecision {
  userId: string
  photoId: string
  decision: 'hide' | 'show'
  /** As entered by the operator. */
  message: string | undefined
}

/** A text without letters or digits counts as no message. */
const messageOf = (text = ''): string | null => (/[\p{L}\p{N}]/u.test(text) ? text.trim() : null)

/**
 * Hides a reported photo from guests, or shows it again, unless its owner had hidden it before; and queues the email
 * about it. Hiding what an operator has hidden already changes nothing. False when the photo is deleted. The
 * transaction holds the lock of the owner's reports.
 */
export async function recordOperatorDecision(
  tx: Db,
  { userId, photoId, decision, message }: OperatorDecision,
): Promise<boolean> {
  const { rows } = await sql<{ operatorHid: boolean; ownerHid: boolean }>`
    select operator_decision is not distinct from 'hide' as "operatorHid", hidden_at < operator_decided_at as "ownerHid"
    from photos where id = ${photoId} and user_id = ${userId} and deleted_at is null for update`.execute(tx)
  const [photo] = rows
  if (!photo) return false
  if (decision === 'show' && !photo.operatorHid)
    throw new Fault('conflict', 'No operator has hidden this photo. Its owner decides whether guests can open it.')
  if (decision === 'hide' && photo.operatorHid) return true
  const staysHidden = decision === 'show' && photo.ownerHid
  if (!staysHidden) await recordDecision(tx, { userId, photoId, decision: decision === 'hide' ? 'hide' : 'keep' })
  await sql`
    update photos set operator_decision = ${decision}, operator_decided_at = now(), operator_message = ${messageOf(message)}
    where id = ${photoId}`.execute(tx)
  await queueDecisionEmail(tx, { userId, photoId, decision })
  return true
}

/**
 * Queues one email for each decision. An unconfirmed address, which may be that of a stranger, gets only a few a day,
 * together with emails about reports. The owner's page shows the decision in any case.
 */
async function queueDecisionEmail(
  tx: Db,
  { userId, photoId, decision }: Pick<OperatorDecision, 'userId' | 'photoId' | 'decision'>,
): Promise<void> {
  const { rows } = await sql<{ email: string; at: string }>`
    select email, (select to_jsonb(operator_decided_at) #>> '{}' from photos where id = ${photoId}) as at
    from users where id = ${userId} and is_active and (email_verified_at is not null or (
      select count(*) from emails where recipient_key = any(${await recipientKeysOf(tx, userId)})
        and ${isCountedForUnconfirmedAddress} and greatest(created_at, due_at) > now() - interval '1 day') < ${reportEmailLimits.unverifiedEmailsPerDay})`.execute(
    tx,
  )
  const [owner] = rows
  if (!owner) return
  const kind = decision === 'hide' ? 'photo-hidden' : 'photo-shown'
  await queueEmail(tx, { id: newId(), kind, userId, photoId, recipient: owner.email, payload: { at: owner.at } })
}
