import { sql } from 'kysely'
import { eventArchiveSize as eventArchiveSizeCall, guestEventArchive } from '@keepsnap/contract/event-archives.ts'
import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import { eventPath } from '@keepsnap/contract/event-guests.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault } from '../../faults.ts'
import { isNavigation, isPreviewProgram } from '../../lib/headers.ts'
import { isId } from '../../lib/ids.ts'
import { sendGuestPage } from '../../platform/http/pages.ts'
import { countRateHit } from '../../platform/http/rate-limits.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Composer } from '../emails/compose.ts'
import { languageOfRequest, stopUrlOf, unsubscribeHeaders } from '../guests/emails.ts'
import { guestFrame } from '../guests/page-props.ts'
import { startsDownload } from '../guests/sharing.ts'
import { eventArchiveSize, type EventManifests, isInEventArchive, sendGuestArchive } from '../photos/archive.ts'
import { decideAccess, type SharedPhoto } from '../photos/photo-access.ts'
import { shownAt } from '../photos/photo-view.ts'
import { eventNotFound, isLiveEvent } from './chosen-event.ts'
import { findGallery, type GuestGallery, galleryStateOf } from './guest-gallery.ts'

/** All photos of an event as one ZIP file: its size for the owner, and the download for guests. `photos/archive.ts` has the owner's. */
export function eventArchiveRoutes(serve: Serve, deps: Dependencies, manifests: EventManifests): void {
  const { db, guestActivity, guestRenderer, config } = deps
  serve(eventArchiveSizeCall, async ({ params: { id } }, { actor: { userId } }) => {
    if (!(await isLiveEvent(db, userId, id))) throw eventNotFound()
    const { photos, bytes } = await eventArchiveSize(db, id, 'owner')
    return { photos, size_bytes: bytes }
  })

  serve(guestEventArchive, async ({ params: { code }, query: { grant } }, { req, reply, client }) => {
    const event = isId(code) ? await findGuestArchive(deps, code, grant) : undefined
    if (!event) {
      await countRateHit(db, 'unknownCodes', client)
      if (!isNavigation(req.headers)) throw archiveClosed()
      const page = { page: 'gone', why: 'photo' } as const
      return sendGuestPage(reply, guestRenderer, { page, frame: guestFrame(config.publicUrl, '/e'), status: 404 })
    }
    const { eventId, userId, isGranted } = event
    return sendGuestArchive(
      deps,
      manifests,
      { req, reply },
      {
        event: { ...event, id: eventId },
        mayBeSent: (photo) =>
          photo.eventId === eventId &&
          decideAccess(photo, isGranted ? { via: 'event grant', eventId } : { via: 'direct code' }) === 'allow',
        // The gate, the gallery, the code and the link.
        isOpen: async () => (await findGuestArchive(deps, code, grant)) !== undefined,
        party: { name: `guests ${eventId}`, atOnce: eventLimits.guestDownloadsAtOnce },
        onBegin() {
          // A part alone is looked at, not downloaded.
          const isWhole = startsDownload(req) && (req.headers.range ?? 'bytes=0-') === 'bytes=0-'
          if (isWhole && !isPreviewProgram(req.headers)) guestActivity.addToEvent({ eventId, userId }, 'archives')
        },
      },
    )
  })
}

const archiveClosed = (): Fault =>
  new Fault('not_found', 'These photos cannot be downloaded together, or not any more.')

/** A gallery whose guests may have all photos as one file: its owner allows that, and it is open. */
const withArchive = (gallery: GuestGallery | undefined): GuestGallery | undefined =>
  gallery?.guestArchive && galleryStateOf(gallery) === 'open' ? gallery : undefined

/** The same of a code, for who may download them now: no email address is asked for, or the link of an email is shown. */
async function findGuestArchive({ db, tokens }: Dependencies, code: string, grant: string | undefined) {
  const event = withArchive(await findGallery(db, code))
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
  gallery: GuestGallery,
): Promise<{ photos: number; bytes: number; url: string | null } | null> {
  const size = withArchive(gallery) && (await eventArchiveSize(db, gallery.eventId, 'guests'))
  const url = gallery.emailRequired ? null : `${eventPath(gallery.code)}/archive`
  return size && size.photos > 0 ? { ...size, url } : null
}

/** The newest photo of that file, which a request for all of them is about: its owner sees the address. Throws 404 where guests may not. */
export async function newestOfArchive({ db, mediaCache }: Dependencies, gallery: GuestGallery): Promise<SharedPhoto> {
  const { rows } = await sql<{ id: string }>`
    select photos.id from photos where ${isInEventArchive(gallery.eventId, 'guests')}
    order by ${shownAt} desc, photos.id desc limit 1`.execute(db)
  const newest = rows[0] && withArchive(gallery) && (await mediaCache.find('id', rows[0].id))
  if (!newest) throw archiveClosed()
  return newest
}

/** The email with the link, which works for 72 hours. */
export const composeArchiveEmail =
  ({ urls, tokens, guestRenderer, config }: Dependencies): Composer['compose'] =>
  async ({ id, payload, recipient }, tx) => {
    const { archive: code } = payload as { archive: string } // only request-photo.ts writes it
    const event = withArchive(await findGallery(tx, code))
    const size = event && (await eventArchiveSize(tx, event.eventId, 'guests'))
    if (!size || size.photos === 0) return 'obsolete'
    const expiresAt = Math.floor(Date.now() / 1000) + limits.grantHours * 3_600
    const stopUrl = stopUrlOf({ urls, tokens }, { recipient })
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
