import { type RawBuilder, sql } from 'kysely'
import {
  createEventGrant,
  type EventGrant,
  eventGrantArchive,
  eventGrantPage,
  eventGrantPhoto,
  eventGrantThumbnail,
  listAllEventGrants,
  listEventGrants,
  resendEventGrant,
  revokeEventGrant,
  revokeEventGrants,
} from '@keepsnap/contract/event-archives.ts'
import { emailProblem, emailProblemMessages } from '@keepsnap/contract/form-rules.ts'
import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import { retention } from '@keepsnap/contract/limits.ts'
import type { GuestPage } from '@keepsnap/contract/rendering.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { ApiDependencies, Dependencies } from '../../dependencies.ts'
import { Fault, invalidField, unauthorized } from '../../faults.ts'
import { mailboxKey, parseEmailAddress } from '../../lib/email-address.ts'
import { isNavigation } from '../../lib/headers.ts'
import { hashOf, isSecret, newId } from '../../lib/ids.ts'
import { publish } from '../../platform/live/bus.ts'
import { sendGuestPage } from '../../platform/http/pages.ts'
import { isMailOff } from '../../ports/mail/mail-settings.ts'
import { countRateHit } from '../../platform/http/rate-limits.ts'
import { sendObject } from '../../platform/http/send-object.ts'
import type { Call, Serve } from '../../platform/http/serve.ts'
import { confirmNewAccess } from '../accounts/passwords.ts'
import { shownBrandName } from '../branding/brands.ts'
import { type Composer, emailContextOf } from '../emails/compose.ts'
import { queueEmail } from '../emails/queue-email.ts'
import { isRecipientBlocked, optedOut, stopUrlOf, unsubscribeHeaders } from '../guests/emails.ts'
import { guestFrame, guestLogo } from '../guests/page-props.ts'
import { type ImageAccess, sendFullImage } from '../guests/sharing.ts'
import { eventArchiveSize, type EventManifests, isInEventArchive, sendGuestArchive } from '../photos/archive.ts'
import { decideAccess, type SharedPhoto, sharedPhotoNotFound } from '../photos/photo-access.ts'
import { shownAt } from '../photos/photo-view.ts'
import { lockUser } from '../plans/plans.ts'
import { eventOf, liveEvent } from './chosen-event.ts'
import { imageTag } from './guest-gallery.ts'

/** Whether a link works: of `event_grants`, with its event. */
export const isGrantOpen: RawBuilder<boolean> = sql<boolean>`(
  event_grants.revoked_at is null and event_grants.expires_at > now() and events.deleted_at is null)`

/**
 * Event grants: links to all photos of an event that guests may see, whatever its gate and its gallery say. Its owner sends them to
 * people without an account, as a couple. They are created as API keys are, since they outlive the session.
 */
