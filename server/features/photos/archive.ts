import { createHash } from 'node:crypto'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import { archiveInPreparation, archivePhotos, downloadPhotoArchive } from '@keepsnap/contract/photos.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { chosenEvent, eventNotFound } from '../events/chosen-event.ts'
import { storedLanguage } from '../emails/compose.ts'
import { Fault, invalidField } from '../../faults.ts'
import {
  endWhenWithdrawn,
  type ByteSource,
  streamSource,
  beginAnswer,
  sendSpan,
} from '../../platform/http/send-object.ts'
import { matchesTag } from '../../platform/http/request-headers.ts'
import type { HttpReply, HttpRequest } from '../../platform/http/http-types.ts'
import type { CacheTag } from '../../platform/live/row-cache.ts'
import { countRateHit } from '../../platform/http/rate-limits.ts'
import type { Call, Serve } from '../../platform/http/serve.ts'
import { contentDisposition } from '../../lib/headers.ts'
import { createFairQueue } from '../../lib/concurrency.ts'
import { hashOf, isId, isSecret, newId, newSecret } from '../../lib/ids.ts'
import { releaseBuffer } from '../../lib/file-checksum.ts'
import { createUniqueNames, layOutZip, type ZipEntry, type ZipLayout } from '../../lib/zip.ts'
import type { ByteSpan, Storage } from '../../ports/storage/storage.ts'
import { cleanFilename, guestFilename, maxArchivedNameBytes, ownerFilename } from './filenames.ts'
import type { SharedPhoto } from './photo-access.ts'
import { recordCrc32 } from './stored-objects.ts'
import { checkDays, eveningOf, isOfEvening, timeZoneOf } from './gallery.ts'
import { isOfEvent, shownAt } from './photo-view.ts'

/** How long one call reads photos whose CRC-32 is not known. */
const prepareMs = 10_000
/** Photos that are read at the same time for that, of all users. */
const readsAtOnce = 4
/** The newest links of a user work. */
const linksPerUser = 10
/** How long a download that began in time can be resumed: two hours bring 5 GB at 6 Mbit/s, and Wi-Fi is often slower. */
const resumeHours = 6
/** Of one account, on each node; download managers open several. */
const downloadsAtOnce = 6

/** A photo in a ZIP file, as it was when the file was laid out. */
interface PhotoInZip {
  id: string
  key: string
  bytes: number
}

/** A photo in a ZIP file, as it was when its link was made. */
type ArchivedPhoto = PhotoInZip & ZipEntry

const expired = (): Fault =>
  new Fault('not_found', 'This link has expired. Choose the photos in the gallery and download them again.')

const cannotBeRead = (name: string): Fault =>
  new Fault('conflict', `${name} cannot be read. Please leave it out, or try again later.`)

