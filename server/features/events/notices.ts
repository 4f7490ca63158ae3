import { sql } from 'kysely'
import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import type { Language } from '@keepsnap/contract/languages.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault } from '../../faults.ts'
import { mailboxKey, mailboxKeys } from '../../lib/email-address.ts'
import { newId } from '../../lib/ids.ts'
import { networksOf } from '../../platform/http/client-address.ts'
import { countRateHit, RateLimitExceeded } from '../../platform/http/rate-limits.ts'
import type { Tokens } from '../accounts/tokens.ts'
import { shownBrandName } from '../branding/brands.ts'
import { type Composer, storedLanguage } from '../emails/compose.ts'
import { findDueTime, queueEmail } from '../emails/queue-email.ts'
import { stopUrlOf, unsubscribeHeaders } from '../guests/emails.ts'
import { isMailboxBlocked } from '../guests/unsubscribe.ts'

/** Guests who are told by email when the gallery of an event opens. Their addresses are deleted when these emails are queued. */

const hashesOf = (tokens: Pick<Tokens, 'mailboxHashes'>, email: string): Buffer[] =>
  mailboxKeys(email).flatMap((key) => tokens.mailboxHashes(key))

/** Of `events`, with their owner. A deleted event can be brought back, and its owner can open the gallery again. */
const hasGallery = sql`gallery = 'link' and (closes_at is null or closes_at > now())
  and events.deleted_at is null and users.is_active`
const isComing = sql<boolean>`(${hasGallery} and gallery_opens_at > now())`
const isOpen = sql<boolean>`(${hasGallery} and (gallery_opens_at is null or gallery_opens_at <= now()))`

/**
 * Stores an address for those of the events whose gallery opens later; once, however often it is asked. One that has unsubscribed, or
 * waits for too many events, is not stored, which nobody learns. With `isAlone`, throws when too many wait, or too many of this network ask;
 * concurrent calls can exceed the first limit.
 */
export async function addGalleryNotices(
  { db, tokens }: Pick<Dependencies, 'db' | 'tokens'>,
  {
    events,
    email,
    language,
    client,
    isAlone,
  }: { events: readonly string[]; email: string; language: Language; client: string; isAlone: boolean },
): Promise<void> {
  const hashes = hashesOf(tokens, email)
  const [hash] = hashes
  const { rows } = await sql<{ id: string }>`
    select events.id from events join users on users.id = user_id
    where events.id = any(${events}::text[]) and ${isComing}
      and (select count(*) from gallery_notices where event_id = events.id) < ${eventLimits.noticesMax}
    order by events.id`.execute(db)
  if (rows.length === 0 && isAlone)
    throw new Fault('unavailable', 'Too many people are requesting photos right now. Please try again later.', 3600)
  if (rows.length === 0) return
  const isBlocked = await isMailboxBlocked(db, hashes)
  const network = tokens.clientPseudonym(networksOf(client).at(-1) ?? client)
  // One at a time: with the lock of one event, nothing waits for that of another.
  for (const { id } of rows) {
    try {
      // Also for an address that is not stored: what is left of the limit says nothing about it.
      await countRateHit(db, 'notices', `${id} ${network}`)
    } catch (error) {
      if (!(error instanceof RateLimitExceeded)) throw error
      if (isAlone)
        throw new Fault('rate_limited', 'Too many requests from your network today. Please try again later.', 3600)
      continue
    }
    if (isBlocked) continue
    await sql`
      insert into gallery_notices (event_id, email, mailbox_hash, language)
      select id, ${email}, ${hash}::bytea, ${language} from events
      where id = ${id}
        and not exists (select from gallery_notices where event_id = ${id} and mailbox_hash = any(${hashes}::bytea[]))
        and (select count(*) from gallery_notices where mailbox_hash = any(${hashes}::bytea[])) < ${eventLimits.noticesPerAddress}
      on conflict do nothing`.execute(db)
  }
}

const batch = 200

/**
 * Queues the emails of galleries that have opened; each minute. Addresses whose event has closed, and those that have unsubscribed, are
 * removed without one.
 */
