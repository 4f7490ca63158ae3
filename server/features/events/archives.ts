import { sql } from 'kysely'
import { eventArchiveSize as eventArchiveSizeCall, guestEventArchive } from '@keepsnap/contract/event-archives.ts'
import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault } from '../../faults.ts'
import { isNavigation } from '../../lib/headers.ts'
import { isId } from '../../lib/ids.ts'
import { sendGuestPage } from '../../platform/http/pages.ts'
import { countRateHit } from '../../platform/http/rate-limits.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { guestFrame } from '../guests/page-props.ts'
import { startsDownload } from '../guests/sharing.ts'
import { eventArchiveSize, type EventManifests, sendArchive, zipName } from '../photos/archive.ts'
import { decideAccess } from '../photos/photo-access.ts'
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

  serve(guestEventArchive, async ({ params: { code } }, { req, reply, client }) => {
    const event = isId(code) ? await findGuestArchive(db, code) : undefined
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
        mayBeSent: (photo) => photo.eventId === event.id && decideAccess(photo, { via: 'direct code' }) === 'allow',
        // The gate, the gallery and the code.
        isOpen: async () => (await findGuestArchive(db, code)) !== undefined,
        tag: `user ${event.userId}`,
        party: { name: `guests ${event.id}`, atOnce: eventLimits.guestDownloadsAtOnce },
        onBegin() {
          if (startsDownload(req)) guestActivity.addToEvent({ eventId: event.id, userId: event.userId }, 'archives')
        },
      },
    )
  })
}

/**
 * The event of a code whose guests may download all photos as one file: its owner allows that, the gallery is open, and no email
 * address is asked for.
 */
const findGuestArchive = (db: Db, code: string) =>
  db
    .selectFrom('event_codes')
    .innerJoin('events', 'events.id', 'event_codes.event_id')
    .innerJoin('users', 'users.id', 'events.user_id')
    .select(['events.id', 'events.user_id as userId', 'events.name', 'users.language'])
    .where('code', '=', code)
    .where('revoked_at', 'is', null)
    .where('users.is_active', '=', sql.lit(true))
    .where('events.deleted_at', 'is', null)
    .where('guest_archive', '=', sql.lit(true))
    .where('gallery', '=', sql.lit('link'))
    .where(sql<boolean>`(gallery_opens_at is null or gallery_opens_at <= now())`)
    .where(sql<boolean>`(closes_at is null or closes_at > now())`)
    .where(sql<boolean>`not coalesce(events.ask_email, users.ask_email_to_receive_photo)`)
    .executeTakeFirst()

/** What the page of a guest gallery offers: all photos as one file. Null where guests may not, behind the gate, and without photos. */
export async function guestArchiveOffer(db: Db, code: string): Promise<{ photos: number; bytes: number } | null> {
  const event = await findGuestArchive(db, code)
  const size = event && (await eventArchiveSize(db, event.id, 'guests'))
  return size && size.photos > 0 ? size : null
}