/** Photos of their owner as one ZIP file: a link for some minutes, and the download. */
export function photoArchiveRoutes(serve: Serve, deps: Dependencies, manifests: EventManifests): void {
  const { db, urls, guestRenderer } = deps
  const prepare = createPreparation(deps)

  serve(archivePhotos, async ({ body: { ids, on, event: given } }, { actor }) => {
    const { userId } = actor
    if (ids === undefined && on === undefined && given !== undefined && given !== 'none')
      return addEventArchive(deps, manifests, userId, given)
    if ((ids === undefined) === (on === undefined)) throw invalidField('ids', 'Give one of ids, on and event')
    if (ids && given !== undefined) throw invalidField('event', 'Give event only with on')
    checkDays({ on }, 'body')
    if (ids && !ids.every(isId)) throw invalidField('ids', 'These are not the ids of photos')
    const event = await chosenEvent(db, actor, given, 'body')
    const owner = await db
      .selectFrom('users')
      .select(['brand_name', 'language', 'media_epoch'])
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    const timeZone = await timeZoneOf(db, userId)
    const { chosen, ready } = await chosenPhotos(db, { userId, ids, on, event, timeZone })
    const missing = ids ? new Set(ids).size - chosen : 0
    if (missing === 1) throw new Fault('not_found', 'One of these photos no longer exists. Please select them again.')
    if (missing > 1)
      throw new Fault('not_found', `${missing} of these photos no longer exist. Please select them again.`)
    if (chosen > limits.archiveMax)
      throw new Fault('conflict', 'This evening has more than 2,000 photos. Please select up to 2,000 of them.')
    if (chosen === 0) throw new Fault('not_found', 'There are no photos of this evening.')
    const [first, last] = [ready[0], ready.at(-1)]
    if (!first || !last)
      throw new Fault(
        'conflict',
        'None of these photos can be downloaded: they are not ready, have failed or are blocked.',
      )
    const checksums = await prepare(userId, ready)
    const uniqueName = createUniqueNames()
    const photos = ready.map(({ id, key, bytes, type, filename, created_at }): ArchivedPhoto => ({
      id,
      key,
      bytes,
      crc32: checksums.get(key) ?? 0,
      name: uniqueName(ownerFilename(filename, type, maxArchivedNameBytes)),
      modifiedAt: created_at,
    }))
    const evenings = first.evening === last.evening ? first.evening : `${first.evening} - ${last.evening}`
    const title = `${owner.brand_name ?? 'Keepsnap'} ${evenings}`
    const name = zipName(guestRenderer, { title, photos: photos.length, language: owner.language })
    const secret = newSecret()
    await addArchive(db, userId, { ...owner, name, secret, timeZone, photos })
    return { url: urls.photoArchive(secret), size_bytes: layOutZip(photos, { timeZone }).bytes }
  })

  serve(downloadPhotoArchive, async ({ params: { secret } }, { req, reply, client }) => {
    const archive = isSecret(secret) ? await archiveBySecret(db, secret) : undefined
    if (!archive || (archive.isOld && !isResumption(req, archive))) {
      await countRateHit(db, 'unknownCodes', client)
      throw expired()
    }
    const { userId, media_epoch: mediaEpoch, event, name } = archive
    const mayBeSent = (photo: SharedPhoto): boolean =>
      photo.userId === userId &&
      photo.ownerActive &&
      photo.isListed &&
      photo.mediaEpoch === mediaEpoch &&
      photo.state === 'ready' &&
      !photo.hiddenByOperator &&
      (event === null || photo.eventId === event.id)
    const shared = { mayBeSent, tag: `user ${userId}` as const, name }
    if (event) {
      const { photos, layout, tag } = await manifests(event, 'owner')
      const entityTag = `"${archive.tag}-${tag}"`
      const party = { name: `owner ${userId}`, atOnce: eventLimits.downloadsAtOnce }
      return sendArchive(deps, { req, reply }, { ...shared, photos, layout, entityTag, party })
    }
    if (!(await areAllThere(db, archive)))
      throw new Fault('not_found', 'Some of these photos have been deleted or replaced. Please download them again.')
    const { photos, timeZone } = archive
    const party = { name: `user ${userId}`, atOnce: downloadsAtOnce }
    return sendArchive(
      deps,
      { req, reply },
      { ...shared, photos, layout: layOutZip(photos, { timeZone }), entityTag: `"${archive.tag}"`, party },
    )
  })
}

/** The name of a ZIP file: what it has, and how many photos that are, in the language of their owner. */
function zipName(
  { translateCsv }: Dependencies['guestRenderer'],
  { title, photos, language: tag }: { title: string; photos: number; language: string | null },
): string {
  const language = storedLanguage(tag)
  const word = photos === 1 ? 'photo' : 'photos'
  const words = language === 'en' ? word : translateCsv(language, word)
  return cleanFilename(`${title.replace(/[/\\]/g, '-')} ${photos} ${words}.zip`)
}

/** A ZIP file that is sent. */
interface SentArchive {
  name: string
  photos: readonly PhotoInZip[]
  layout: ZipLayout
  entityTag: string
  /** Whether a photo, as it is now, may be sent; asked when its turn comes, and when access may have changed. */
  mayBeSent(photo: SharedPhoto): boolean
  /** Whether what opened the file still does; asked when access may have changed, and once a second. */
  isOpen?(): Promise<boolean>
  /** What access depends on besides the photo. */
  tag: CacheTag
  /** Who downloads it, and how often at the same time, on each node. */
  party: { name: string; atOnce: number }
  /** Called before its bytes are sent. */
  onBegin?(): void
}

