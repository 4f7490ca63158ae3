import { noticeAccepted, requestFromEvent, requestPhotos } from '@keepsnap/contract/event-requests.ts'
import type { Input } from '@keepsnap/contract/endpoint.ts'
import { requestAccepted } from '@keepsnap/contract/guests.ts'
import type { ApiDependencies, Dependencies } from '../../dependencies.ts'
import { Fault, invalidField } from '../../faults.ts'
import { isId } from '../../lib/ids.ts'
import { countRateHit } from '../../platform/http/rate-limits.ts'
import { languageOf } from '../../platform/http/request-headers.ts'
import type { Call, Serve } from '../../platform/http/serve.ts'
import type { EventRequestComposers } from '../guests/emails.ts'
import { formInputOf, type PhotoSet, requestPhotosByEmail } from '../guests/request-photo.ts'
import { decideAccess, type SharedPhoto } from '../photos/photo-access.ts'
import { composeArchiveEmail, newestOfArchive } from './archives.ts'
import { galleryClosed, galleryStateOf, type GuestGallery } from './guest-gallery.ts'
import { composeNotice } from './notices.ts'

/** Several photos by email, those of guests who have scanned their codes. */
export function eventRequestRoutes(serve: Serve, deps: ApiDependencies): void {
  const { db, mediaCache, guestActivity } = deps
  serve(requestPhotos, async ({ body }, { req, client }) => {
    const { codes, tell_me: tellMe = false, language = languageOf(req), ...input } = body
    const photos = new Map<string, SharedPhoto>()
    let isAnyUnknown = false
    for (const code of new Set(codes)) {
      const photo = isId(code)
        ? ((await mediaCache.find('code', code)) ?? (await mediaCache.find('id', code)))
        : undefined
      isAnyUnknown ||= photo === undefined
      if (photo && photo.eventId !== null && decideAccess(photo, { via: 'guest page' }) !== 'not found')
        photos.set(photo.photoId, photo)
    }
    // Clients that try many unknown codes are slowed down, although the answer says nothing about them.
    if (isAnyUnknown) await countRateHit(db, 'unknownCodes', client)
    const request = { ...input, tellMe, language, client }
    for (const { eventId, userId } of await requestPhotosByEmail(deps, { photos: [...photos.values()] }, request))
      if (eventId !== null) guestActivity.addToEvent({ eventId, userId }, 'requests')
    return { detail: requestAccepted }
  })
}

/** What is sent of the gallery of a code: photos, all of them, and later that it is open. Returns the answer. */
export async function requestFromGallery(
  deps: ApiDependencies,
  gallery: GuestGallery,
  body: Input<typeof requestFromEvent>['body'],
  { req, client }: Pick<Call, 'req' | 'client'>,
): Promise<string> {
  const { guestActivity } = deps
  const { tokens = [], archive = false, ...fields } = body
  const { tellMe, ...input } = { ...formInputOf(fields, req), client }
  const state = galleryStateOf(gallery)
  const isAlone = tokens.length === 0 && !archive
  if (state !== 'open' && state !== 'coming') throw galleryClosed()
  if (isAlone && !tellMe) throw invalidField('tokens', 'Please choose photos, or ask to be told when the gallery opens')
  if (isAlone && state === 'open')
    throw new Fault('conflict', 'The photos are open already. Reload the page to see them.')

  const events = tellMe && state === 'coming' ? [gallery.eventId] : []
  const sets: PhotoSet[] = [{ photos: await photosOfTokens(deps, gallery, tokens), events }]
  // The link to all photos is an email of its own: it counts as another one, and ends with the gallery.
  if (archive) sets.push({ photos: [await newestOfArchive(deps, gallery)], archive: gallery.code })
  const stored = (await Promise.all(sets.map((set) => requestPhotosByEmail(deps, set, input)))).flat()
  for (const _ of stored) guestActivity.addToEvent(gallery, 'requests')
  return isAlone ? noticeAccepted : requestAccepted
}

/** Those that the gallery shows now, each once. */
async function photosOfTokens(
  { tokens, mediaCache }: Dependencies,
  gallery: GuestGallery,
  chosen: readonly string[],
): Promise<SharedPhoto[]> {
  const encryption = tokens.galleryPhotos(gallery.code)
  const photos: SharedPhoto[] = []
  for (const token of new Set(chosen)) {
    const id = encryption.decrypt(token)
    const photo = id === undefined ? undefined : await mediaCache.find('id', id)
    if (photo && decideAccess(photo, { via: 'event gallery', gallery, wants: 'preview' }) !== 'not found')
      photos.push(photo)
  }
  return photos
}

/** The emails that guests of an event ask for, but those with photos. */
export const eventRequestEmails = (deps: Dependencies): EventRequestComposers => ({
  archive: composeArchiveEmail(deps),
  notice: composeNotice(deps),
})