export function eventGrantRoutes(serve: Serve, deps: ApiDependencies, manifests: EventManifests): void {
  const { db, config, mediaCache } = deps

  serve(listEventGrants, async ({ params: { id } }, { actor: { userId } }) => {
    await eventOf(db, userId, id)
    return { grants: await grantsOf(db, userId, sql`events.id = ${id}`) }
  })
  serve(listAllEventGrants, async (_, { actor: { userId } }) => ({ grants: await grantsOf(db, userId, isGrantOpen) }))

  serve(createEventGrant, async ({ params: { id: eventId }, body }, { actor }) => {
    const { userId } = actor
    const email = parseEmailAddress(body.email)
    if (email === undefined) throw invalidField('email', emailProblemMessages[emailProblem(body.email) ?? 'form'])
    if (isMailOff(config)) throw new Fault('conflict', 'Email is not set up here, so no link can be sent.')
    const id = newId()
    await db.transaction().execute(async (tx) => {
      if (!(await lockUser(tx, userId))) throw unauthorized()
      await liveEvent(tx, userId, eventId)
      const open = await grantsOf(tx, userId, sql`events.id = ${eventId} and ${isGrantOpen}`)
      if (open.some((one) => mailboxKey(one.email) === mailboxKey(email)))
        throw new Fault('conflict', 'This address has a link already. You can send it again.')
      if (open.length >= eventLimits.grantsMax)
        throw new Fault(
          'conflict',
          `${eventLimits.grantsMax} links to this event work, the most there can be. Please revoke one first.`,
        )
      const emailId = await queueGrantEmail(tx, userId, { id, email })
      await tx
        .insertInto('event_grants')
        .values({
          id,
          event_id: eventId,
          email,
          secret_hash: hashOf(deps.tokens.account('event-grant', id)),
          email_id: emailId,
          expires_at: sql<Date>`now() + make_interval(days => ${eventLimits.grantDays})`,
        })
        .execute()
      await publish(tx, { kind: 'events', user: userId })
      await confirmNewAccess(tx, actor, config, { kind: 'event-grant-created', name: email })
    })
    return oneGrant(db, userId, { id, eventId })
  })

  serve(resendEventGrant, async ({ params: { id: eventId, grant_id: id } }, { actor: { userId } }) => {
    await db.transaction().execute(async (tx) => {
      if (!(await lockUser(tx, userId))) throw unauthorized()
      const [grant] = await grantsOf(
        tx,
        userId,
        sql`events.id = ${eventId} and event_grants.id = ${id} and ${isGrantOpen}`,
      )
      if (!grant) throw grantNotFound()
      if (grant.state === 'queued') return
      const emailId = await queueGrantEmail(tx, userId, grant)
      await tx.updateTable('event_grants').set({ email_id: emailId }).where('id', '=', id).execute()
    })
    return oneGrant(db, userId, { id, eventId })
  })

  /** Revokes those that this account has; how many. */
  const revoke = async (userId: string, isMeant: RawBuilder<unknown>): Promise<number> => {
    const revoked = await db.transaction().execute(async (tx) => {
      if (!(await lockUser(tx, userId))) throw unauthorized()
      const { numAffectedRows } = await sql`
        update event_grants set revoked_at = coalesce(event_grants.revoked_at, now()) from events
        where events.id = event_id and user_id = ${userId} and ${isMeant}`.execute(tx)
      await publish(tx, { kind: 'events', user: userId })
      return Number(numAffectedRows ?? 0)
    })
    // Ends downloads under way on this node before the answer.
    mediaCache.invalidateUser(userId)
    return revoked
  }
  serve(revokeEventGrant, async ({ params: { id: eventId, grant_id: id } }, { actor: { userId } }) => {
    if ((await revoke(userId, sql`event_id = ${eventId} and event_grants.id = ${id}`)) === 0) throw grantNotFound()
    return null
  })
  serve(revokeEventGrants, async ({ body: { ids } }, { actor: { userId } }) => {
    await revoke(userId, sql`event_grants.id = any(${ids}::text[])`)
    return null
  })

  openGrantRoutes(serve, deps, manifests)
}

const grantNotFound = (): Fault => new Fault('not_found', 'This link does not exist or works no longer.')

/** Those of an account that are meant, newest first. */
async function grantsOf(db: Db, userId: string, isMeant: RawBuilder<unknown>): Promise<EventGrant[]> {
  const { rows } = await sql<{
    id: string
    event_id: string
    event_name: string
    email: string
    created_at: Date
    expires_at: Date
    revoked_at: Date | null
    state: string | null
    failure: string | null
  }>`
    select event_grants.id, event_id, events.name as event_name, email, event_grants.created_at, expires_at, event_grants.revoked_at,
      emails.state, emails.failure
    from event_grants join events on events.id = event_id left join emails on emails.id = email_id
    where events.user_id = ${userId} and ${isMeant}
    order by event_grants.created_at desc, event_grants.id limit ${eventLimits.grantsListed}`.execute(db)
  return rows.map(({ state, failure, created_at, expires_at, revoked_at, ...grant }) => ({
    ...grant,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
    revoked_at: revoked_at?.toISOString() ?? null,
    state: state === 'queued' || state === 'failed' ? state : 'sent',
    failure: state === 'failed' ? failure : null,
  }))
}

async function oneGrant(db: Db, userId: string, { id, eventId }: { id: string; eventId: string }): Promise<EventGrant> {
  const [grant] = await grantsOf(db, userId, sql`events.id = ${eventId} and event_grants.id = ${id}`)
  if (!grant) throw grantNotFound()
  return grant
}

/** Queues the email with a link; throws when the account has sent too many of them today. The account is locked. */
async function queueGrantEmail(tx: Db, userId: string, { id, email }: { id: string; email: string }): Promise<string> {
  const { count } = await tx
    .selectFrom('emails')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('kind', '=', 'event-grant')
    .where('created_at', '>', sql<Date>`now() - interval '1 day'`)
    .executeTakeFirstOrThrow()
  if (count >= eventLimits.grantEmailsPerDay)
    throw new Fault('rate_limited', 'You have sent many of these emails today. Please try again tomorrow.', 3_600)
  const emailId = newId()
  const recipientKey = mailboxKey(email)
  const payload = { grantId: id }
  await queueEmail(tx, { id: emailId, kind: 'event-grant', userId, recipient: email, recipientKey, payload })
  return emailId
}

