import { createHash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import PQueue from 'p-queue'
import { limits } from '@keepsnap/contract/limits.ts'
import { repeatedHeader, uploadPhoto } from '@keepsnap/contract/photos.ts'
import { maxFileBytes, plans, storageBytes, type Plan } from '@keepsnap/contract/plans.ts'
import { idempotencyKeyOfOtherFile } from '@keepsnap/contract/public-api.ts'
import { isDatabaseDown, isViolation, type Db } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault, invalidField, noApiAccess, unauthorized } from '../../faults.ts'
import type { KeyActor, SessionActor } from '../../platform/http/authenticator.ts'
import type { HttpReply, HttpRequest } from '../../platform/http/http-types.ts'
import { receiveFile, type IncomingFile } from '../../platform/http/request-bodies.ts'
import { countRateHit } from '../../platform/http/rate-limits.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { PhotoJob } from '../../images/sandbox/image-jobs.ts'
import { addJobExpression, wakeUpExpression } from '../../platform/jobs/queue.ts'
import { newId } from '../../lib/ids.ts'
import {
  acceptGuestPhoto,
  countGuestRates,
  type GuestActor,
  guestFileTooLarge,
  guestStorageBytes,
  noneFit,
  reserveGuestPhoto,
} from '../events/guest-counts.ts'
import { publishExpression } from '../../platform/live/bus.ts'
import { StorageDown } from '../../ports/storage/storage.ts'
import { hasBranding } from '../branding/brands.ts'
import { eventOfKeyGone, eventOfUpload, isLiveEvent } from '../events/chosen-event.ts'
import {
  currentMonth,
  currentPlan,
  lockUser,
  planNumber,
  planOf,
  storedBytes,
  type PlanColumn,
} from '../plans/plans.ts'
import {
  fileTooLargeMessage,
  monthlyPhotos,
  monthlyQuotaRefusal,
  storageQuotaRefusal,
  warnAboutFullStorage,
  warnAboutUpload,
  warnedPercent,
} from '../plans/usage.ts'
import { storedCaptureTime } from './capture-time.ts'
import { cleanFilename } from './filenames.ts'
import { createUploadInspector, type InspectedBytes } from './inspect-upload.ts'
import { photoOrNotFound } from './photo-view.ts'
import {
  admitSlowFile,
  countProcessingTime,
  joinTurns,
  processJobOf,
  refuseAfterFailures,
  type PhotoToProcess,
} from './processing-turns.ts'
import { newStorageKey, registerKeysClause, unregisterKeys } from './stored-objects.ts'

/** Uploads of the caller's from the web app; those of programs are in `integrations/customer-api.ts`. */
export function uploadRoutes(serve: Serve, { photoReads, urls }: Dependencies, receiveUpload: UploadHandler): void {
  serve(uploadPhoto, async ({ query }, { actor, req, reply }) =>
    photoOrNotFound(urls, await photoReads.one(actor.userId, await receiveUpload({ actor, req, reply }, query))),
  )
}

/** An upload by the page, by a customer's program or by a guest of an event. */
interface UploadCall {
  actor: SessionActor | KeyActor | GuestActor
  req: HttpRequest
  /** Gets a header if the upload is a repeated one. */
  reply: HttpReply
}

/** The place of a file among those that were chosen together. */
interface UploadOrder {
  selection?: string
  position?: number
}

/** What the address of an upload says. */
interface UploadQuery extends UploadOrder {
  /** The id of an event, or `none`. */
  event?: string
}

/** Receives one photo; its id, once it is stored durably. A repeated upload has the id of the first one. */
export type UploadHandler = (call: UploadCall, query?: UploadQuery) => Promise<string>

/** Of an account, so few wait in the database for the row of its month, and for its lock: the others hold no connection meanwhile. */
const maxGuestUploads = { atOnce: 24, reservedAtOnce: 2, acceptedAtOnce: 2, waiting: 2_000 }

const tooManyGuests = (): Fault =>
  new Fault('unavailable', 'Many guests are adding photos right now. Please try again in a moment.', 5)

/**
 * Handles all uploads. A user's pages and programs share upload slots, limits and idempotency keys. A guest has those of the own device,
 * and the guests of an event share slots besides, so that they leave room for their hosts.
 */
