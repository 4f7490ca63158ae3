import { sql, type RawBuilder } from 'kysely'
import type { WebhookEventType } from '@keepsnap/contract/webhook-events.ts'
import type { Db } from '../db/connect.ts'
import type { RecordedEvent } from '../jobs/jobs.ts'
import { addJobExpression } from '../jobs/queue.ts'
import { wakeUpExpression } from '../jobs/wake-ups.ts'

/** A time as ISO 8601 in UTC. */
const isoTime = (time: RawBuilder<Date>): RawBuilder<string> =>
  sql`to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The event fields of `row`: a row of `photos`, or of a common table expression with the same columns. */
const photoFields = (row: string): RawBuilder<unknown> =>
  sql`'photo_id', ${sql.ref(`${row}.id`)}, 'filename', ${sql.ref(`${row}.filename`)}`
const createdAt = (row: string): RawBuilder<unknown> => sql`'created_at', ${isoTime(sql.ref(`${row}.created_at`))}`

interface EventExpression {
  type: WebhookEventType
  userId: string
  /** The names and values of `data`, as arguments of `json_build_object`. */
  data: RawBuilder<unknown>
}

/**
 * An SQL expression that enqueues an event for each row of its statement, if and only if the transaction commits and
 * the user has an enabled webhook for events of this type. Events are recorded in the order in which their statements
 * ran.
 */
function eventExpression({ type, userId, data }: EventExpression): RawBuilder<unknown> {
  // Not `now()`, the start of the transaction: it may have waited for a lock since, so events would be out of order.
  const at = sql<Date>`clock_timestamp()`
  const payload = sql<RecordedEvent>`json_build_object('userId', ${userId}::text, 'type', ${type}::text,
    'messageId', 'msg_' || replace(gen_random_uuid()::text, '-', ''), 'timestamp', ${isoTime(at)}, 'data', json_build_object(${data}))`
  const job = addJobExpression({ name: 'record-webhook-event', payload, at })
  return sql`case when exists (
    select 1 from webhooks where webhooks.user_id = ${userId} and disabled_because is null and ${type} = any(events)
  ) then (select ${wakeUpExpression('record-webhook-event')}::text from ${job}) end`
}

/** Enqueues `photo.ready`; for a statement whose row `row` has the id, filename and created_at of a photo. */
export const photoReadyExpression = (userId: string, row: string): RawBuilder<unknown> =>
  eventExpression({ type: 'photo.ready', userId, data: sql`${photoFields(row)}, ${createdAt(row)}` })

/** Enqueues `photo.failed`, like `photoReadyExpression`. */
export const photoFailedExpression = (userId: string, row: string, errorMessage: string): RawBuilder<unknown> =>
  eventExpression({
    type: 'photo.failed',
    userId,
    data: sql`${photoFields(row)}, ${createdAt(row)}, 'error_message', ${errorMessage}::text`,
  })

/** Enqueues `photo.deleted` of each photo, in the transaction that deletes them. */
export async function addPhotoDeletedEvents(tx: Db, userId: string, photoIds: readonly string[]): Promise<void> {
  const event = eventExpression({ type: 'photo.deleted', userId, data: photoFields('photos') })
  await sql`select ${event} from photos where id = any(${photoIds}::text[]) and user_id = ${userId}`.execute(tx)
}

/** Enqueues `request.created`, in the transaction that stores the request. */
export async function addRequestCreatedEvent(tx: Db, userId: string, requestId: string): Promise<void> {
  const data = sql`${photoFields('photos')}, 'request_id', photo_requests.id, 'requested_at', ${isoTime(sql.ref('requested_at'))}`
  const event = eventExpression({ type: 'request.created', userId, data })
  await sql`select ${event} from photo_requests join photos on photos.id = photo_requests.photo_id
    where photo_requests.id = ${requestId}`.execute(tx)
}