/** How often the access to a whole file is looked at when nothing says that it changed: it can end at a time. */
const accessMs = 1_000
/** Downloads under way, by the names of those who download. */
const downloads = new Map<string, number>()

/** Sends a ZIP file or a range of it. */
async function sendArchive(
  deps: Dependencies,
  { req, reply }: Pick<Call, 'req' | 'reply'>,
  archive: SentArchive,
): Promise<undefined> {
  const { name, entityTag, layout, party } = archive
  if (req.method === 'GET') countDownload(reply, party)
  const span = await beginAnswer(req, reply, {
    entityTag,
    bytes: layout.bytes,
    type: 'application/zip',
    cacheControl: 'no-store',
    disposition: contentDisposition('attachment', name),
  })
  if (span) archive.onBegin?.()
  if (span) await sendSpan(reply, createSource(deps, reply, { archive, span }), span)
  return undefined
}

/** Counts a download until its connection is closed; throws when too many are under way. */
function countDownload({ raw }: HttpReply, { name, atOnce }: SentArchive['party']): void {
  const running = downloads.get(name) ?? 0
  if (running >= atOnce)
    throw new Fault('rate_limited', 'Several downloads are under way. Please wait until one has ended.', 30)
  if (raw.closed) return
  downloads.set(name, running + 1)
  raw.once('close', () => {
    const left = (downloads.get(name) ?? 1) - 1
    if (left === 0) downloads.delete(name)
    else downloads.set(name, left)
  })
}

/** Who has the entity tag began in time: it is in no address. Firefox asks with If-Match. The tag of an event's photos goes on when they change. */
function isResumption({ headers }: HttpRequest, { tag, event }: { tag: string; event: ArchivedEvent | null }): boolean {
  const proof = (headers['if-range'] ?? headers['if-match'])?.toString()
  if (headers.range === undefined || proof === undefined || proof === '*') return false
  return event ? proof.startsWith(`"${tag}-`) : matchesTag(proof, `"${tag}"`)
}

interface ChosenPhoto {
  id: string
  filename: string
  created_at: Date
  evening: string
  key: string
  type: string
  bytes: number
  crc32: number | null
}

/** The photos that a user chose, oldest first: how many there are, and those whose files can be downloaded. */
async function chosenPhotos(
  db: Db,
  {
    userId,
    ids,
    on,
    event,
    timeZone,
  }: {
    userId: string
    ids: string[] | undefined
    on: string | undefined
    event: string | undefined
    timeZone: string
  },
): Promise<{ chosen: number; ready: ChosenPhoto[] }> {
  const choice = on === undefined ? sql<boolean>`photos.id = any(${ids ?? []}::text[])` : isOfEvening(on, timeZone)
  const { rows } = await sql<ChosenPhoto & { isReady: boolean }>`
    select photos.id, filename, photos.created_at,
      ${eveningOf(shownAt, timeZone)}::text as evening, full_key as key, full_type as type, full_bytes as bytes,
      stored_objects.crc32, state = 'ready' and full_key is not null and operator_decision is distinct from 'hide' as "isReady"
    from photos left join stored_objects on stored_objects.key = full_key
    where photos.user_id = ${userId} and photos.deleted_at is null and state <> 'receiving' and photos.is_listed and ${choice}
      and ${isOfEvent(event)}
    order by ${shownAt}, photos.id limit ${limits.archiveMax + 1}`.execute(db)
  return { chosen: rows.length, ready: rows.filter(({ isReady }) => isReady) }
}

