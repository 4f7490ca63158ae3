import { eventGone, unknownEvent } from '@keepsnap/contract/events.ts'
import type { Db } from '../../platform/db/connect.ts'
import { Fault, invalidField } from '../../faults.ts'
import type { KeyActor, SessionActor } from '../../platform/http/authenticator.ts'

export const eventNotFound = (): Fault => new Fault('not_found', 'This event does not exist.')

const findEvent = (db: Db, userId: string, id: string) =>
  db.selectFrom('events').selectAll().where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()

/** An event of an account, deleted or not. Throws 404 when there is none. */
export async function eventOf(db: Db, userId: string, id: string) {
  const event = await findEvent(db, userId, id)
  if (!event) throw eventNotFound()
  return event
}

/** An event that is not deleted, for a transaction that has locked its account. Throws 404 or 409 when there is none. */
export async function liveEvent(tx: Db, userId: string, id: string) {
  const event = await eventOf(tx, userId, id)
  if (event.deleted_at) throw new Fault('conflict', 'This event was deleted. Please bring it back first.')
  return event
}

/** Whether an account has an event that is not deleted. */
export const isLiveEvent = async (db: Db, userId: string, id: string): Promise<boolean> =>
  (await findEvent(db, userId, id))?.deleted_at === null

export const eventOfKeyGone = (): Fault => new Fault('event_gone', eventGone)

type Caller = Pick<SessionActor, 'by' | 'userId'> | Pick<KeyActor, 'by' | 'userId' | 'eventId'>

/** The event that a key is bound to. Throws when that is gone, or another one was asked for. */
async function eventOfKey(db: Db, { userId, eventId }: Pick<KeyActor, 'userId'> & { eventId: string }, given?: string) {
  if (given !== undefined && given !== eventId)
    throw invalidField('event', 'This API key belongs to another event. Leave event out, or use another key.', 'query')
  if (!(await isLiveEvent(db, userId, eventId))) throw eventOfKeyGone()
  return eventId
}

/**
 * Of which photos a list is, as `isOfEvent` takes it: what the call says, else those of the key's event, else all. Throws 422 for an
 * event that the account does not have, and 409 when that of the key is gone.
 */
export async function chosenEvent(
  db: Db,
  caller: Caller,
  given: string | undefined,
  part: 'query' | 'body' = 'query',
): Promise<string | undefined> {
  if (caller.by === 'key' && caller.eventId !== null)
    return eventOfKey(db, { ...caller, eventId: caller.eventId }, given)
  if (given !== undefined && given !== 'none' && !(await isLiveEvent(db, caller.userId, given)))
    throw invalidField('event', unknownEvent, part)
  return given
}

/**
 * The event that an upload goes to, as its request begins. One that was deleted is chosen as well: whether the file arrives
 * before or after that, it is then stored without an event, unless the key is bound to it.
 */
export async function eventOfUpload(
  db: Db,
  caller: Caller,
  { given, current }: { given: string | undefined; current: string | null },
): Promise<string | null> {
  if (caller.by === 'key' && caller.eventId !== null)
    return eventOfKey(db, { ...caller, eventId: caller.eventId }, given)
  if (given === undefined) return current
  if (given === 'none') return null
  if (!(await findEvent(db, caller.userId, given))) throw invalidField('event', unknownEvent, 'query')
  return given
}
