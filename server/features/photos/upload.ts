import type { FastifyRequest } from 'fastify'
import { limits } from '@keepsnap/contract/limits.ts'
import type { Plan } from '@keepsnap/contract/plans.ts'
import { maxFileBytes } from '@keepsnap/contract/plans.ts'
import { isViolation } from '../../db/connect.ts'
import type { Deps } from '../../deps.ts'
import { cleanFilename } from '../../domain/filenames.ts'
import { newId } from '../../domain/ids.ts'
import { forgetObjects, newKey } from '../../domain/objects.ts'
import { Fault, signInAgain } from '../../faults.ts'
import type { Actor } from '../../http/access.ts'
import { giveBack, receiveFile, type IncomingFile } from '../../http/uploads.ts'
import { acceptUpload, dropUpload, hasRow, intendUpload, keepReceiving, lockUser, storedBefore } from './queries.ts'
import type { HeadStarts } from './head-starts.ts'
import { fileTooLarge, fits, monthIsFull, storageIsFull } from './quota.ts'
import { inspection, type Received } from './receive.ts'

type Parts = Pick<Deps, 'db' | 'storage' | 'config' | 'log'> & { headStarts: HeadStarts }

interface Coming {
  id: string
  userId: string
  sessionHash: Buffer
  originalKey: string
  plan: Plan
  marks: boolean
  /** Resolves when all of this is written down; rejects when it may not come. */
  intended: Promise<void>
}

interface Uploader extends Actor {
  plan: Plan
  /** Whether the logo goes on what comes: then only the job knows which one. */
  marks: boolean
  idempotencyKey: string | undefined
}

const stillComingMs = 5 * 60 * 1000

/** A repeated request while the first one is still coming in. */
export const stillComing = (): Fault =>
  new Fault('conflict', 'An upload with this Idempotency-Key is still coming in.', 2)

/** The client's Idempotency-Key, when it sent one. */
export function idempotencyKeyOf(req: FastifyRequest): string | undefined {
  const key = req.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && key.length > 0 && key.length <= limits.idempotencyKeyChars) return key
  throw new Fault('bad_request', `An Idempotency-Key has 1 to ${limits.idempotencyKeyChars} characters.`)
}

/** Takes a place in the month and writes down what is about to be stored. */
async function intend(
  { db }: Parts,
  coming: Omit<Coming, 'intended'>,
  idempotencyKey: string | undefined,
): Promise<void> {
  try {
    if (await intendUpload(db, { ...coming, code: newId(), idempotencyKey })) return
  } catch (error) {
    throw isViolation(error, 'unique') ? stillComing() : error
  }
  const { code, detail } = monthIsFull(coming.plan)
  throw new Fault(code, detail)
}

/** Stores the file while it comes; nothing is there under its key before that is intended. */
async function store(parts: Parts, coming: Coming, file: IncomingFile): Promise<Received> {
  const { storage, config, headStarts } = parts
  const { id, originalKey, marks, intended } = coming
  const looked = inspection(config.maxMegapixels)
  const place = async (path: string): Promise<void> => {
    if (!(await storage.layAt(originalKey, path))) throw new Error('the original is not in the store')
  }
  await storage.put(originalKey, looked.through(file.stream, intended), {
    type: 'application/octet-stream',
    written: giveBack,
    whole: async () => (marks ? undefined : headStarts.begin(id, place)),
  })
  return { filename: cleanFilename(file.filename), ...looked.result() }
}

/**
 * From this transaction on the photo exists, is queued, and its owner's screens hear of it; unless the session that it
 * came by, or the account, has ended in the meantime.
 */
async function accept({ db }: Parts, { id, userId, sessionHash, plan }: Coming, received: Received): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!(await lockUser(tx, userId))) throw signInAgain()
    const before = await storedBefore(tx, userId, sessionHash)
    if (before === undefined) throw signInAgain()
    if (!fits(plan, before.bytes, received.bytes)) {
      const { code, detail } = storageIsFull(plan)
      throw new Fault(code, detail)
    }
    if (!(await acceptUpload(tx, { id, userId, behind: before.waiting }, received)))
      throw new Fault('unavailable', 'The upload took too long. Please try again.', 1)
  })
}

/**
 * Undoes an upload that was not completed; what cannot be undone now is left to the sweep. The row goes first and
 * decides: the transaction that accepts may have been committed although its answer never came.
 */
async function abandon({ db, storage, log, headStarts }: Parts, { id, originalKey }: Coming): Promise<void> {
  headStarts.drop(id)
  try {
    // Without a row the whole account is gone: nobody else will look for these bytes.
    if (!(await dropUpload(db, id)) && (await hasRow(db, id))) return
    await storage.remove([originalKey])
    await forgetObjects(db, [originalKey])
  } catch (error) {
    log.warn({ err: error }, 'a broken upload is left for the sweep')
  }
}

/**
 * Receives one photo. Resolves with its id once its bytes and its row would survive the loss of power; rejects with the
 * reason, leaving nothing behind.
 */
export async function receivePhoto(parts: Parts, req: FastifyRequest, who: Uploader): Promise<string> {
  const { userId, sessionHash, plan, marks } = who
  const about = { id: newId(), userId, sessionHash, originalKey: newKey('orig'), plan, marks }
  const intended = intend(parts, about, who.idempotencyKey)
  const coming = { ...about, intended }
  const isIntended = intended.then(
    () => true,
    () => false,
  )
  const alive = setInterval(() => void keepReceiving(parts.db, coming.id).catch(() => {}), stillComingMs)
  try {
    const most = { bytes: maxFileBytes(plan), says: fileTooLarge(plan) }
    const received = await receiveFile(req, most, (file) => store(parts, coming, file))
    await accept(parts, coming, received)
    return coming.id
  } catch (error) {
    if (await isIntended) await abandon(parts, coming)
    throw error
  } finally {
    clearInterval(alive)
  }
}