/** Finds the CRC-32 of each photo; reads those that have none, and records what it finds. `leaveOut`: photos that cannot be read have none. */
function createPreparation({ db, storage, log }: Dependencies, { leaveOut = false } = {}) {
  const inTurn = createFairQueue({
    concurrency: readsAtOnce,
    maxWaiting: 100_000,
    refusal: () => new Fault('unavailable', archiveInPreparation, 5),
  })
  /** So that they are not read again for each download. */
  const unreadable = new LRUCache<string, true>({ max: 10_000, ttl: 10 * 60_000 })
  return async (userId: string, photos: readonly Omit<ChosenPhoto, 'evening'>[]): Promise<Map<string, number>> => {
    const checksums = new Map(
      photos.flatMap(({ key, crc32: known }) => (known === null ? [] : [[key, known] as const])),
    )
    const unknown = photos.filter(({ key, crc32: known }) => known === null && !unreadable.has(key))
    const found: [string, number][] = []
    let left = unknown.length
    const deadline = performance.now() + prepareMs
    let failure: unknown
    await Promise.all(
      unknown.map((photo) =>
        inTurn([userId], async () => {
          if (failure !== undefined || performance.now() > deadline) return
          const checksum = await checksumOf(storage, photo).catch((error: unknown) => (failure = error))
          if (typeof checksum === 'number') {
            found.push([photo.key, checksum])
            left -= 1
          } else if (checksum === undefined) {
            log.warn({ photo: photo.id, key: photo.key }, 'the full image of a photo is missing or has another size')
            if (leaveOut) unreadable.set(photo.key, true)
            else failure = cannotBeRead(ownerFilename(photo.filename, photo.type))
            left -= 1
          }
        }),
      ),
    )
    await recordCrc32(db, found)
    if (failure !== undefined) throw failure
    if (left > 0) throw new Fault('unavailable', archiveInPreparation, 1)
    for (const [key, checksum] of found) checksums.set(key, checksum)
    return checksums
  }
}

/** The CRC-32 of a stored photo; undefined when it is not there, or has another size. */
async function checksumOf(
  storage: Storage,
  { key, bytes }: Pick<ChosenPhoto, 'key' | 'bytes'>,
): Promise<number | undefined> {
  const source = await storage.open(key)
  if (!source) return undefined
  let [checksum, size] = [0, 0]
  for await (const chunk of source as AsyncIterable<Buffer>) {
    checksum = crc32(chunk, checksum)
    size += chunk.length
    releaseBuffer(chunk)
  }
  return size === bytes ? checksum : undefined
}

interface NewArchive {
  name: string
  secret: string
  timeZone: string
  media_epoch: number
  /** An event's are listed when they are downloaded. */
  photos: ArchivedPhoto[] | null
  eventId?: string
}

async function addArchive(db: Db, userId: string, archive: NewArchive): Promise<void> {
  const files = archive.photos?.map(({ id, key, bytes, crc32: checksum, name, modifiedAt }) => [
    id,
    key,
    bytes,
    checksum,
    name,
    modifiedAt.getTime(),
  ])
  await sql`
    with owner as (
      select id from users where id = ${userId} for key share
    ), removed as (
      delete from photo_archives where secret_hash in (
        select secret_hash from photo_archives where user_id = ${userId} order by created_at desc offset ${linksPerUser - 1})
    )
    insert into photo_archives (secret_hash, user_id, name, entity_tag, time_zone, media_epoch, files, event_id)
    select ${hashOf(archive.secret)}, id, ${archive.name}, ${newId()}, ${archive.timeZone}, ${archive.media_epoch},
      ${files ? JSON.stringify(files) : null}::jsonb, ${archive.eventId ?? null} from owner`.execute(db)
}

type FoundArchive = NonNullable<Awaited<ReturnType<typeof archiveBySecret>>>

/** What a link downloads; undefined when its account is closed or its signed addresses were withdrawn since, as by a new password. */
async function archiveBySecret(db: Db, secret: string) {
  const row = await db
    .selectFrom('photo_archives')
    .innerJoin('users', 'users.id', 'photo_archives.user_id')
    .select([
      'users.id as userId',
      'photo_archives.name',
      'entity_tag',
      'files',
      'photo_archives.time_zone as timeZone',
      'photo_archives.media_epoch',
      'photo_archives.event_id',
    ])
    .select(
      sql<boolean>`photo_archives.created_at < now() - make_interval(mins => ${limits.archiveLinkMinutes})`.as('isOld'),
    )
    .where('secret_hash', '=', hashOf(secret))
    .where('users.is_active', '=', true)
    .whereRef('users.media_epoch', '=', 'photo_archives.media_epoch')
    .where('photo_archives.created_at', '>', sql<Date>`now() - make_interval(hours => ${resumeHours})`)
    .executeTakeFirst()
  if (!row) return undefined
  const { files, entity_tag: tag, event_id: eventId, ...archive } = row
  const event = eventId === null ? null : { id: eventId, userId: row.userId }
  const photos = ((files ?? []) as [string, string, number, number, string, number][]) // as `addArchive` writes them
    .map(([id, key, bytes, checksum, name, createdAtMs]): ArchivedPhoto => {
      return { id, key, bytes, crc32: checksum, name, modifiedAt: new Date(createdAtMs) }
    })
  return { ...archive, tag, event, photos }
}

