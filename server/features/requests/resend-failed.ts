import { sql } from 'kysely'
import type { Reply } from '@keepsnap/contract/endpoint.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import type { resendFailedRequests } from '@keepsnap/contract/requests.ts'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { findDueTime, resendEmail } from '../../emails/queue-email.ts'
import { mailboxKey, mailboxKeys } from '../../lib/email-address.ts'
import { publish } from '../../live/bus.ts'
import { blockedMailboxesOf } from './blocked-mailboxes.ts'
import { canRetryPhoto } from './queries.ts'

interface FailedRequest {
  id: string
  email_id: string
  photo_id: string
  email: string
  /** Whether its email would fail again because of its photo. */
  is_withheld: boolean
}
type Resent = Reply<typeof resendFailedRequests>

/** Requests whose locks one transaction holds: guests with the same address wait for it. */
const batchSize = 50
/** A call ends after this time, before proxies give up. */
const maxCallMs = 20_000
/** More than this after now, an email is delayed by a limit. */
const delayedMs = 5_000

/** The oldest failed requests of an owner. */
const failedRequestsOf = async (db: Db, userId: string): Promise<FailedRequest[]> =>
  (
    await sql<FailedRequest>`
    select photo_requests.id, email_id, photo_requests.photo_id, requester_email as email,
      photos.hidden_at is not null or (photos.state = 'failed' and not ${canRetryPhoto}) as is_withheld
    from photo_requests
      join emails on emails.id = email_id and emails.user_id = photo_requests.user_id
      join photos on photos.id = photo_requests.photo_id
    where photo_requests.user_id = ${userId} and emails.state = 'failed' and photos.deleted_at is null
    order by requested_at, photo_requests.id`.execute(db)
  ).rows

/**
 * Queues the failed emails of an owner again, as far as the limits of emails allow. Idempotent: an email that another call has
 * queued meanwhile counts for none of both.
 */
export async function resendFailedOf(
  { db, tokens }: Pick<Dependencies, 'db' | 'tokens'>,
  userId: string,
): Promise<Resent> {
  const failed = await failedRequestsOf(db, userId)
  const candidates = failed.filter((request) => !request.is_withheld)
  const resent: Resent = {
    queued: 0,
    waiting: 0,
    refused: failed.length - candidates.length,
    left: Math.max(0, candidates.length - limits.resendMax),
  }
  const most = Math.min(candidates.length, limits.resendMax)
  const endAt = performance.now() + maxCallMs
  for (let start = 0; start < most; start += batchSize) {
    if (performance.now() > endAt) {
      resent.left += most - start
      break
    }
    const batch = candidates.slice(start, Math.min(start + batchSize, most))
    const hashesOf = ({ email }: FailedRequest): Buffer[] =>
      mailboxKeys(email).flatMap((key) => tokens.mailboxHashes(key))
    const blocked = await blockedMailboxesOf(db, batch.flatMap(hashesOf))
    const allowed = batch.filter((request) => !hashesOf(request).some((hash) => blocked.has(hash.toString('hex'))))
    const dueTimes = await db.transaction().execute((tx) => resendBatch(tx, userId, allowed))
    const latest = Date.now() + delayedMs
    resent.refused += batch.length - allowed.length
    for (const due of dueTimes) {
      if (due === 'refused') resent.refused += 1
      else if (due.getTime() > latest) resent.waiting += 1
      else resent.queued += 1
    }
  }
  return resent
}

/** When each email is sent, or that a limit refuses it. */
async function resendBatch(tx: Db, userId: string, batch: readonly FailedRequest[]): Promise<(Date | 'refused')[]> {
  const dueTimes: (Date | 'refused')[] = []
  // Each holds the lock of its address until the end: in one order, so that two calls do not wait for each other.
  const lockOrder = batch.toSorted((a, b) => (mailboxKey(a.email) < mailboxKey(b.email) ? -1 : 1))
  for (const { id, email_id, photo_id: photoId, email } of lockOrder) {
    const due = await findDueTime(tx, { email, photoId, ownerId: userId })
    if (!(due instanceof Date)) dueTimes.push('refused')
    else if (await resendEmail(tx, email_id, due)) {
      await publish(tx, { kind: 'request', user: userId, request: id })
      dueTimes.push(due)
    }
  }
  return dueTimes
}