/** Removes links that have not worked for a week, with the addresses that they were sent to. */
export const deleteOldEventGrants = async (db: Db): Promise<void> =>
  void (await sql`
    delete from event_grants
    where least(expires_at, revoked_at) < now() - make_interval(days => ${retention.expiredLinkDays})`.execute(db))

/** The email with a link. */
export const eventGrantEmails = (deps: Dependencies): { 'event-grant': Composer } => ({
  'event-grant': {
    async compose(email, tx) {
      const { payload, user_id: userId } = email
      const { grantId } = payload as { grantId: string } // only `queueGrantEmail` writes it
      const { tokens, urls, config, guestRenderer } = deps
      const { rows } = await sql<{
        event_id: string
        name: string
        brand: string | null
        secret_hash: Buffer
        expires_at: Date
      }>`
        select event_id, events.name, ${shownBrandName} as brand, secret_hash, expires_at
        from event_grants join events on events.id = event_id join users on users.id = events.user_id
        where event_grants.id = ${grantId} and users.is_active and ${isGrantOpen}`.execute(tx)
      const [grant] = rows
      if (!grant || userId === null) return 'obsolete'
      if (await isRecipientBlocked(deps, tx, email)) return optedOut
      const token = tokens.account('event-grant', grantId, grant.secret_hash)
      // Made with a secret key that was replaced, and is not accepted any more.
      if (!hashOf(token).equals(grant.secret_hash))
        await tx
          .updateTable('event_grants')
          .set({ secret_hash: hashOf(token) })
          .where('id', '=', grantId)
          .execute()
      const { photos } = await eventArchiveSize(tx, grant.event_id, 'guests')
      const stopUrl = stopUrlOf(deps, email)
      const rendered = guestRenderer.renderEmail(
        {
          kind: 'event-grant',
          eventName: grant.name,
          brandName: grant.brand,
          photos,
          url: urls.eventGrantPage(token),
          expiresAt: grant.expires_at.toISOString(),
          stopUrl,
        },
        await emailContextOf(tx, userId, config),
      )
      return { ...rendered, headers: unsubscribeHeaders(stopUrl) }
    },
  },
})

// What a link opens

interface OpenGrant {
  id: string
  eventId: string
  userId: string
  eventName: string
  brandName: string | null
  language: string | null
  timeZone: string | null
  expiresAt: Date
}

async function openGrant(db: Db, condition: RawBuilder<unknown>): Promise<OpenGrant | undefined> {
  const { rows } = await sql<OpenGrant>`
    select event_grants.id, events.id as "eventId", users.id as "userId", events.name as "eventName", users.language, expires_at as "expiresAt",
      ${shownBrandName} as "brandName", time_zone as "timeZone"
    from event_grants join events on events.id = event_id join users on users.id = events.user_id
    where ${condition} and users.is_active and ${isGrantOpen}`.execute(db)
  return rows[0]
}