/** Whether the owner still has all the photos, with the same files. */
async function areAllThere(db: Db, { userId, photos }: FoundArchive): Promise<boolean> {
  const { rows } = await sql<{ there: number }>`
    select count(*)::int as there from unnest(${photos.map(({ id }) => id)}::text[], ${photos.map(({ key }) => key)}::text[]) as file (id, key)
    join photos on photos.id = file.id and photos.full_key = file.key
    where photos.user_id = ${userId} and photos.deleted_at is null and photos.is_listed and state = 'ready'
      and operator_decision is distinct from 'hide'`.execute(db)
  return rows[0]?.there === photos.length
}

/**
 * The bytes of a ZIP file. A photo is opened when its turn comes, if it may be sent and is as it was; when it is deleted or hidden
 * meanwhile, or access ends, the answer ends.
 */
function createSource(
  { storage, mediaCache }: Dependencies,
  reply: HttpReply,
  { archive, span }: { archive: SentArchive; span: ByteSpan },
): ByteSource {
  const { layout, photos } = archive
  let current: { photo: PhotoInZip; file: ByteSource; stopWatching: () => void } | undefined
  let accessMayHaveChanged = (): void => {}
  const mayBeSent = async ({ id, key, bytes }: PhotoInZip): Promise<boolean> => {
    const now = await mediaCache.find('id', id)
    return now?.fullKey === key && now.fullBytes === bytes && archive.mayBeSent(now)
  }
  let lookedAt = -Infinity
  const isArchiveOpen = async (): Promise<boolean> => {
    const isOpen = (await archive.isOpen?.()) ?? true
    lookedAt = performance.now()
    return isOpen
  }
  const closeCurrent = async (): Promise<void> => {
    current?.stopWatching()
    await current?.file.close()
    current = undefined
  }
  endWhenWithdrawn(reply, {
    watch(listener) {
      accessMayHaveChanged = listener
      return mediaCache.watch(archive.tag, listener)
    },
    isOpen: async () => (await isArchiveOpen()) && (current === undefined || mayBeSent(current.photo)),
  })
  return {
    async prepare(position) {
      const part = layout.at(position)
      const photo = 'bytes' in part ? undefined : photos[part.entry]
      if ('bytes' in part || !photo) return
      if (current?.photo !== photo) {
        await closeCurrent()
        const stopWatching = mediaCache.watch(`photo ${photo.id}`, accessMayHaveChanged)
        // Whatever comes next, it is closed with the answer.
        current = { photo, file: { read: async () => ({ bytesRead: 0 }), close: () => {} }, stopWatching }
        const isOpen = performance.now() - lookedAt < accessMs || (await isArchiveOpen())
        if (!isOpen || !(await mayBeSent(photo)))
          throw new Error('a photo of a ZIP file was deleted, hidden or replaced')
        const last = Math.min(photo.bytes - 1, part.offset + span.end - position)
        current.file = await openPhoto(storage, photo, { start: part.offset, end: last })
      }
      await current.file.prepare?.(part.offset)
    },
    async read(buffer, offset, length, position) {
      const part = layout.at(position)
      if ('bytes' in part) return { bytesRead: part.bytes.copy(buffer, offset, 0, length) }
      return current ? current.file.read(buffer, offset, Math.min(length, part.left), part.offset) : { bytesRead: 0 }
    },
    wait: () => current?.file.wait?.(),
    close: closeCurrent,
  }
}

