import { sql } from 'kysely'
import {
  addOwnPhoto,
  contributorConsent,
  joinEvent,
  type OwnPhoto,
  type OwnPhotos,
  ownPhotos,
  ownThumbnail,
  takeBackOwnPhoto,
} from '@keepsnap/contract/event-photos.ts'
import type { Input } from '@keepsnap/contract/endpoint.ts'
import { contributorNameMessages, contributorNameProblem, normalizeName } from '@keepsnap/contract/form-rules.ts'
import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault, invalidField } from '../../faults.ts'
import { hashOf, newId, newSecret } from '../../lib/ids.ts'
import { countRateHit } from '../../platform/http/rate-limits.ts'
import { languageOf } from '../../platform/http/request-headers.ts'
import { cookieSecretOf, setSecretCookie } from '../../platform/http/secret-cookies.ts'
import { sendObject } from '../../platform/http/send-object.ts'
import type { Call, Serve } from '../../platform/http/serve.ts'
import { publish } from '../../platform/live/bus.ts'
import { deletePhotoOf } from '../photos/delete.ts'
import { timeZoneOf } from '../photos/gallery.ts'
import { decideAccess, sharedPhotoNotFound } from '../photos/photo-access.ts'
import type { UploadHandler } from '../photos/upload.ts'
import { lockUser } from '../plans/plans.ts'
import { addingOf, changeGuestCounts, type GuestActor, refuseUnlessOpen, tellThatFull } from './guest-counts.ts'
import { imageTag } from './guest-gallery.ts'
import { galleryOfCode } from './guest-pages.ts'
import { removeUnlisted } from './review.ts'

/**
 * Guests who add photos to an event. A device that joins gets a secret in a cookie, one for each event: it works on plain http as on
 * https, is never sent from pages of other sites, and no script reads it.
 */
export function contributorRoutes(serve: Serve, deps: Dependencies, receiveUpload: UploadHandler): void {
  const { db, mediaCache, storage, urls } = deps

  serve(joinEvent, async ({ params: { code }, body }, call) => {
    const event = await eventOfCode(deps, code, call.client)
    await countRateHit(db, 'guestAdds', `${event.id} ${call.client}`)
    const contributor = await join(deps, event, body, call)
    return mineOf(deps, event, contributor)
  })

  serve(ownPhotos, async ({ params: { code } }, call) => {
    const event = await eventOfCode(deps, code, call.client)
    const contributor = await contributorOf(db, event, call.req)
    if (contributor)
      await sql`
        update contributors set last_seen_at = now()
        where id = ${contributor.id} and last_seen_at < now() - interval '1 hour'`.execute(db)
    return mineOf(deps, event, contributor)
  })

  serve(addOwnPhoto, async ({ params: { code } }, { req, reply, client }) => {
    const event = await eventOfCode(deps, code, client)
    const [contributor, timeZone] = await Promise.all([contributorOf(db, event, req), timeZoneOf(db, event.userId)])
    if (contributor?.consent_version !== contributorConsent.version) throw joinFirst()
    const actor = actorOf(event, contributor, { client, timeZone })
    try {
      const id = await receiveUpload({ actor, req, reply })
      const [photo] = await photosOf(db, contributor.id, id)
      if (!photo) throw ownPhotoNotFound()
      return ownPhotoView(event, photo, urls.ownPhotos(contributor.id).encrypt(photo.id))
    } catch (error) {
      if (error instanceof Fault && error.code === 'quota_photos') await tellThatFull(db, actor)
      throw error
    }
  })

  serve(takeBackOwnPhoto, async ({ params: { code, token } }, { req, client }) => {
    const event = await eventOfCode(deps, code, client)
    const contributor = await contributorOf(db, event, req)
    const id = contributor && urls.ownPhotos(contributor.id).decrypt(token)
    if (!contributor || id === undefined) throw ownPhotoNotFound()
    await db.transaction().execute((tx) => takeBack(tx, { userId: event.userId, contributorId: contributor.id, id }))
    mediaCache.invalidatePhoto(id)
    return null
  })

  serve(ownThumbnail, async ({ params: { code, token } }, { req, reply, client }) => {
    const event = await eventOfCode(deps, code, client)
    const contributor = await contributorOf(db, event, req)
    const id = contributor && urls.ownPhotos(contributor.id).decrypt(token)
    const photo = id === undefined ? undefined : await mediaCache.find('id', id)
    const isOwn = contributor !== undefined && photo?.contributorId === contributor.id
    if (decideAccess(photo, { via: 'contributor', isOwn }) !== 'allow') throw sharedPhotoNotFound()
    const { thumbKey: key = null, thumbBytes: bytes = null } = photo ?? {}
    if (key === null || bytes === null) throw sharedPhotoNotFound()
    const entityTag = imageTag(token, key)
    const object = { key, bytes, type: 'image/webp', cacheControl: 'private, no-cache', entityTag }
    await sendObject(req, reply, { storage, object })
  })
}