export function createUploadHandler(deps: Dependencies): UploadHandler {
  const { db } = deps
  const withOwnSlot = createUploadSlots()
  const guestSlots = (atOnce: number) =>
    createUploadSlots({ atOnce, maxWaiting: maxGuestUploads.waiting, tooMany: tooManyGuests })
  const withEventSlot = guestSlots(maxGuestUploads.atOnce)
  const withMonthSlot = guestSlots(maxGuestUploads.reservedAtOnce)
  const withLockSlot = guestSlots(maxGuestUploads.acceptedAtOnce)
  const reserve: UploadContext['reserve'] = (upload) => {
    const run = (): Promise<void> => reserveOrRefuse(deps, upload)
    return upload.actor.by === 'guest' ? withMonthSlot(upload.userId, run) : run()
  }
  const accept: UploadContext['accept'] = (upload, received) => {
    const run = (): Promise<void> => acceptOrRefuseUpload(deps, upload, received)
    return upload.actor.by === 'guest' ? withLockSlot(upload.userId, run) : run()
  }
  const slotFor =
    (actor: UploadCall['actor']) =>
    <T>(run: () => Promise<T>): Promise<T> =>
      actor.by === 'guest'
        ? withOwnSlot(actor.contributorId, () => withEventSlot(actor.eventId, run))
        : withOwnSlot(actor.userId, run)
  return async ({ actor, req, reply }, { event, ...order } = {}) => {
    const { userId } = actor
    const withUploadSlot = slotFor(actor)
    const sentKey = idempotencyKeyOf(req)
    const idempotencyKey = sentKey && actor.by === 'guest' ? `guest ${actor.contributorId} ${sentKey}` : sentKey
    const earlier = idempotencyKey === undefined ? undefined : await earlierUpload(db, userId, idempotencyKey)
    const earlierHash = earlier?.sha256
    if (earlierHash) await withUploadSlot(() => refuseOtherFile(req, earlierHash))
    // For a key that is bound to an event, photos elsewhere do not exist.
    const isElsewhere = actor.by === 'key' && actor.eventId !== null && earlier?.event_id !== actor.eventId
    if (earlier && (earlier.deleted || isElsewhere))
      throw new Fault('conflict', 'This photo was already uploaded and has since been deleted.')
    if (earlier) {
      reply.header(repeatedHeader, 'true')
      return earlier.id
    }
    const [{ currentEvent, ...uploader }] = await Promise.all([
      uploaderOf(db, userId),
      actor.by === 'guest' ? countGuestRates(db, actor) : countRateHit(db, 'uploads', userId),
    ])
    const eventId =
      actor.by === 'guest' ? null : await eventOfUpload(db, actor, { given: event, current: currentEvent })
    return withUploadSlot(() =>
      countUpload(
        deps,
        receivePhoto(deps, req, { actor, ...uploader, eventId, idempotencyKey, order, reserve, accept }),
      ),
    )
  }
}

const maxWaitingUploads = 100
const defaultMaxWaitMs = 40_000

const tooManyUploads = (): Fault =>
  new Fault('rate_limited', 'Too many uploads at once. Please wait for the others to finish.', 5)

/** Limits the concurrent uploads, or other calls, of each user at this node; the others wait, up to 100 of them for at most 40 seconds. */
export function createUploadSlots({
  maxWaitMs = defaultMaxWaitMs,
  atOnce = limits.uploadsAtOncePerUser,
  maxWaiting = maxWaitingUploads,
  tooMany = tooManyUploads,
}: { maxWaitMs?: number; atOnce?: number; maxWaiting?: number; tooMany?: () => Fault } = {}) {
  const uploadQueues = new Map<string, PQueue>()
  return async <T>(userId: string, runUpload: () => Promise<T>): Promise<T> => {
    const uploadQueue = uploadQueues.get(userId) ?? new PQueue({ concurrency: atOnce })
    uploadQueues.set(userId, uploadQueue)
    if (uploadQueue.size >= maxWaiting) throw tooMany()
    const waitAbort = new AbortController()
    const waitTimeout = setTimeout(() => waitAbort.abort(tooMany()), maxWaitMs)
    const startUpload = (): Promise<T> => {
      clearTimeout(waitTimeout)
      return runUpload()
    }
    try {
      return await uploadQueue.add(startUpload, { signal: waitAbort.signal })
    } finally {
      clearTimeout(waitTimeout)
      if (uploadQueue.size === 0 && uploadQueue.pending === 0 && uploadQueues.get(userId) === uploadQueue)
        uploadQueues.delete(userId)
    }
  }
}

