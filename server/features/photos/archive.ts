import { crc32 } from 'node:zlib'
import { sql } from 'kysely'
import { limits } from '@keepsnap/contract/limits.ts'
import { archiveInPreparation, archivePhotos, downloadPhotoArchive } from '@keepsnap/contract/photos.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { chosenEvent, type EventChoice } from '../events/chosen-event.ts'
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
import { countRateHit } from '../../platform/http/rate-limits.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { contentDisposition } from '../../lib/headers.ts'
import { createFairQueue } from '../../lib/concurrency.ts'
import { hashOf, isId, isSecret, newId, newSecret } from '../../lib/ids.ts'
import { releaseBuffer } from '../../lib/file-checksum.ts'
import { createUniqueNames, layOutZip, type ZipLayout } from '../../lib/zip.ts'
import type { ByteSpan, Storage } from '../../ports/storage/storage.ts'
import { cleanFilename, maxArchivedNameBytes, ownerFilename } from './filenames.ts'
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

/** A photo in a ZIP file, as it was when its link was made. */
interface ArchivedPhoto {
  id: string
  key: string
  bytes: number
  crc32: number
  name: string
  createdAtMs: number
}

const expired = (): Fault =>
  new Fault('not_found', 'This link has expired. Choose the photos in the gallery and download them again.')

const cannotBeRead = (name: string): Fault =>
  new Fault('conflict', `${name} cannot be read. Please leave it out, or try again later.`)

/** Photos of their owner as one ZIP file: a link for some minutes, and the download. */
export function photoArchiveRoutes(serve: Serve, deps: Dependencies): void {
  const { db, urls, guestRenderer } = deps
  const prepare = createPreparation(deps)
  const downloads = new Map<string, number>()

  serve(archivePhotos, async ({ body: { ids, on, event: given } }, { actor }) => {
    const { userId } = actor
    if ((ids === undefined) === (on === undefined)) throw invalidField('ids', 'Give either ids or on')
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
      createdAtMs: created_at.getTime(),
    }))
    const language = storedLanguage(owner.language)
    const word = photos.length === 1 ? 'photo' : 'photos'
    const evenings = first.evening === last.evening ? first.evening : `${first.evening} - ${last.evening}`
    const words = language === 'en' ? word : guestRenderer.translateCsv(language, word)
    const name = cleanFilename(`${owner.brand_name ?? 'Keepsnap'} ${evenings} ${photos.length} ${words}.zip`)
    const secret = newSecret()
    await addArchive(db, userId, { ...owner, name, secret, timeZone, photos })
    return { url: urls.photoArchive(secret), size_bytes: layoutOf({ photos, timeZone }).bytes }
  })

  serve(downloadPhotoArchive, async ({ params: { secret } }, { req, reply, client }) => {
    const archive = isSecret(secret) ? await archiveBySecret(db, secret) : undefined
    if (!archive || (archive.isOld && !isResumption(req, archive.entityTag))) {
      await countRateHit(db, 'unknownCodes', client)
      throw expired()
    }
    const { userId, photos, entityTag, name } = archive
    if (!(await areAllThere(db, archive)))
      throw new Fault('not_found', 'Some of these photos have been deleted or replaced. Please download them again.')
    const running = downloads.get(userId) ?? 0
    if (req.method === 'GET' && running >= downloadsAtOnce)
      throw new Fault('rate_limited', 'Several downloads are under way. Please wait until one has ended.', 30)
    const layout = layoutOf(archive)
    const span = await beginAnswer(req, reply, {
      entityTag,
      bytes: layout.bytes,
      type: 'application/zip',
      cacheControl: 'no-store',
      disposition: contentDisposition('attachment', name),
    })
    if (!span) return undefined
    downloads.set(userId, (downloads.get(userId) ?? 0) + 1)
    reply.raw.once('close', () => {
      const left = (downloads.get(userId) ?? 1) - 1
      if (left === 0) downloads.delete(userId)
      else downloads.set(userId, left)
    })
    await sendSpan(reply, createSource(deps, reply, { layout, photos, span, archive }), span)
  })
}

const layoutOf = ({ photos, timeZone }: { photos: readonly ArchivedPhoto[]; timeZone: string }): ZipLayout =>
  layOutZip(
    photos.map(({ createdAtMs, ...photo }) => ({ ...photo, modifiedAt: new Date(createdAtMs) })),
    { timeZone },
  )

