import { createHash } from 'node:crypto'
import PQueue from 'p-queue'
import { limits } from '@keepsnap/contract/limits.ts'
import { maxFileBytes, type Plan, plans } from '@keepsnap/contract/plans.ts'
import { repeatedHeader } from '@keepsnap/contract/photos.ts'
import { idempotencyKeyOfOtherFile } from '@keepsnap/contract/public-api.ts'
import { isDatabaseDown, isViolation } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { planOf } from '../plans/plans.ts'
import { Fault, invalidField, noApiAccess, unauthorized } from '../../faults.ts'
import type { KeyActor, SessionActor } from '../../platform/http/authenticator.ts'
import type { HttpReply, HttpRequest } from '../../platform/http/http-types.ts'
import { type IncomingFile, receiveFile } from '../../platform/http/request-bodies.ts'
import type { PhotoJob } from '../../images/sandbox/image-jobs.ts'
import { newId } from '../../lib/ids.ts'
import {
  fileTooLargeMessage,
  fitsInStorage,
  monthlyQuotaRefusal,
  storageQuotaRefusal,
  warnAboutFullStorage,
  warnAboutUpload,
} from '../plans/usage.ts'
import { countRateHit } from '../../platform/http/rate-limits.ts'
import { StorageDown } from '../../ports/storage/storage.ts'
import { cleanFilename } from './filenames.ts'
import { newStorageKey, unregisterKeys } from './stored-objects.ts'
import { createUploadInspector, type InspectedBytes } from './inspect-upload.ts'
import {
  acceptUpload,
  currentStorageUse,
  dropUpload,
  type EarlierUpload,
  extendUpload,
  lockUser,
  photoByIdempotencyKey,
  photoRowExists,
  reserveUpload,
  uploaderOf,
  type UploadOrder,
} from './queries.ts'
import { admitSlowFile, countProcessingTime, refuseAfterFailures } from './processing-budget.ts'
import type { SpeculativeProcessing } from './process.ts'

/** What receiving an upload needs. */
type UploadDependencies = Pick<Dependencies, 'db' | 'storage' | 'config' | 'log' | 'metrics'> & {
  speculative: SpeculativeProcessing
}

/** Who uploads, and how. */
export interface UploadContext {
  actor: SessionActor | KeyActor
  /** At the beginning: it decides how large the file may be. */
  plan: Plan
  /** The photo gets a watermark, so only its job knows the logo. */
  watermark: boolean
  idempotencyKey: string | undefined
  order: UploadOrder
}

interface Upload extends UploadContext {
  id: string
  userId: string
  originalKey: string
  /** Resolves when the month's place, the row and the key are in the database; rejects when the upload is refused. */
  reserved: Promise<void>
  /** What was started before the upload is accepted. */
  rendering?: PhotoJob | undefined
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

/** The answer to a repeated request while the first one is still in progress. */
const uploadInProgress = (): Fault =>
  new Fault('conflict', 'An upload with this Idempotency-Key is still in progress.', 2)

/** The client's Idempotency-Key, when it sent one. */
function idempotencyKeyOf(req: HttpRequest): string | undefined {
  const key = req.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && key.length > 0 && key.length <= limits.idempotencyKeyChars) return key
  throw new Fault('bad_request', `An Idempotency-Key must have 1 to ${limits.idempotencyKeyChars} characters.`)
}

/** Counts the upload towards the monthly quota and registers its key, before any byte is stored under it. */
async function reserveOrRefuse({ db }: UploadDependencies, upload: Omit<Upload, 'reserved'>): Promise<void> {
  try {
    const planWithFullMonth = await reserveUpload(db, { ...upload, code: newId() })
    if (!planWithFullMonth) return
    const { code, detail } = monthlyQuotaRefusal(planWithFullMonth)
    throw new Fault(code, detail)
  } catch (error) {
    throw isViolation(error, 'unique') ? uploadInProgress() : error
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
  { db }: UploadDependencies,
  { id, userId, reserved }: Upload,
  whenEstimated: Promise<number | null>,
): Promise<number | null> {
  await Promise.all([reserved, refuseAfterFailures(db, userId)])
  const slowMs = await whenEstimated
  if (slowMs === null) return null
  await db.transaction().execute((tx) => admitSlowFile(tx, { userId, photoId: id, slowMs }))
  return slowMs
}

/** Receives the file, starts rendering it if it is quick and a process is idle, and makes it durable. */
async function storeUpload(deps: UploadDependencies, upload: Upload, file: IncomingFile): Promise<ReceivedUpload> {
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
    return { filename: cleanFilename(file.filename), slowMs, receivedSha256, ...uploadInspector.result() }
  } finally {
    await stagedFile.discard()
  }
}