/** Counts what becomes of an upload. */
async function countUpload({ metrics }: Dependencies, upload: Promise<string>): Promise<string> {
  try {
    const id = await upload
    metrics.count('keepsnap_uploads_total', { outcome: 'accepted', code: 'none' })
    return id
  } catch (error) {
    const outcome = error instanceof Fault && error.code !== 'unavailable' ? 'refused' : 'failed'
    const code =
      error instanceof Fault
        ? error.code
        : error instanceof StorageDown
          ? 'store'
          : isDatabaseDown(error)
            ? 'database'
            : 'bug'
    metrics.count('keepsnap_uploads_total', { outcome, code })
    throw error
  }
}

/** The client's Idempotency-Key, when it sent one. */
function idempotencyKeyOf(req: HttpRequest): string | undefined {
  const key = req.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && key.length > 0 && key.length <= limits.idempotencyKeyChars) return key
  throw new Fault('bad_request', `An Idempotency-Key must have 1 to ${limits.idempotencyKeyChars} characters.`)
}

/** The answer to a repeated request while the first one is still in progress. */
const uploadInProgress = (): Fault =>
  new Fault('conflict', 'An upload with this Idempotency-Key is still in progress.', 2)

/** An upload in progress expires this long after it was last extended. */
const expiry = sql`interval '15 minutes'`
/** An upload that `extendUpload` has not extended for this long is abandoned: three times the extension interval. */
const abandonedAfter = sql`interval '15 seconds'`

/**
 * The accepted upload of an earlier request of the last day with the same Idempotency-Key. An abandoned one is dropped and
 * replaced by this one; if its node was only slow, that upload is then refused.
 */