/** An event as guests reach it. */
interface CodedEvent {
  id: string
  userId: string
  code: string
  /** `table`: the code of a table. */
  kind: string
}

/** The event of a code that is not revoked; it may be closed. Clients that try many unknown codes are slowed down. */
async function eventOfCode(deps: Dependencies, code: string, client: string): Promise<CodedEvent> {
  const { eventId: id, userId, kind } = await galleryOfCode(deps, code, client)
  return { id, userId, code, kind }
}

// Contributors

const joinFirst = (): Fault =>
  new Fault('unauthorized', 'Please agree to the sentence about sharing your photos first, then add them.')

/** By the event, whichever of its codes was scanned. */
const cookieOf = (eventId: string): string => `contributor-${eventId.slice(0, 8)}`

interface Contributor {
  id: string
  name: string | null
  consent_version: string
  consented_at: Date
  language: string
}

/** Who adds photos from the device of a request; undefined before it has joined, and after the contributor was deleted. */
async function contributorOf(db: Db, { id }: CodedEvent, req: Call['req']): Promise<Contributor | undefined> {
  const secret = cookieSecretOf(req, cookieOf(id))
  if (secret === undefined) return undefined
  return db
    .selectFrom('contributors')
    .select(['id', 'name', 'consent_version', 'consented_at', 'language'])
    .where('token_hash', '=', hashOf(secret))
    .where('event_id', '=', id)
    .executeTakeFirst()
}

const actorOf = (
  event: CodedEvent,
  contributor: Contributor,
  from: Pick<GuestActor, 'client' | 'timeZone'>,
): GuestActor => ({
  by: 'guest',
  userId: event.userId,
  eventId: event.id,
  contributorId: contributor.id,
  tableCode: event.kind === 'table' ? event.code : null,
  ...from,
  consent: {
    version: contributor.consent_version,
    at: contributor.consented_at.toISOString(),
    language: contributor.language,
  },
})

async function join(
  { db, config, guestActivity }: Dependencies,
  event: CodedEvent,
  body: Input<typeof joinEvent>['body'],
  { req, reply }: Pick<Call, 'req' | 'reply'>,
): Promise<Contributor> {
  if (body.consent_version !== contributorConsent.version)
    throw invalidField('consent_version', 'Please open this page again and agree to the sentence on it')
  const name = normalizeName(body.name ?? '') || null
  const problem = name !== null && contributorNameProblem(name)
  if (problem) throw invalidField('name', contributorNameMessages[problem])
  const known = await contributorOf(db, event, req)
  const values = { name, consent_version: body.consent_version, language: body.language ?? languageOf(req) }
  if (known) {
    const isSame = known.consent_version === values.consent_version
    return db
      .updateTable('contributors')
      .set({ ...values, last_seen_at: sql`now()`, ...(!isSame && { consented_at: sql`now()` }) })
      .where('id', '=', known.id)
      .returningAll()
      .executeTakeFirstOrThrow()
  }
  const id = newId()
  const secret = newSecret()
  await refuseUnlessOpen(db, { userId: event.userId, eventId: event.id })
  const contributor = await db
    .insertInto('contributors')
    .values({ ...values, id, event_id: event.id, token_hash: hashOf(secret) })
    .returningAll()
    .executeTakeFirstOrThrow()
  guestActivity.addToEvent({ eventId: event.id, userId: event.userId }, 'joins')
  const maxAge = eventLimits.contributorDays * 86_400
  setSecretCookie({ req, reply, config }, { name: cookieOf(event.id), secret, path: '/e/', maxAge })
  return contributor
}

