import { isDatabaseDown } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault } from '../../faults.ts'
import type { KeyActor, SessionActor } from '../../http/actor.ts'
import type { HttpRequest } from '../../http/http-types.ts'
import { countRateHit } from '../../http/rate-limits.ts'
import { StorageDown } from '../../ports/storage/storage.ts'
import { dropUpload, photoByIdempotencyKey, uploaderOf, type UploadOrder } from './queries.ts'
import { createUploadSlots } from './upload-slots.ts'
import { idempotencyKeyOf, receivePhoto, uploadInProgress, type UploadDependencies } from './upload.ts'

/** An upload by the page or by a customer's program. */
export interface UploadCall {
  actor: SessionActor | KeyActor
  req: HttpRequest
}

/** Receives one photo; its id, once it is stored durably. A repeated upload has the id of the first one. */
export type UploadHandler = (call: UploadCall, order?: UploadOrder) => Promise<string>

/** Handles all uploads. A user's pages and programs share upload slots, limits and idempotency keys. */
export function createUploadHandler(deps: UploadDependencies): UploadHandler {
  const { db } = deps
  const withUploadSlot = createUploadSlots()
  return async ({ actor, req }, order = {}) => {
    const { userId } = actor
    const idempotencyKey = idempotencyKeyOf(req)
    const earlierId = idempotencyKey === undefined ? undefined : await repeatedUpload(db, userId, idempotencyKey)
    if (earlierId !== undefined) return earlierId
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
 * The photo that an earlier request with the same Idempotency-Key created. An abandoned upload is dropped and replaced
 * by this one; if its node was only slow, that upload is then refused.
 */
async function repeatedUpload(db: Dependencies['db'], userId: string, key: string): Promise<string | undefined> {
  const earlierUpload = await photoByIdempotencyKey(db, userId, key)
  if (earlierUpload?.abandoned) {
    await dropUpload(db, earlierUpload.id)
    return undefined
  }
  if (earlierUpload?.state === 'receiving') throw uploadInProgress()
  if (earlierUpload?.deleted) throw new Fault('conflict', 'This photo was already uploaded and has since been deleted.')
  return earlierUpload?.id
}