async function earlierUpload(db: Db, userId: string, key: string) {
  const earlier = await db
    .selectFrom('photos')
    .select([
      'id',
      'state',
      'event_id',
      // Of the bytes that were received; null for an upload that is not accepted yet, or from before hashes were stored.
      'upload_sha256 as sha256',
      sql<boolean>`deleted_at is not null or (not is_listed and review in ('none', 'approved'))`.as('deleted'),
      // Its program has ended.
      sql<boolean>`state = 'receiving' and expires_at < now() + ${expiry} - ${abandonedAfter}`.as('abandoned'),
    ])
    .where('user_id', '=', userId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()
  if (earlier?.abandoned) {
    await dropUpload(db, earlier.id)
    return undefined
  }
  if (earlier?.state === 'receiving') throw uploadInProgress()
  return earlier
}

/** Of every plan: the plan may have changed since the file was accepted. */
const largestFile = {
  bytes: Math.max(...Object.values(plans).map(maxFileBytes)),
  message: 'This file is larger than any plan allows.',
}

/** Reads the file of a repeated request, without storing it, and refuses another one than that of the first request. */
async function refuseOtherFile(req: HttpRequest, sha256: Buffer): Promise<void> {
  const received = await receiveFile(req, largestFile, async ({ stream }) => {
    const hash = createHash('sha256')
    for await (const chunk of stream) hash.update(chunk)
    return hash.digest()
  })
  if (received.equals(sha256)) return
  throw invalidField('Idempotency-Key', idempotencyKeyOfOtherFile, 'header')
}

/** The plan and the current event of an uploader at the beginning, and whether photos get a watermark. Throws when the account is gone. */
async function uploaderOf(
  db: Db,
  userId: string,
): Promise<{ plan: Plan; watermark: boolean; currentEvent: string | null }> {
  const user = await db
    .selectFrom('users')
    .select([currentPlan.as('plan'), 'use_logo_as_watermark', 'current_event_id'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!user) throw unauthorized()
  const watermark = user.use_logo_as_watermark && hasBranding(user)
  return { plan: planOf(user), watermark, currentEvent: user.current_event_id }
}

/** Who uploads, and how. */
interface UploadContext {
  actor: UploadCall['actor']
  /** At the beginning: it decides how large the file may be. */
  plan: Plan
  /** The photo gets a watermark, so only its job knows the logo. */
  watermark: boolean
  /** The event that the photo was taken for, which may be deleted; null for a guest's, whose reservation says it. */
  eventId: string | null
  idempotencyKey: string | undefined
  order: UploadOrder
  reserve(upload: Omit<Upload, 'reserved'>): Promise<void>
  accept(upload: Upload, received: ReceivedUpload): Promise<void>
}

interface Upload extends UploadContext {
  id: string
  userId: string
  originalKey: string
  /** Resolves when the month's place, the row and the key are in the database; rejects when the upload is refused. */
  reserved: Promise<void>
  /** What was started before the upload is accepted. */
  rendering?: PhotoJob | undefined
  /** Refused for what was stored or decided meanwhile, whatever the file. */
  noLongerFits?: boolean
}

interface ReceivedUpload extends InspectedBytes {
  filename: string
  /** Of the file as it arrived; null without an idempotency key. */
  receivedSha256: Buffer | null
  /** How long processing will take; null for a quick file. */
  slowMs: number | null
}

/** Short, so that after a crash of this node the client's retry with the same Idempotency-Key soon succeeds. */
const extendEveryMs = 5_000
/** Short, so that the retry also succeeds soon after the database was down. */
const undoAgainMs = 500

/**
 * Receives one photo. Resolves with its id once bytes and row survive a power failure; rejects with the reason, leaving
 * nothing behind.
 */
async function receivePhoto(deps: Dependencies, req: HttpRequest, uploader: UploadContext): Promise<string> {
  const { userId } = uploader.actor
  const newUpload = { ...uploader, userId, id: newId(), originalKey: newStorageKey('orig') }
  const upload: Upload = { ...newUpload, reserved: uploader.reserve(newUpload) }
  // The reservation may have been committed although its answer was lost.
  const mayBeReserved = upload.reserved.then(() => true, isDatabaseDown)
  const extendExpiryTimer = setInterval(() => void extendUpload(deps.db, upload.id).catch(() => {}), extendEveryMs)
  const tooLarge = uploader.actor.by === 'guest' ? guestFileTooLarge : fileTooLargeMessage
  const fileLimit = { bytes: maxFileBytes(upload.plan), message: tooLarge(upload.plan) }
  try {
    const received = await receiveFile(req, fileLimit, (file) => storeUpload(deps, upload, file))
    await upload.accept(upload, received)
    deps.metrics.count('keepsnap_upload_bytes_total', {}, received.bytes)
    return upload.id
  } catch (error) {
    if (error instanceof Fault && (error.code === 'quota_photos' || error.code === 'conflict'))
      upload.noLongerFits = true
    const undone = (await mayBeReserved) ? abandonUpload(deps, upload) : undefined
    // The answer does not wait for a database that is down.
    if (!isDatabaseDown(error)) await undone
    throw error
  } finally {
    clearInterval(extendExpiryTimer)
  }
}

/** Postpones the expiry of an upload that is still in progress. */
async function extendUpload(db: Db, id: string): Promise<void> {
  await sql`update photos set expires_at = now() + ${expiry} where id = ${id} and state = 'receiving'`.execute(db)
}

/** Counts the upload towards the monthly quota and registers its key, before any byte is stored under it. */
async function reserveOrRefuse({ db }: Dependencies, upload: Omit<Upload, 'reserved'>): Promise<void> {
  const { actor } = upload
  try {
    if (actor.by === 'guest') return await reserveGuestPhoto(db, actor, { ...upload, code: newId(), expiry })
    const planWithFullMonth = await reserveUpload(db, { ...upload, code: newId() })
    if (planWithFullMonth) throw monthlyQuotaRefusal(planWithFullMonth)
  } catch (error) {
    throw isViolation(error, 'unique') ? uploadInProgress() : error
  }
}

/** An upload that is about to be received. */
interface Reservation {
  id: string
  userId: string
  code: string
  originalKey: string
  idempotencyKey: string | undefined
  order?: UploadOrder
}

/**
 * Reserves an upload before its bytes arrive: counts it towards the monthly quota of the current plan, and adds the row
 * and its key; all or nothing. Returns the plan when its quota is used up, otherwise undefined. Throws a unique
 * violation when the idempotency key is in use. Locks the owner first, as deleting the account does: this prevents
 * deadlocks.
 */
export async function reserveUpload(
  db: Db,
  { id, userId, code, originalKey, idempotencyKey, order = {} }: Reservation,
): Promise<Plan | undefined> {
  const { selection = null, position = null } = order
  // If the account has been deleted, the insert must run so that it fails with a foreign-key violation.
  const { rows } = await sql<PlanColumn & { reserved: boolean }>`
    with owner as (
      select ${currentPlan} as plan from users where id = ${userId} for key share
    ), allowed as (
      select coalesce((select ${planNumber(sql`plan`, monthlyPhotos)} from owner), 1) as photos
    ), place as (
      insert into usage_months (user_id, month, uploads)
      select ${userId}, ${currentMonth}, 1 from allowed where photos > 0
      on conflict (user_id, month) do update set uploads = usage_months.uploads + 1
        where usage_months.uploads < (select photos from allowed)
      returning month
    ), photo as (
      insert into photos (id, user_id, code, filename, state, idempotency_key, expires_at, counted_month, original_key,
        selection, selection_position, created_at)
      select ${id}, ${userId}, ${code}, '', 'receiving', ${idempotencyKey ?? null}, now() + ${expiry}, month, ${originalKey},
        ${selection}, ${position}::integer, chosen_order_time(${userId}, ${selection}, ${position}::integer)
      from place returning id
    ), keys as (
      ${registerKeysClause('photo', [originalKey])} returning key
    )
    select plan, exists (select from keys) as reserved from owner`.execute(db)
  const [row] = rows
  return row && !row.reserved ? planOf(row) : undefined
}

/** Receives the file, starts rendering it if it is quick and a process is idle, and makes it durable. */
async function storeUpload(deps: Dependencies, upload: Upload, file: IncomingFile): Promise<ReceivedUpload> {
  const { storage, config, speculative } = deps
  const uploadInspector = createUploadInspector(config.maxMegapixels)
  const admitted = admitOrRefuse(deps, upload, uploadInspector.slowMs)
  const receivedHash = upload.idempotencyKey === undefined ? undefined : createHash('sha256')
  const inspected = uploadInspector.inspect(file.stream, receivedHash)
  const stagedFile = await storage.stage(inspected, { signal: refusalSignal(admitted) })
  try {
    const slowMs = await admitted
    if (!upload.watermark && slowMs === null)
      upload.rendering = await speculative.start(upload.id, (path) => stagedFile.linkTo(path))
    await stagedFile.commit(upload.originalKey, { type: 'application/octet-stream' })
    const receivedSha256 = receivedHash?.digest() ?? null
    // Nothing of a guest's file but its pixels is kept.
    const filename = upload.actor.by === 'guest' ? 'guest-photo.jpg' : cleanFilename(file.filename)
    return { filename, slowMs, receivedSha256, ...uploadInspector.result() }
  } finally {
    await stagedFile.discard()
  }
}

/** A signal that aborts with the reason for which the upload is refused. */
function refusalSignal(admitted: Promise<unknown>): AbortSignal {
  const controller = new AbortController()
  admitted.catch((reason: unknown) => controller.abort(reason))
  return controller.signal
}

/** Admits the file as soon as it is known whether it is slow; resolves with how long it will take. */
async function admitOrRefuse(
  { db }: Dependencies,
  { id, userId, actor, reserved }: Upload,
  whenEstimated: Promise<number | null>,
): Promise<number | null> {
  await Promise.all([reserved, actor.by !== 'guest' && refuseAfterFailures(db, userId)])
  const slowMs = await whenEstimated
  if (slowMs === null) return null
  if (actor.by === 'guest') {
    // However many wait: the allowance bounds them.
    await db.updateTable('photos').set({ slow_ms: slowMs }).where('id', '=', id).execute()
    return slowMs
  }
  await db.transaction().execute((tx) => admitSlowFile(tx, { userId, photoId: id, slowMs }))
  return slowMs
}

/**
 * Accepts the upload in one transaction: from then on the photo exists, is queued, and the owner's screens are notified.
 * Refuses when the session, the key or the account has ended meanwhile, when the plan that counts now does not include the
 * API that was used, when its storage is full, or when the event of the key was deleted. Without its event it is accepted as well.
 */
async function acceptOrRefuseUpload(
  { db, guestActivity, log }: Dependencies,
  upload: Upload,
  received: ReceivedUpload,
): Promise<void> {
  const { id, userId, actor } = upload
  const party = actor.by === 'guest' ? actor.eventId : userId
  const captured_at = await storedCaptureTime(db, userId, received.capturedAt)
  const planWithFullStorage = await db.transaction().execute(async (tx) => {
    if (!(await lockUser(tx, userId))) throw unauthorized()
    const storageUse = await currentStorageUse(tx, actor)
    if (storageUse === undefined) throw unauthorized()
    const plan = planOf(storageUse)
    if (actor.by === 'key' && !plan.features.api_access) throw noApiAccess()
    const bytes = storageUse.bytes + received.bytes
    if (bytes > (actor.by === 'guest' ? guestStorageBytes(plan) : storageBytes(plan))) return plan
    const eventId = upload.eventId !== null && (await isLiveEvent(tx, userId, upload.eventId)) ? upload.eventId : null
    if (eventId === null && actor.by === 'key' && actor.eventId !== null) throw eventOfKeyGone()
    const place = actor.by !== 'guest' && { eventId, source: actor.by === 'key' ? 'key' : 'owner' }
    if (
      !(await acceptUpload(tx, { id, userId, party, slowMs: received.slowMs }, { ...received, captured_at, ...place }))
    )
      throw new Fault('unavailable', 'The upload took too long. Please try again.', 1)
    if (actor.by === 'guest') await acceptGuestPhoto(tx, actor, bytes)
    // Guests' photos do not count in the owner's month.
    const photosWarned = actor.by === 'guest' ? Infinity : storageUse.photosWarned
    await warnAboutUpload(tx, { ...storageUse, photosWarned, userId, plan, bytes })
    return undefined
  })
  if (!planWithFullStorage) return actor.by === 'guest' ? guestActivity.addToEvent(actor, 'adds') : undefined
  if (actor.by === 'guest') throw noneFit()
  await warnAboutFullStorage(db, userId).catch((error: unknown) =>
    log.warn({ err: error }, 'an email about full storage could not be queued'),
  )
  throw storageQuotaRefusal(planWithFullStorage)
}

interface StorageUse extends PlanColumn {
  bytes: number
  /** Places taken in this month, those of uploads in progress included. */
  places: number
  /** The highest threshold in percent that the owner was told about; 0 if none. */
  photosWarned: number
  storageWarned: number
}

/**
 * A user's current plan, stored bytes (of a picture with a watermark and the same picture without it, the larger one
 * counts). Undefined when the caller's
 * session or key has ended: ending them takes the user's lock, so the result stays valid while this transaction holds
 * that lock.
 */
export async function currentStorageUse(db: Db, actor: UploadCall['actor']): Promise<StorageUse | undefined> {
  const { userId } = actor
  const { rows } = await sql<StorageUse>`
    with counted as materialized (
      select users.id, ${currentPlan} as plan from users where id = ${userId}
    )
    select stored.*, counted.plan,
      coalesce((select uploads from usage_months where user_id = counted.id and month = ${currentMonth}), 0) as places,
      ${warnedPercent('photos')} as "photosWarned", ${warnedPercent('storage')} as "storageWarned"
    from counted, (
      select ${storedBytes} as bytes
      from photos where user_id = ${userId} and deleted_at is null and state <> 'receiving'
    ) stored where exists (${credentialOf(actor)})`.execute(db)
  return rows[0]
}

/** Selects the row of the caller's session or key, or of a guest, if it has not ended. */
const credentialOf = (actor: UploadCall['actor']): RawBuilder<unknown> =>
  actor.by === 'guest'
    ? sql`select from contributors where id = ${actor.contributorId}`
    : actor.by === 'session'
      ? sql`select from sessions where token_hash = ${actor.sessionHash} and user_id = ${actor.userId}`
      : sql`select from api_keys where id = ${actor.keyId} and user_id = ${actor.userId}
        and (expires_at is null or expires_at > now())`

/**
 * Makes an upload a queued photo, with the job that processes it, and notifies the owner's screens. False when the reservation
 * is gone.
 */
async function acceptUpload(
  db: Db,
  photo: PhotoToProcess & { party: string },
  received: Pick<ReceivedUpload, 'filename' | 'bytes' | 'sha256' | 'receivedSha256'> & {
    captured_at: RawBuilder<Date | null> | undefined
    /** Of all but guests' photos, whose reservation says it. */
    eventId?: string | null
    source?: string
  },
): Promise<boolean> {
  const { id, userId, party } = photo
  const job = processJobOf(photo)
  const rows = await db
    .with('accepted', (part) =>
      part
        .updateTable('photos')
        .set({
          state: 'queued',
          expires_at: null,
          filename: received.filename,
          original_bytes: received.bytes,
          original_sha256: received.sha256,
          upload_sha256: received.receivedSha256,
          ...(received.captured_at && { captured_at: received.captured_at }),
          ...(received.source !== undefined && { source: received.source }),
          // Otherwise the trigger about events would run for every photo.
          ...(received.eventId && { event_id: received.eventId }),
        })
        .where('id', '=', id)
        .where('state', '=', 'receiving')
        .returning('id'),
    )
    .with('joined', () => sql<{ party: string }>`(${joinTurns(party)})`)
    .selectFrom('accepted')
    .select([
      sql`(${addJobExpression(job)}).id`.as('queued'),
      wakeUpExpression(job.name).as('woken'),
      publishExpression({ kind: 'photo', what: 'added', user: userId, photo: id }).as('notified'),
    ])
    .execute()
  return rows.length === 1
}

/**
 * Undoes an upload that was not accepted: at once, or as soon as the database is back; what else fails is left to the
 * clean-up job. The row is deleted first and decides: the accepting transaction may have committed although its answer
 * was lost.
 */
async function abandonUpload(deps: Dependencies, upload: Upload): Promise<void> {
  const { db, storage, log } = deps
  const { id, originalKey } = upload
  try {
    // Without a row the account is deleted, and nothing else knows these bytes.
    if (!(await dropUpload(db, id))) {
      const photo = await db.selectFrom('photos').select('id').where('id', '=', id).executeTakeFirst()
      if (photo) return
    }
    await endRendering(deps, upload)
    await storage.remove([originalKey])
    await unregisterKeys(db, [originalKey])
  } catch (error) {
    if (isDatabaseDown(error)) return void setTimeout(() => void abandonUpload(deps, upload), undoAgainMs).unref()
    log.warn({ err: error }, 'an incomplete upload is left for the clean-up job')
  }
}

/**
 * Deletes an upload that was not accepted and releases its monthly quota. When it returns true, the caller
 * removes the bytes; otherwise the upload was accepted after all. Locks the row of the month first, as `reserveUpload`
 * does, which may be waiting for this idempotency key: this prevents deadlocks.
 */
export async function dropUpload(db: Db, id: string): Promise<boolean> {
  return (await dropCounted(db, id, 'usage_months')) || dropCounted(db, id, 'guest_months')
}

async function dropCounted(db: Db, id: string, table: 'usage_months' | 'guest_months'): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with month as (
      select months.user_id, months.month from photos
      join ${sql.table(table)} as months on months.user_id = photos.user_id and months.month = photos.counted_month
      where photos.id = ${id} and photos.state = 'receiving' and (photos.source = 'guest') = ${table === 'guest_months'} for update of months
    ), deleted as (
      delete from photos using month where photos.id = ${id} and photos.state = 'receiving' and photos.user_id = month.user_id
      returning photos.user_id, photos.counted_month
    )
    update ${sql.table(table)} as months set uploads = greatest(0, months.uploads - 1) from deleted
    where months.user_id = deleted.user_id and months.month = deleted.counted_month`.execute(db)
  return numAffectedRows === 1n
}

/**
 * Ends the rendering of an upload that was not accepted, and counts its time as that of a failed photo: the upload does
 * not count towards the monthly quota, so nothing else limits repetitions. Waits for the rendering instead of
 * interrupting it: starting a new image process would cost more than the rest of a quick file.
 */
async function endRendering({ db, log, speculative }: Dependencies, upload: Upload): Promise<void> {
  const { id, userId, actor, rendering } = upload
  const contributorId = actor.by === 'guest' ? actor.contributorId : undefined
  speculative.claim(id)
  if (!rendering) return
  upload.rendering = undefined
  await rendering.release()
  // Guests are told of files that could not be read, which is not why this one was refused.
  const hasFailed = contributorId === undefined || upload.noLongerFits !== true
  try {
    const usedMs = rendering.cpuMs()
    await countProcessingTime(db, { photoId: id, userId, contributorId, usedMs, wasQuick: true, hasFailed })
  } catch (error) {
    log.warn({ err: error }, 'the processing time of an upload that was not accepted could not be counted')
  }
}