/** The page of a link, and everything that it leads to. Each asks the access policy, with the link as it is now. */
function openGrantRoutes(serve: Serve, deps: Dependencies, manifests: EventManifests): void {
  const { db, guestRenderer, mediaCache, storage, config, tokens } = deps

  /** Expired, revoked and unknown ones are the same. Clients that try many are slowed down. */
  const grantOf = async (secret: string, client: string): Promise<OpenGrant | undefined> => {
    const grant = isSecret(secret) ? await openGrant(db, sql`secret_hash = ${hashOf(secret)}`) : undefined
    if (!grant) await countRateHit(db, 'unknownCodes', client)
    return grant
  }
  const sendGone = ({ req, reply }: Pick<Call, 'req' | 'reply'>, isPage = isNavigation(req.headers)): Promise<void> => {
    if (!isPage) throw new Fault('not_found', 'This link does not exist or works no longer.')
    const frame = guestFrame(config.publicUrl, '/a')
    return sendGuestPage(reply, guestRenderer, { page: { page: 'gone', why: 'event-grant' }, frame, status: 404 })
  }
  const photoOf = async (grant: OpenGrant, token: string): Promise<SharedPhoto> => {
    const id = photoTokens(tokens, grant).decrypt(token)
    const photo = id === undefined ? undefined : await mediaCache.find('id', id)
    if (!photo || decideAccess(photo, { via: 'event grant', eventId: grant.eventId }) !== 'allow')
      throw sharedPhotoNotFound()
    return photo
  }

  serve(eventGrantPage, async ({ params: { grant: secret }, query: { before } }, call) => {
    const grant = await grantOf(secret, call.client)
    if (!grant) return sendGone(call, true)
    const page = await grantPageOf(deps, grant, { path: `/a/${secret}`, before })
    const frame = guestFrame(config.publicUrl, `/a/${secret}`)
    return sendGuestPage(call.reply, guestRenderer, { page, frame })
  })
  serve(eventGrantArchive, async ({ params: { grant: secret } }, { req, reply, client }) => {
    const grant = await grantOf(secret, client)
    if (!grant) return sendGone({ req, reply })
    const { id, eventId, userId, eventName: name, language } = grant
    return sendGuestArchive(
      deps,
      manifests,
      { req, reply },
      {
        event: { id: eventId, userId, name, language },
        mayBeSent: (photo) => decideAccess(photo, { via: 'event grant', eventId }) === 'allow',
        isOpen: async () => (await openGrant(db, sql`event_grants.id = ${id}`)) !== undefined,
        party: { name: `grant ${id}`, atOnce: eventLimits.downloadsAtOnce },
      },
    )
  })
  serve(eventGrantPhoto, async ({ params: { grant: secret, token }, query: { download } }, { req, reply, client }) => {
    const grant = await grantOf(secret, client)
    if (!grant) return sendGone({ req, reply })
    const photo = await photoOf(grant, token)
    const purpose = { for: 'guest', isAttachment: download !== undefined, isInline: download === undefined } as const
    const { id, userId } = grant
    const through: ImageAccess = {
      watch: (listener) => mediaCache.watch(`user ${userId}`, listener),
      isOpen: async () => (await openGrant(db, sql`event_grants.id = ${id}`)) !== undefined,
      tagOf: (key) => imageTag(secret, key),
    }
    return sendFullImage(deps, { req, reply }, { photo, purpose, through })
  })
  serve(eventGrantThumbnail, async ({ params: { grant: secret, token } }, { req, reply, client }) => {
    const grant = await grantOf(secret, client)
    const { thumbKey: key, thumbBytes: bytes } = grant ? await photoOf(grant, token) : {}
    if (!key || !bytes) throw sharedPhotoNotFound()
    const object = {
      key,
      bytes,
      type: 'image/webp',
      cacheControl: 'private, no-cache',
      entityTag: imageTag(secret, key),
    }
    return sendObject(req, reply, { storage, object })
  })
}

/** Tokens of the photos of a link: they work with this link alone. */
const photoTokens = (tokens: Dependencies['tokens'], { id }: Pick<OpenGrant, 'id'>) =>
  tokens.galleryPhotos(`grant ${id}`)

interface TileRow {
  id: string
  width: number | null
  height: number | null
}

/** What the page of a link shows. */
async function grantPageOf(
  deps: Dependencies,
  grant: OpenGrant,
  { path, before }: { path: string; before: string | undefined },
): Promise<GuestPage> {
  const { db, tokens, mediaCache, urls } = deps
  const { eventId, eventName, brandName, expiresAt, timeZone } = grant
  const photoToken = photoTokens(tokens, grant)
  const { photos, bytes } = await eventArchiveSize(db, eventId, 'guests')
  const last = before === undefined ? undefined : photoToken.decrypt(before)
  const { rows } = await sql<TileRow>`
    select photos.id, width, height from photos
    where ${isInEventArchive(eventId, 'guests')} and thumb_key is not null
      and ${last === undefined ? sql`true` : sql`(${shownAt}, photos.id) < (select ${shownAt}, photos.id from photos where id = ${last})`}
    order by ${shownAt} desc, photos.id desc limit ${eventLimits.grantPagePhotos + 1}`.execute(db)
  const shown = rows.slice(0, eventLimits.grantPagePhotos)
  const [newest] = shown
  const shared = newest && (await mediaCache.find('id', newest.id))
  const { processing } = await db
    .selectFrom('photos')
    .select((eb) => eb.fn.countAll<number>().as('processing'))
    .where('event_id', '=', eventId)
    .where('state', '=', 'queued')
    .where('is_listed', '=', sql.lit(true))
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  const lastShown = shown.at(-1)
  return {
    page: 'event-grant',
    eventName,
    brandName,
    photos,
    bytes,
    processing,
    archiveUrl: photos === 0 ? null : `${path}/archive`,
    tiles: shown.map(({ id, width, height }) => {
      const url = `${path}/p/${photoToken.encrypt(id)}`
      return { url, thumbnailUrl: `${url}/thumbnail`, width, height }
    }),
    olderUrl: rows.length > shown.length && lastShown ? `${path}?before=${photoToken.encrypt(lastShown.id)}` : null,
    newestUrl: before === undefined ? null : path,
    expiresAt: expiresAt.toISOString(),
    timeZone,
    logo: shared ? guestLogo(shared, urls) : null,
  }
}