/**
 * Accepts the upload in one transaction: from then on the photo exists, is queued, and the owner's screens are notified.
 * Refuses when the session, the key or the account has ended meanwhile, when the plan that counts now does not include the
 * API that was used, or when its storage is full.
 */
async function acceptOrRefuseUpload(
  { db, log }: UploadDependencies,
  upload: Upload,
  received: ReceivedUpload,
): Promise<void> {
  const { id, userId, actor } = upload
  const planWithFullStorage = await db.transaction().execute(async (tx) => {
    if (!(await lockUser(tx, userId))) throw unauthorized()
    const storageUse = await currentStorageUse(tx, actor)
    if (storageUse === undefined) throw unauthorized()
    const plan = planOf(storageUse)
    if (actor.by === 'key' && !plan.features.api_access) throw noApiAccess()
    if (!fitsInStorage(plan, storageUse.bytes, received.bytes)) return plan
    if (!(await acceptUpload(tx, { id, userId, slowMs: received.slowMs }, received)))
      throw new Fault('unavailable', 'The upload took too long. Please try again.', 1)
    await warnAboutUpload(tx, { ...storageUse, userId, plan, bytes: storageUse.bytes + received.bytes })
    return undefined
  })
  if (!planWithFullStorage) return
  await warnAboutFullStorage(db, userId).catch((error: unknown) =>
    log.warn({ err: error }, 'an email about full storage could not be queued'),
  )
  const { code, detail } = storageQuotaRefusal(planWithFullStorage)
  throw new Fault(code, detail)
}

/**
 * Ends the rendering of an upload that was not accepted, and counts its time as that of a failed photo: the upload does
 * not count towards the monthly quota, so nothing else limits repetitions. Waits for the rendering instead of
 * interrupting it: starting a new image process would cost more than the rest of a quick file.
 */
async function endRendering({ db, log, speculative }: UploadDependencies, upload: Upload): Promise<void> {
  const { id, userId, rendering } = upload
  speculative.claim(id)
  if (!rendering) return
  upload.rendering = undefined
  await rendering.release()
  try {
    const usedMs = rendering.cpuMs()
    await countProcessingTime(db, { photoId: id, userId, usedMs, wasQuick: true, hasFailed: true })
  } catch (error) {
    log.warn({ err: error }, 'the processing time of an upload that was not accepted could not be counted')
  }
}

/**
 * Undoes an upload that was not accepted: at once, or as soon as the database is back; what else fails is left to the
 * clean-up job. The row is deleted first and decides: the accepting transaction may have committed although its answer
 * was lost.
 */
async function abandonUpload(deps: UploadDependencies, upload: Upload): Promise<void> {
  const { db, storage, log } = deps
  const { id, originalKey } = upload
  try {
    // Without a row the account is deleted, and nothing else knows these bytes.
    if (!(await dropUpload(db, id)) && (await photoRowExists(db, id))) return
    await endRendering(deps, upload)
    await storage.remove([originalKey])
    await unregisterKeys(db, [originalKey])
  } catch (error) {
    if (isDatabaseDown(error)) return void setTimeout(() => void abandonUpload(deps, upload), undoAgainMs).unref()
    log.warn({ err: error }, 'an incomplete upload is left for the clean-up job')
  }
}

/**
 * Receives one photo. Resolves with its id once bytes and row survive a power failure; rejects with the reason, leaving
 * nothing behind.
 */