/** Who has the entity tag began in time: it is in no address. Firefox asks with If-Match. */
function isResumption({ headers }: HttpRequest, entityTag: string): boolean {
  const proof = headers['if-range'] ?? headers['if-match']
  return headers.range !== undefined && proof !== '*' && matchesTag(proof?.toString(), entityTag)
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
    order by photos.created_at, photos.id limit ${limits.archiveMax + 1}`.execute(db)
  return { chosen: rows.length, ready: rows.filter(({ isReady }) => isReady) }
}

/** Finds the CRC-32 of each photo; reads those that have none, and records what it finds. */
function createPreparation({ db, storage, log }: Dependencies) {
  const inTurn = createFairQueue({
    concurrency: readsAtOnce,
    maxWaiting: 100_000,
    refusal: () => new Fault('unavailable', archiveInPreparation, 5),
  })
  return async (userId: string, photos: readonly ChosenPhoto[]): Promise<Map<string, number>> => {
    const checksums = new Map(
      photos.flatMap(({ key, crc32: known }) => (known === null ? [] : [[key, known] as const])),
    )
    const unknown = photos.filter(({ crc32: known }) => known === null)
    const found: [string, number][] = []
    const deadline = performance.now() + prepareMs
    let failure: unknown
    await Promise.all(
      unknown.map((photo) =>
        inTurn([userId], async () => {
          if (failure !== undefined || performance.now() > deadline) return
          const checksum = await checksumOf(storage, photo).catch((error: unknown) => (failure = error))
          if (typeof checksum === 'number') found.push([photo.key, checksum])
          else if (checksum === undefined) {
            log.warn({ photo: photo.id, key: photo.key }, 'the full image of a photo is missing or has another size')
            failure = cannotBeRead(ownerFilename(photo.filename, photo.type))
          }
        }),
      ),
    )
    await recordCrc32(db, found)
    if (failure !== undefined) throw failure
    if (found.length < unknown.length) throw new Fault('unavailable', archiveInPreparation, 1)
    for (const [key, checksum] of found) checksums.set(key, checksum)
    return checksums
  }
}

/** The CRC-32 of a stored photo; undefined when it is not there, or has another size. */
async function checksumOf(storage: Storage, { key, bytes }: ChosenPhoto): Promise<number | undefined> {
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

async function addArchive(
  db: Db,
  userId: string,
  archive: { name: string; secret: string; timeZone: string; media_epoch: number; photos: ArchivedPhoto[] },
): Promise<void> {
  const files = archive.photos.map(({ id, key, bytes, crc32: checksum, name, createdAtMs }) => [
    id,
    key,
    bytes,
    checksum,
    name,
    createdAtMs,
  ])
  await sql`
    with owner as (
      select id from users where id = ${userId} for key share
    ), removed as (
      delete from photo_archives where secret_hash in (
        select secret_hash from photo_archives where user_id = ${userId} order by created_at desc offset ${linksPerUser - 1})
    )
    insert into photo_archives (secret_hash, user_id, name, entity_tag, time_zone, media_epoch, files)
    select ${hashOf(archive.secret)}, id, ${archive.name}, ${newId()}, ${archive.timeZone}, ${archive.media_epoch},
      ${JSON.stringify(files)}::jsonb from owner`.execute(db)
}

type FoundArchive = NonNullable<Awaited<ReturnType<typeof archiveBySecret>>>

/** What a link downloads; undefined when its account is closed or its signed addresses were withdrawn since, as by a new password. */
async function archiveBySecret(db: Db, secret: string) {
  const row = await db
    .selectFrom('photo_archives')
    .innerJoin('users', 'users.id', 'photo_archives.user_id')
    .select([
      'users.id as userId',
      'name',
      'entity_tag',
      'files',
      'photo_archives.time_zone as timeZone',
      'photo_archives.media_epoch',
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
  const { files, entity_tag, ...archive } = row
  const photos = (files as [string, string, number, number, string, number][]) // as `addArchive` writes them
    .map(([id, key, bytes, checksum, name, createdAtMs]): ArchivedPhoto => ({
      id,
      key,
      bytes,
      crc32: checksum,
      name,
      createdAtMs,
    }))
  return { ...archive, entityTag: `"${entity_tag}"`, photos }
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
 * The bytes of a ZIP file. A photo is opened when its turn comes, if its owner still has it as it was; when it is deleted or an
 * operator hides it meanwhile, the answer ends.
 */
function createSource(
  { storage, mediaCache }: Dependencies,
  reply: HttpReply,
  {
    layout,
    photos,
    span,
    archive,
  }: { layout: ZipLayout; photos: ArchivedPhoto[]; span: ByteSpan; archive: FoundArchive },
): ByteSource {
  const { userId, media_epoch } = archive
  let current: { photo: ArchivedPhoto; file: ByteSource; stopWatching: () => void } | undefined
  let accessMayHaveChanged = (): void => {}
  const mayBeSent = async ({ id, key, bytes }: ArchivedPhoto): Promise<boolean> => {
    const now = await mediaCache.find('id', id)
    return (
      now?.userId === userId &&
      now.ownerActive &&
      now.isListed &&
      now.mediaEpoch === media_epoch &&
      now.state === 'ready' &&
      !now.hiddenByOperator &&
      now.fullKey === key &&
      now.fullBytes === bytes
    )
  }
  const closeCurrent = async (): Promise<void> => {
    current?.stopWatching()
    await current?.file.close()
    current = undefined
  }
  endWhenWithdrawn(reply, {
    watch(listener) {
      accessMayHaveChanged = listener
      return mediaCache.watch(`user ${userId}`, listener)
    },
    isOpen: async () => current === undefined || mayBeSent(current.photo),
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
        if (!(await mayBeSent(photo))) throw new Error('a photo of a ZIP file was deleted, hidden or replaced')
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
async function openPhoto(storage: Storage, { key, bytes }: ArchivedPhoto, span: ByteSpan): Promise<ByteSource> {
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

/** Removes links that work for nobody any more. */
export const deleteOldPhotoArchives = async (db: Db): Promise<void> =>
  void (await db
    .deleteFrom('photo_archives')
    .where('created_at', '<', sql<Date>`now() - make_interval(hours => ${resumeHours})`)
    .execute())