// Own photos

const ownPhotoNotFound = (): Fault => new Fault('not_found', 'This photo does not exist.')

async function mineOf(deps: Dependencies, event: CodedEvent, contributor: Contributor | undefined): Promise<OwnPhotos> {
  const of = { userId: event.userId, eventId: event.id, contributorId: contributor?.id ?? null }
  const photos = contributor ? await photosOf(deps.db, contributor.id) : []
  const tokens = deps.urls.ownPhotos(contributor?.id ?? '')
  return {
    contributor: contributor ? { name: contributor.name } : null,
    adding: await addingOf(deps.db, of),
    photos: photos.map((photo) => ownPhotoView(event, photo, tokens.encrypt(photo.id))),
  }
}

/** The newest photos of a contributor, or one of them. */
const photosOf = (db: Db, contributorId: string, id?: string) =>
  db
    .selectFrom('photos')
    .select(['id', 'state', 'review', 'hidden_at', 'operator_decision', 'error_message'])
    .select(['thumb_key', 'created_at'])
    .select(canTakeBack.as('can_take_back'))
    .where('contributor_id', '=', contributorId)
    .where('deleted_at', 'is', null)
    .where('state', '!=', 'receiving')
    .where(id === undefined ? sql<boolean>`true` : sql<boolean>`id = ${id}`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(eventLimits.ownPhotosMax)
    .execute()

const canTakeBack = sql<boolean>`created_at > now() - make_interval(mins => ${sql.lit(eventLimits.takeBackMinutes)})`

type OwnPhotoRow = Awaited<ReturnType<typeof photosOf>>[number]

function ownStateOf({ state, review, hidden_at, operator_decision }: OwnPhotoRow): OwnPhoto['state'] {
  if (state === 'failed') return 'failed'
  if (review === 'rejected') return 'not_taken'
  if (state !== 'ready') return 'processing'
  if (review === 'waiting') return 'waiting'
  return hidden_at !== null || operator_decision === 'hide' ? 'not_taken' : 'shown'
}

function ownPhotoView({ code }: CodedEvent, row: OwnPhotoRow, token: string): OwnPhoto {
  const hasThumbnail = row.thumb_key !== null && row.operator_decision !== 'hide'
  return {
    token,
    state: ownStateOf(row),
    error_message: row.error_message,
    thumbnail_path: hasThumbnail ? `/e/${code}/mine/${token}/thumbnail` : null,
    added_at: row.created_at.toISOString(),
    take_back_until: row.can_take_back
      ? new Date(row.created_at.getTime() + eventLimits.takeBackMinutes * 60_000).toISOString()
      : null,
  }
}

/** Deletes a photo for its contributor. Its place can be used again. */
async function takeBack(
  tx: Db,
  { userId, contributorId, id }: { userId: string; contributorId: string; id: string },
): Promise<void> {
  if (!(await lockUser(tx, userId))) throw ownPhotoNotFound()
  const photo = await tx
    .selectFrom('photos')
    .select(['event_id', 'review', 'state', 'is_listed', canTakeBack.as('isInTime')])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('contributor_id', '=', contributorId)
    .where('deleted_at', 'is', null)
    .where('state', '!=', 'receiving')
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!photo) throw ownPhotoNotFound()
  if (!photo.isInTime)
    throw new Fault('conflict', 'Photos can be taken back within an hour. Please ask the hosts to remove this one.')
  if (photo.is_listed) await deletePhotoOf(tx, userId, id)
  else await removeUnlisted(tx, userId, [id])
  // Those that were rejected or have failed have no place any more.
  if (photo.review !== 'rejected' && photo.state !== 'failed')
    await changeGuestCounts(tx, { userId, photos: [id], by: -1 })
  if (photo.event_id !== null) await publish(tx, { kind: 'review', user: userId, event: photo.event_id })
}
