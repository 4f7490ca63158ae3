import { sql } from 'kysely'
import { eventArchiveSize as eventArchiveSizeCall, guestEventArchive } from '@keepsnap/contract/event-archives.ts'
import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import { eventPath } from '@keepsnap/contract/event-guests.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault } from '../../faults.ts'
import { mailboxKey } from '../../lib/email-address.ts'
import { isNavigation } from '../../lib/headers.ts'
import { isId } from '../../lib/ids.ts'
import { sendGuestPage } from '../../platform/http/pages.ts'
import { countRateHit } from '../../platform/http/rate-limits.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { shownBrandName } from '../branding/brands.ts'
import type { Composer } from '../emails/compose.ts'
import { languageOfRequest, unsubscribeHeaders } from '../guests/emails.ts'
import { guestFrame } from '../guests/page-props.ts'
import { startsDownload } from '../guests/sharing.ts'
import { eventArchiveSize, type EventManifests, isInEventArchive, sendArchive, zipName } from '../photos/archive.ts'
import { decideAccess, type SharedPhoto } from '../photos/photo-access.ts'
import { shownAt } from '../photos/photo-view.ts'
import { eventNotFound } from './chosen-event.ts'

/** All photos of an event as one ZIP file: its size for the owner, and the download for guests. `photos/archive.ts` has the owner's. */
export function eventArchiveRoutes(serve: Serve, deps: Dependencies, manifests: EventManifests): void {
  const { db, guestActivity, guestRenderer, config } = deps
  serve(eventArchiveSizeCall, async ({ params: { id } }, { actor: { userId } }) => {
    const event = await db
      .selectFrom('events')
      .select('id')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!event) throw eventNotFound()
    const { photos, bytes } = await eventArchiveSize(db, id, 'owner')
    return { photos, size_bytes: bytes }
  })

  serve(guestEventArchive, async ({ params: { code }, query: { grant } }, { req, reply, client }) => {
    const event = isId(code) ? await findGuestArchive(deps, code, grant) : undefined
    if (!event) {
      await countRateHit(db, 'unknownCodes', client)
      if (!isNavigation(req.headers))
        throw new Fault('not_found', 'These photos cannot be downloaded together, or not any more.')
      const page = { page: 'gone', why: 'photo' } as const
      return sendGuestPage(reply, guestRenderer, { page, frame: guestFrame(config.publicUrl, '/e'), status: 404 })
    }
    const manifest = await manifests(event, 'guests')
    const { photos, layout, tag } = manifest
    return sendArchive(
      deps,
      { req, reply },
      {
        photos,
        layout,
        entityTag: `"${tag}"`,
        name: zipName(guestRenderer, { title: event.name, photos: photos.length, language: event.language }),
        mayBeSent: (photo) =>
          photo.eventId === event.id &&
          decideAccess(photo, event.isGranted ? { via: 'event grant', eventId: event.id } : { via: 'direct code' }) ===
            'allow',
        // The gate, the gallery, the code and the link.
        isOpen: async () => (await findGuestArchive(deps, code, grant)) !== undefined,
        tag: `user ${event.userId}`,
        party: { name: `guests ${event.id}`, atOnce: eventLimits.guestDownloadsAtOnce },
        onBegin() {
          if (startsDownload(req)) guestActivity.addToEvent({ eventId: event.id, userId: event.userId }, 'archives')
        },
      },
    )
  })
}

/** The event of a code whose guests may have all photos as one file: its owner allows that, and the gallery is open. */
const archiveOfCode = (db: Db, code: string) =>
  db
    .selectFrom('event_codes')
    .innerJoin('events', 'events.id', 'event_codes.event_id')
    .innerJoin('users', 'users.id', 'events.user_id')
    .select(['events.id', 'events.user_id as userId', 'events.name', 'users.language', 'time_zone as timeZone'])
    .select([
      shownBrandName.as('brandName'),
      sql<boolean>`coalesce(events.ask_email, users.ask_email_to_receive_photo)`.as('emailRequired'),
    ])
    .where('code', '=', code)
    .where('revoked_at', 'is', null)
    .where('users.is_active', '=', sql.lit(true))
    .where('events.deleted_at', 'is', null)
    .where('guest_archive', '=', sql.lit(true))
    .where('gallery', '=', sql.lit('link'))
    .where(sql<boolean>`(gallery_opens_at is null or gallery_opens_at <= now())`)
    .where(sql<boolean>`(closes_at is null or closes_at > now())`)
    .executeTakeFirst()

/** The same, for who may download them now: no email address is asked for, or the link of an email is shown. */
async function findGuestArchive({ db, tokens }: Dependencies, code: string, grant: string | undefined) {
  const event = await archiveOfCode(db, code)
  const isGranted = grant !== undefined && isArchiveGrant(tokens, code, grant)
  return event && (isGranted || !event.emailRequired) ? { ...event, isGranted } : undefined
}

/** Whether a link of an email works with this code, and has not expired. Nothing is stored about it. */
export function isArchiveGrant(tokens: Dependencies['tokens'], code: string, grant: string): boolean {
  const found = tokens.guestArchives.read(grant)
  return found?.userId === code && found.expiresAt * 1000 > Date.now()
}

/** What the page of a guest gallery offers: all photos as one file, at a path or, behind the gate, by email. Null where guests may not, and without photos. */
export async function guestArchiveOffer(
  db: Db,
  code: string,
): Promise<{ photos: number; bytes: number; url: string | null } | null> {
  const event = await archiveOfCode(db, code)
  const size = event && (await eventArchiveSize(db, event.id, 'guests'))
  return size && size.photos > 0 ? { ...size, url: event.emailRequired ? null : `${eventPath(code)}/archive` } : null
}

/** The newest photo of that file, which a request for all of them is about: its owner sees the address. Undefined where guests may not. */
export async function newestOfArchive(
  { db, mediaCache }: Dependencies,
  code: string,
): Promise<SharedPhoto | undefined> {
  const event = await archiveOfCode(db, code)
  if (!event) return undefined
  const { rows } = await sql<{ id: string }>`
    select photos.id from photos where ${isInEventArchive(event.id, 'guests')}
    order by ${shownAt} desc, photos.id desc limit 1`.execute(db)
  return rows[0] && mediaCache.find('id', rows[0].id)
}

/** The email with the link, which works for 72 hours. */
export const composeArchiveEmail =
  ({ urls, tokens, guestRenderer, config }: Dependencies): Composer['compose'] =>
  async ({ id, payload, recipient }, tx) => {
    const { archive: code } = payload as { archive: string } // only request-photo.ts writes it
    const event = await archiveOfCode(tx, code)
    const size = event && (await eventArchiveSize(tx, event.id, 'guests'))
    if (!size || size.photos === 0) return 'obsolete'
    const expiresAt = Math.floor(Date.now() / 1000) + limits.grantHours * 3_600
    const stopUrl = urls.unsubscribePage(tokens.unsubscribe(mailboxKey(recipient)))
    const rendered = guestRenderer.renderEmail(
      {
        kind: 'event-archive',
        eventName: event.name,
        brandName: event.brandName,
        ...size,
        url: urls.eventArchivePage(code, tokens.guestArchives.token(code, expiresAt)),
        expiresAt: new Date(expiresAt * 1000).toISOString(),
        stopUrl,
      },
      {
        publicUrl: config.publicUrl,
        operator: config.operator,
        timeZone: event.timeZone,
        language: await languageOfRequest(tx, id),
      },
    )
    return { ...rendered, headers: unsubscribeHeaders(stopUrl) }
  }