async function receivePhoto(deps: UploadDependencies, req: HttpRequest, uploader: UploadContext): Promise<string> {
  const { userId } = uploader.actor
  const newUpload = { ...uploader, userId, id: newId(), originalKey: newStorageKey('orig') }
  const upload: Upload = { ...newUpload, reserved: reserveOrRefuse(deps, newUpload) }
  // The reservation may have been committed although its answer was lost.
  const mayBeReserved = upload.reserved.then(() => true, isDatabaseDown)
  const extendExpiryTimer = setInterval(() => void extendUpload(deps.db, upload.id).catch(() => {}), extendEveryMs)
  const fileLimit = { bytes: maxFileBytes(upload.plan), message: fileTooLargeMessage(upload.plan) }
  try {
    const received = await receiveFile(req, fileLimit, (file) => storeUpload(deps, upload, file))
    await acceptOrRefuseUpload(deps, upload, received)
    deps.metrics.count('keepsnap_upload_bytes_total', {}, received.bytes)
    return upload.id
  } catch (error) {
    const undone = (await mayBeReserved) ? abandonUpload(deps, upload) : undefined
    // The answer does not wait for a database that is down.
    if (!isDatabaseDown(error)) await undone
    throw error
  } finally {
    clearInterval(extendExpiryTimer)
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
  tooMany = tooManyUploads,
}: { maxWaitMs?: number; atOnce?: number; tooMany?: () => Fault } = {}) {
  const uploadQueues = new Map<string, PQueue>()
  return async <T>(userId: string, runUpload: () => Promise<T>): Promise<T> => {
    const uploadQueue = uploadQueues.get(userId) ?? new PQueue({ concurrency: atOnce })
    uploadQueues.set(userId, uploadQueue)
    if (uploadQueue.size >= maxWaitingUploads) throw tooMany()
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

/** An upload by the page or by a customer's program. */
export interface UploadCall {
  actor: SessionActor | KeyActor
  req: HttpRequest
  /** Gets a header if the upload is a repeated one. */
  reply: HttpReply
}

/** Receives one photo; its id, once it is stored durably. A repeated upload has the id of the first one. */
export type UploadHandler = (call: UploadCall, order?: UploadOrder) => Promise<string>

/** Handles all uploads. A user's pages and programs share upload slots, limits and idempotency keys. */
export function createUploadHandler(deps: UploadDependencies): UploadHandler {
  const { db } = deps
  const withUploadSlot = createUploadSlots()
  return async ({ actor, req, reply }, order = {}) => {
    const { userId } = actor
    const idempotencyKey = idempotencyKeyOf(req)
    const earlier = idempotencyKey === undefined ? undefined : await earlierUpload(db, userId, idempotencyKey)
    const earlierHash = earlier?.sha256
    if (earlierHash) await withUploadSlot(userId, () => refuseOtherFile(req, earlierHash))
    if (earlier?.deleted) throw new Fault('conflict', 'This photo was already uploaded and has since been deleted.')
    if (earlier) {
      reply.header(repeatedHeader, 'true')
      return earlier.id
    }
    const [uploader] = await Promise.all([uploaderOf(db, userId), countRateHit(db, 'uploads', userId)])
    return withUploadSlot(userId, () =>
      countUpload(deps, receivePhoto(deps, req, { actor, ...uploader, idempotencyKey, order })),
    )
  }
}

/** Why an upload was not accepted, in one word. */
function failureCode(error: unknown): string {
  if (error instanceof Fault) return error.code
  if (error instanceof StorageDown) return 'store'
  return isDatabaseDown(error) ? 'database' : 'bug'
}

/** Counts what becomes of an upload. */
async function countUpload({ metrics }: UploadDependencies, upload: Promise<string>): Promise<string> {
  try {
    const id = await upload
    metrics.count('keepsnap_uploads_total', { outcome: 'accepted', code: 'none' })
    return id
  } catch (error) {
    const outcome = error instanceof Fault && error.code !== 'unavailable' ? 'refused' : 'failed'
    metrics.count('keepsnap_uploads_total', { outcome, code: failureCode(error) })
    throw error
  }
}

/**
 * The accepted upload of an earlier request with the same Idempotency-Key. An abandoned one is dropped and replaced by this
 * one; if its node was only slow, that upload is then refused.
 */
async function earlierUpload(db: Dependencies['db'], userId: string, key: string): Promise<EarlierUpload | undefined> {
  const earlier = await photoByIdempotencyKey(db, userId, key)
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
