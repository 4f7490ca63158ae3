import { createHash } from 'node:crypto'
import { maxFileBytes, plans } from '@keepsnap/contract/plans.ts'
import { repeatedHeader } from '@keepsnap/contract/photos.ts'
import { idempotencyKeyOfOtherFile } from '@keepsnap/contract/public-api.ts'
import { isDatabaseDown } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault, invalidField } from '../../faults.ts'
import type { KeyActor, SessionActor } from '../../http/actor.ts'
import type { HttpReply, HttpRequest } from '../../http/http-types.ts'
import { receiveFile } from '../../http/multipart.ts'
import { countRateHit } from '../../http/rate-limits.ts'
import { StorageDown } from '../../ports/storage/storage.ts'
import { dropUpload, photoByIdempotencyKey, uploaderOf, type EarlierUpload, type UploadOrder } from './queries.ts'
import { createUploadSlots } from './upload-slots.ts'
import { idempotencyKeyOf, receivePhoto, uploadInProgress, type UploadDependencies } from './upload.ts'

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