/** The file of a photo; throws when it is not there or has another size than the ZIP file says. */
async function openPhoto(storage: Storage, { key, bytes }: PhotoInZip, span: ByteSpan): Promise<ByteSource> {
  const gone = (): Error => new Error('the file of a photo of a ZIP file is missing or has another size')
  const file = await storage.openFile?.(key)
  if (file) {
    if ((await file.stat()).size === bytes) return file
    await file.close()
    throw gone()
  }
  const open = async (start: number) => {
    const stream = await storage.open(key, { start, end: span.end })
    if (!stream) throw gone()
    return stream
  }
  const [stream, size] = await Promise.all([open(span.start), storage.sizeOf(key)])
  if (size === bytes) return streamSource(stream, { start: span.start, open })
  stream.destroy()
  throw gone()
}

// All photos of an event

/** Who downloads them: the owner also those that the owner hid, with their names; guests those that are open. */
export type EventReader = 'owner' | 'guests'

export interface ArchivedEvent {
  id: string
  userId: string
}

/** The photos of an event that a reader may download, without what is not ready, not listed, failed or blocked. */
export const isInEventArchive = (eventId: string, reader: EventReader) => sql<boolean>`(
  photos.event_id = ${eventId} and photos.deleted_at is null and photos.is_listed and photos.state = 'ready'
  and full_key is not null and operator_decision is distinct from 'hide' and ${reader === 'owner' ? sql`true` : sql`hidden_at is null`})`

/** How many photos the ZIP file of an event has, and how large they are together. */
export async function eventArchiveSize(
  db: Db,
  eventId: string,
  reader: EventReader,
): Promise<{ photos: number; bytes: number }> {
  const { rows } = await sql<{ photos: number; bytes: number }>`
    select count(*)::int as photos, coalesce(sum(full_bytes), 0)::int8 as bytes from photos
    where ${isInEventArchive(eventId, reader)}`.execute(db)
  return rows[0] ?? { photos: 0, bytes: 0 }
}

/** The photos of an event as one ZIP file. What has changed in the last second may be missing in it. */
export interface EventManifest {
  photos: readonly PhotoInZip[]
  layout: ZipLayout
  /** Another one as soon as a byte of the file is another one. */
  tag: string
}

/** Throws `unavailable` while checksums are still being found, and `not_found` without photos. */
export type EventManifests = (event: ArchivedEvent, reader: EventReader) => Promise<EventManifest>

/** Of all manifests that are kept for the next download. */
const manifestPhotosMax = 200_000
const manifestMaxMs = 60_000
/** While photos change all the time: laying out 20,000 takes 0.4 s. */
const manifestMinMs = 1_000
/** Photos that are laid out before others get their turn. */
const photosAtOnce = 500

export function createEventManifests(deps: Dependencies): EventManifests {
  const prepare = createPreparation(deps, { leaveOut: true })
  type Asked = { event: ArchivedEvent; reader: EventReader }
  interface Kept {
    madeAt: number
    manifest: EventManifest
  }
  /** When something of an account last changed. */
  const changes = new LRUCache<string, number>({ max: 10_000 })
  const kept = new LRUCache<string, Kept, Asked>({
    maxSize: manifestPhotosMax,
    sizeCalculation: ({ manifest }) => Math.max(1, manifest.photos.length),
    ttl: manifestMaxMs,
    ignoreFetchAbort: true,
    async fetchMethod(_, known, { context: { event, reader } }) {
      const madeAt = performance.now()
      const made = await makeManifest(deps.db, prepare, event, reader)
      // Downloads under way have the same lists.
      return { madeAt, manifest: known?.manifest.tag === made.tag ? known.manifest : made }
    },
  })
  deps.bus.onEvent((event) => 'user' in event && changes.set(event.user, performance.now()))
  deps.bus.onMissedEvents(() => kept.clear())
  return async (event, reader) => {
    const key = `${reader} ${event.id}`
    const known = kept.peek(key)
    const isOld = (changes.get(event.userId) ?? 0) > (known?.madeAt ?? 0) || !deps.bus.isListening()
    const forceRefresh = known !== undefined && isOld && performance.now() - known.madeAt > manifestMinMs
    const { manifest } = await kept.forceFetch(key, { context: { event, reader }, forceRefresh })
    return manifest
  }
}