export async function sendGalleryNotices({ db }: Pick<Dependencies, 'db'>): Promise<void> {
  await sql`
    delete from gallery_notices
    where event_id in (select id from events where closes_at <= now())
      or mailbox_hash in (select mailbox_hash from blocked_mailboxes)`.execute(db)
  const { rows: events } = await sql<{ id: string; userId: string }>`
    select events.id, user_id as "userId" from events join users on users.id = user_id
    where ${isOpen} and exists (select from gallery_notices where event_id = events.id)`.execute(db)
  for (const { id, userId } of events)
    for (let queued = batch; queued === batch;)
      queued = await db.transaction().execute((tx) => queueNotices(tx, { id, userId }))
}

/** Some of an event; how many. They keep to the limits of emails with photos: one that these would delay for too long is not sent. */
async function queueNotices(tx: Db, { id, userId }: { id: string; userId: string }): Promise<number> {
  // The account first, as everything that writes its rows does. Another node takes other rows.
  await sql`select from users where id = ${userId} for key share`.execute(tx)
  const { rows } = await sql<{ email: string; language: string }>`
    delete from gallery_notices where event_id = ${id} and mailbox_hash in (
      select mailbox_hash from gallery_notices where event_id = ${id}
        and exists (select from events join users on users.id = user_id where events.id = ${id} and ${isOpen})
      limit ${batch} for update skip locked)
    returning email, language`.execute(tx)
  // In one order: each takes the lock of its address, and another node may take those of the same ones.
  const guests = rows
    .map(({ email, language }) => ({ email, language, key: mailboxKey(email) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
  for (const { email: recipient, language, key: recipientKey } of guests) {
    const dueAt = await findDueTime(tx, { email: recipient, photoId: null, ownerId: userId })
    if (typeof dueAt === 'string') continue
    const payload = { notice: id, language }
    await queueEmail(tx, { id: newId(), kind: 'photo', userId, recipient, recipientKey, payload, dueAt })
  }
  return rows.length
}

/** Deletes the address of a mailbox that waits, up to a time. */
export async function deleteNoticesOf(
  tx: Db,
  tokens: Pick<Tokens, 'mailboxHashes'>,
  keys: string[],
  before: Date,
): Promise<void> {
  const hashes = keys.flatMap((key) => tokens.mailboxHashes(key))
  await sql`delete from gallery_notices where mailbox_hash = any(${hashes}::bytea[]) and created_at <= ${before}`.execute(
    tx,
  )
}

/** Every mailbox that waits for a gallery. */
export const noticeMailboxes = async (db: Db): Promise<string[]> =>
  (await db.selectFrom('gallery_notices').select('email').distinct().execute()).map(({ email }) => mailboxKey(email))

/** The email that the gallery is open, with the event's own code; none when it has closed again. */
export const composeNotice =
  ({ urls, tokens, guestRenderer, config }: Dependencies): Composer['compose'] =>
  async ({ payload, recipient }, tx) => {
    const { notice: id, language } = payload as { notice: string; language: string } // only `queueNotices` writes it
    const event = await tx
      .selectFrom('events')
      .innerJoin('users', 'users.id', 'events.user_id')
      .innerJoin('event_codes', 'event_codes.event_id', 'events.id')
      .select(['events.name', 'code', 'time_zone as timeZone', shownBrandName.as('brandName')])
      .where('events.id', '=', id)
      .where('event_codes.kind', '=', 'event')
      .where('revoked_at', 'is', null)
      .where(isOpen)
      .executeTakeFirst()
    if (!event) return 'obsolete'
    const { name: eventName, brandName, code, timeZone } = event
    const stopUrl = stopUrlOf({ urls, tokens }, { recipient })
    const rendered = guestRenderer.renderEmail(
      { kind: 'gallery-open', eventName, brandName, url: urls.eventPage(code), stopUrl },
      { publicUrl: config.publicUrl, operator: config.operator, timeZone, language: storedLanguage(language) },
    )
    return { ...rendered, headers: unsubscribeHeaders(stopUrl) }
  }