/** Sends the photos that guests may see of an event, whose name the file has. */
export async function sendGuestArchive(
  deps: Dependencies,
  manifests: EventManifests,
  call: Pick<Call, 'req' | 'reply'>,
  {
    event,
    ...access
  }: Pick<SentArchive, 'mayBeSent' | 'isOpen' | 'party' | 'onBegin'> & {
    event: ArchivedEvent & { name: string; language: string | null }
  },
): Promise<undefined> {
  const { photos, layout, tag } = await manifests(event, 'guests')
  const name = zipName(deps.guestRenderer, { title: event.name, photos: photos.length, language: event.language })
  const sent = { photos, layout, name, entityTag: `"${tag}"`, tag: `user ${event.userId}` as const }
  return sendArchive(deps, call, { ...sent, ...access })
}

async function makeManifest(
  db: Db,
  prepare: ReturnType<typeof createPreparation>,
  { id, userId }: ArchivedEvent,
  reader: EventReader,
): Promise<EventManifest> {
  const timeZone = await timeZoneOf(db, userId)
  const { rows } = await sql<Omit<ChosenPhoto, 'evening'>>`
    select photos.id, filename, photos.created_at, full_key as key, full_type as type, full_bytes as bytes, stored_objects.crc32
    from photos left join stored_objects on stored_objects.key = full_key where ${isInEventArchive(id, reader)}
    order by ${shownAt}, photos.id limit ${eventLimits.archiveMax + 1}`.execute(db)
  if (rows.length > eventLimits.archiveMax)
    throw new Fault(
      'conflict',
      `This event has more than ${eventLimits.archiveMax} photos. Please select up to ${limits.archiveMax} at a time in the gallery.`,
    )
  const checksums = await prepare(userId, rows)
  const uniqueName = createUniqueNames()
  const entries: ArchivedPhoto[] = []
  const hash = createHash('sha256').update(timeZone)
  for (const [index, { id: photo, key, bytes, type, filename, created_at: at }] of rows.entries()) {
    if (index % photosAtOnce === photosAtOnce - 1) await nextIteration()
    const checksum = checksums.get(key)
    if (checksum === undefined) continue
    const name = uniqueName(
      reader === 'owner'
        ? ownerFilename(filename, type, maxArchivedNameBytes)
        : guestFilename({ createdAt: at, timeZone }, type),
    )
    entries.push({ id: photo, key, bytes, crc32: checksum, name, modifiedAt: at })
    hash.update(`${key} ${checksum} ${bytes} ${at.getTime()} ${name}\n`)
  }
  if (entries.length === 0) throw new Fault('not_found', 'There are no photos to download yet.')
  const layout = layOutZip(entries, { timeZone })
  const photos = entries.map(({ id: photo, key, bytes }) => ({ id: photo, key, bytes }))
  return { photos, layout, tag: hash.digest('base64url').slice(0, 22) }
}

/** A link that downloads all photos of an event of this account. */
async function addEventArchive(
  { db, urls, guestRenderer }: Dependencies,
  manifests: EventManifests,
  userId: string,
  eventId: string,
): Promise<{ url: string; size_bytes: number }> {
  const event = await db
    .selectFrom('events')
    .innerJoin('users', 'users.id', 'events.user_id')
    .select(['name', 'language', 'media_epoch'])
    .where('events.id', '=', eventId)
    .where('events.user_id', '=', userId)
    .where('events.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!event) throw eventNotFound()
  const { photos, layout } = await manifests({ id: eventId, userId }, 'owner')
  const secret = newSecret()
  const { language, media_epoch } = event
  const name = zipName(guestRenderer, { title: event.name, photos: photos.length, language })
  const timeZone = await timeZoneOf(db, userId)
  await addArchive(db, userId, { name, secret, timeZone, media_epoch, photos: null, eventId })
  return { url: urls.photoArchive(secret), size_bytes: layout.bytes }
}

/** Removes links that work for nobody any more. */
export const deleteOldPhotoArchives = async (db: Db): Promise<void> =>
  void (await db
    .deleteFrom('photo_archives')
    .where('created_at', '<', sql<Date>`now() - make_interval(hours => ${resumeHours})`)
    .execute())
