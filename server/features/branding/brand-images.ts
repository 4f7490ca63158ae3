import { createWriteStream } from 'node:fs'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { brandLimits } from '@keepsnap/contract/limits.ts'
import { brandImage, deleteBackground, deleteLogo, uploadBackground, uploadLogo } from '@keepsnap/contract/branding.ts'
import type { Db } from '../../platform/db/connect.ts'
import { currentPlan, type PlanColumn, planOf, planOfUser } from '../plans/plans.ts'
import type { Dependencies } from '../../dependencies.ts'
import { ImageFailure, type RenderedImage } from '../../images/sandbox/image-jobs.ts'
import type { ImagePool } from '../../images/sandbox/image-pool.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import { publish } from '../../platform/live/bus.ts'
import { Fault, unauthorized } from '../../faults.ts'
import type { HttpRequest } from '../../platform/http/http-types.ts'
import { receiveFile } from '../../platform/http/request-bodies.ts'
import { isSvg } from '../../images/formats/svg.ts'
import { sniff } from '../../images/formats/sniff.ts'
import { newStorageKey, recordChecksums, registerKeysForUser, unregisterKeys } from '../photos/stored-objects.ts'
import { storeFile } from '../../ports/storage/storage.ts'
import type { SessionActor } from '../../platform/http/authenticator.ts'
import { countRateHit } from '../../platform/http/rate-limits.ts'
import { createResponseCache, sendObject } from '../../platform/http/send-object.ts'
import type { Call, Serve } from '../../platform/http/serve.ts'
import { isId } from '../../lib/ids.ts'
import { brandingNotInPlan, hasBranding, presumedContrast } from './brands.ts'

type BrandKind = 'logo' | 'background'

const brandImageMaxAgeSeconds = 24 * 60 * 60

/** A user's logo and background: uploading, deleting and showing them. */
export function brandingRoutes(serve: Serve, deps: Dependencies): void {
  const uploadDependencies = { ...deps, receiveBrandImage: createBrandImageReceiver(deps.images) }
  const responseCache = createResponseCache(deps.storage)

  serve(uploadLogo, async (_, call) => {
    const url = await uploadBrandImage(uploadDependencies, 'logo', call)
    return { url, logo_url: url }
  })
  serve(uploadBackground, async (_, call) => {
    const url = await uploadBrandImage(uploadDependencies, 'background', call)
    return { url, background_image_url: url }
  })
  serve(deleteLogo, (_, { actor }) => removeBrandImage(deps, actor.userId, 'logo'))
  serve(deleteBackground, (_, { actor }) => removeBrandImage(deps, actor.userId, 'background'))
  serve(brandImage, async ({ params }, { req, reply, client }) => {
    const { key, bytes, type } = await findShownBrandImage(deps, params.code, client)
    const brandObject = { key, bytes, type, cacheControl: `private, max-age=${brandImageMaxAgeSeconds}` }
    await sendObject(req, reply, { storage: deps.storage, responseCache, object: brandObject })
  })
}

/** Receives, renders and saves an image; its URL. */
async function uploadBrandImage(
  deps: Dependencies & { receiveBrandImage: ReturnType<typeof createBrandImageReceiver> },
  kind: BrandKind,
  { actor, req }: { actor: SessionActor; req: Call['req'] },
): Promise<string> {
  const { db, urls, mediaCache, receiveBrandImage } = deps
  const { userId } = actor
  await countRateHit(db, 'brandImages', userId)
  const plan = await planOfUser(db, userId)
  if (!plan.features.custom_branding) throw brandingNotInPlan(plan)
  const key = await receiveBrandImage(userId, req, {
    kind,
    save: (image) => saveBrandImage(deps, { ...actor, kind }, image),
  })
  mediaCache.invalidateUser(userId)
  return urls.brandImage(key)
}

/** Stores a rendered image and replaces the previous one; its key. Of concurrent uploads, the last one remains. */
async function saveBrandImage(
  deps: Dependencies,
  { userId, sessionHash, kind }: SessionActor & { kind: BrandKind },
  { path, contentType: type, bytes, width, height, lowContrast }: RenderedImage,
): Promise<string> {
  const { db, storage } = deps
  const contrast =
    kind === 'logo' ? contrastColumns(lowContrast) : { low_contrast_on_paper: null, low_contrast_on_ink: null }
  const key = newStorageKey('brand')
  await registerKeysForUser(db, userId, [key])
  try {
    await recordChecksums(db, [await storeFile(storage, key, { path, type })])
    await db.transaction().execute(async (tx) => {
      const user = await lockBrandOwner(tx, userId)
      // While the owner is locked this stays true: revoking sessions locks the owner first.
      const session = await tx
        .selectFrom('sessions')
        .select('id')
        .where('token_hash', '=', sessionHash)
        .executeTakeFirst()
      if (!user || !session) throw unauthorized()
      if (!hasBranding(user)) throw brandingNotInPlan(planOf(user))
      const previousKey = await deleteBrandImageRow(tx, userId, kind)
      const image = { key, type, bytes, width, height, ...contrast }
      await tx
        .insertInto('brand_images')
        .values({ user_id: userId, kind, ...image })
        .execute()
      if (previousKey !== undefined)
        await enqueue(tx, { name: 'delete-object', payload: { key: previousKey }, key: `object:${previousKey}` })
      await publish(tx, { kind: 'user', user: userId })
    })
    return key
  } catch (error) {
    await discardBrandImage(deps, key)
    throw error
  }
}

/** Deletes an image that was not saved. What fails is left to the clean-up job. */
async function discardBrandImage({ db, storage, log }: Dependencies, key: string): Promise<void> {
  try {
    await storage.remove([key])
    await unregisterKeys(db, [key])
  } catch (error) {
    log.warn({ err: error }, 'an unused brand image is left for the clean-up job')
  }
}

const brandImageNames = { logo: 'logo', background: 'background image' } as const
/** The job for a deleted image starts after its answer: usually the image is already gone by then. */
const deleteJobDelayMs = 60_000

/** Deletes an image at once; `partial_success` when its file was missing or is deleted later. */
async function removeBrandImage(
  deps: Dependencies,
  userId: string,
  kind: BrandKind,
): Promise<{ partial_success: boolean; detail: string }> {
  const key = await deps.db.transaction().execute(async (tx) => {
    await lockBrandOwner(tx, userId)
    const deleted = await deleteBrandImageRow(tx, userId, kind)
    if (deleted === undefined) throw new Fault('not_found', `There is no ${brandImageNames[kind]} to delete.`)
    const at = new Date(Date.now() + deleteJobDelayMs)
    await enqueue(tx, { name: 'delete-object', payload: { key: deleted }, key: `object:${deleted}`, at })
    await publish(tx, { kind: 'user', user: userId })
    return deleted
  })
  deps.mediaCache.invalidateUser(userId)
  const isFileDeleted = await deleteBrandImageBytes(deps, key)
  const displayName = kind === 'logo' ? 'Logo' : 'Background image'
  return {
    partial_success: !isFileDeleted,
    detail: isFileDeleted
      ? `${displayName} deleted successfully`
      : `${displayName} removed from your profile. The file may already be gone from storage.`,
  }
}

/** Whether the bytes existed and are deleted. Otherwise the job that was enqueued with the deletion deletes them. */
async function deleteBrandImageBytes({ db, storage, log }: Dependencies, key: string): Promise<boolean> {
  try {
    const fileExisted = (await storage.sizeOf(key)) !== null
    await storage.remove([key])
    await unregisterKeys(db, [key])
    return fileExisted
  } catch (error) {
    log.warn({ err: error }, 'a deleted brand image could not be removed from the store yet')
    return false
  }
}

/** Locks a user, which serializes changes of the brand. Resolves to the plan; undefined if the account is deleted. */
async function lockBrandOwner(tx: Db, userId: string): Promise<PlanColumn | undefined> {
  const { rows } = await sql<PlanColumn>`
    select ${currentPlan} as plan from users where id = ${userId} for no key update`.execute(tx)
  return rows[0]
}

/** Deletes an image's row; its key, or undefined when there was none. */
async function deleteBrandImageRow(tx: Db, userId: string, kind: BrandKind): Promise<string | undefined> {
  const deleted = await tx
    .deleteFrom('brand_images')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .returning('key')
    .executeTakeFirst()
  return deleted?.key
}

/** An image that is shown now: its account is active, and its plan includes branding. */
async function findShownBrandImage({ db }: Dependencies, code: string, client: string) {
  const image = isId(code)
    ? await db
        .selectFrom('brand_images')
        .innerJoin('users', 'users.id', 'brand_images.user_id')
        .select(['key', 'type', 'bytes', 'users.is_active', currentPlan.as('plan')])
        .where('key', '=', `brand/${code}`)
        .executeTakeFirst()
    : undefined
  if (!image) await countRateHit(db, 'unknownCodes', client)
  if (!image || !image.is_active || !hasBranding(image))
    throw new Fault('not_found', 'This image does not exist or is no longer used.')
  return image
}

/** Enough to detect the format. */
const imageHeadBytes = 4096
/** From the end of the upload to the rendered image. */
const renderTimeoutMs = 40_000
const maxUploadsPerUser = 2

const acceptedFormats = {
  logo: 'PNG, JPG, SVG or WebP',
  background: 'JPG, PNG, GIF, WebP, AVIF, TIFF or HEIC',
} as const

const notABrandImage = (kind: BrandKind): Fault =>
  new Fault('not_an_image', `This file is not an image we can read. Please choose a ${acceptedFormats[kind]} file.`)
const renderTimeout = (): Fault => new Fault('unavailable', 'This is taking too long right now. Please try again.', 10)
const tooManyUploads = (): Fault =>
  new Fault('rate_limited', 'Too many uploads at once. Please wait for the others to finish.', 5)

interface BrandImageUpload {
  kind: BrandKind
  /** Saves the rendered file, which is deleted afterwards; resolves with its key. */
  save: (image: RenderedImage) => Promise<string>
}

/**
 * Receives an image and renders it in an image process, with the priority of photos, while the client waits. Resolves with
 * what `save` returns; no temporary file remains.
 */
export function createBrandImageReceiver(images: Dependencies['images']) {
  const uploadsByUser = new Map<string, number>()
  return async (userId: string, req: HttpRequest, upload: BrandImageUpload): Promise<string> => {
    const runningUploads = uploadsByUser.get(userId) ?? 0
    if (runningUploads >= maxUploadsPerUser) throw tooManyUploads()
    uploadsByUser.set(userId, runningUploads + 1)
    try {
      return await renderUpload(await images(), req, upload)
    } finally {
      const remainingUploads = (uploadsByUser.get(userId) ?? 1) - 1
      if (remainingUploads === 0) uploadsByUser.delete(userId)
      else uploadsByUser.set(userId, remainingUploads)
    }
  }
}

const brandFileLimit = {
  bytes: brandLimits.fileBytes,
  message: 'This file is larger than 10 MB. Reduce its size and try again.',
}

async function renderUpload(imagePool: ImagePool, req: HttpRequest, { kind, save }: BrandImageUpload): Promise<string> {
  const brandImageDeadline = new AbortController()
  let renderTimer: NodeJS.Timeout | undefined
  const writeInput = async (path: string): Promise<void> => {
    await receiveFile(req, brandFileLimit, ({ stream }) =>
      pipeline(acceptImages(kind, stream), createWriteStream(path, { flags: 'wx' })),
    )
    renderTimer = setTimeout(() => brandImageDeadline.abort(renderTimeout()), renderTimeoutMs)
  }
  try {
    const renderJob = await imagePool.renderSingle(kind, { writeInput }, brandImageDeadline.signal)
    try {
      const image = await renderJob.result
      clearTimeout(renderTimer)
      return await save(image)
    } finally {
      await renderJob.release()
    }
  } catch (error) {
    throw error instanceof ImageFailure ? brandImageFault(error, kind) : error
  } finally {
    clearTimeout(renderTimer)
  }
}

/** Passes a stream through, and fails as soon as its first bytes are not those of an accepted image format. */
function acceptImages(kind: BrandKind, stream: Readable): Readable {
  let imageHead = Buffer.alloc(0)
  let isHeadChecked = false
  const checkHeadOnce = (): Fault | null => {
    isHeadChecked = true
    return checkImageHead(kind, imageHead)
  }
  const checkedStream = new Transform({
    transform(chunk: Buffer, _, done) {
      if (isHeadChecked) return done(null, chunk)
      imageHead = Buffer.concat([imageHead, chunk.subarray(0, imageHeadBytes - imageHead.length)])
      done(imageHead.length >= imageHeadBytes ? checkHeadOnce() : null, chunk)
    },
    flush: (done) => done(isHeadChecked ? null : checkHeadOnce()),
  })
  stream.on('error', (error) => checkedStream.destroy(error))
  return stream.pipe(checkedStream)
}

/** Why the first bytes of a file are not an accepted image, whatever its name and type say; null if they are. */
function checkImageHead(kind: BrandKind, imageHead: Buffer): Fault | null {
  if (imageHead.length === 0) return new Fault('not_an_image', 'This file is empty. Please choose another one.')
  const format = sniff(imageHead)?.format
  const isAcceptedLogo = format === 'png' || format === 'jpeg' || format === 'webp' || isSvg(imageHead)
  const isAcceptedFormat = kind === 'logo' ? isAcceptedLogo : format !== undefined
  return isAcceptedFormat ? null : notABrandImage(kind)
}

/** The answer to an upload whose image could not be rendered. */
function brandImageFault(error: ImageFailure, kind: BrandKind): Fault {
  if (error.code === 'format') return notABrandImage(kind)
  if (error.code === 'pixels') return new Fault('too_large', error.sentence)
  if (error.kind === 'crashed') return new Fault('unavailable', 'Something went wrong. Please upload it again.', 1)
  // A 422 about the only field.
  return new Fault('invalid', [{ loc: ['body', 'file'], msg: error.sentence }])
}

const logosPerRun = 100

/** Enqueues a job for each logo that was uploaded before logos were measured. */
export async function queueLogoMeasurements(db: Db): Promise<void> {
  const logos = await db
    .selectFrom('brand_images')
    .select('key')
    .where('kind', '=', 'logo')
    .where('low_contrast_on_paper', 'is', null)
    .limit(logosPerRun)
    .execute()
  for (const { key } of logos) await enqueue(db, { name: 'measure-logo', payload: { key }, key: `measure:${key}` })
}

/** Measures a stored logo. One that cannot be read gets the values of a dark one, so that it is not tried again. */
export async function measureLogo(deps: Dependencies, key: string): Promise<void> {
  const columns = await contrastOf(deps, key)
  await deps.db.transaction().execute(async (tx) => {
    const logo = await tx
      .updateTable('brand_images')
      .set(columns)
      .where('key', '=', key)
      .returning('user_id')
      .executeTakeFirst()
    if (logo) await publish(tx, { kind: 'user', user: logo.user_id })
  })
}

async function contrastOf({ storage, images, log }: Dependencies, key: string): Promise<ContrastColumns> {
  try {
    const job = await (
      await images()
    ).renderSingle('logo', {
      async writeInput(path) {
        if (!(await storage.linkTo(key, path))) throw new ImageFailure('refused', 'The logo is not in the store.')
      },
    })
    const { lowContrast } = await job.result.finally(job.release)
    return contrastColumns(lowContrast)
  } catch (error) {
    if (!(error instanceof ImageFailure)) throw error
    log.info({ kind: error.kind }, 'a logo could not be measured')
    return contrastColumns(null)
  }
}

/** A logo's share of low-contrast pixels on light and dark; null for a background image. */
interface ContrastColumns {
  low_contrast_on_paper: number | null
  low_contrast_on_ink: number | null
}

/** The columns of a measured logo; the defaults for null. */
const contrastColumns = (lowContrast: { onPaper: number; onInk: number } | null): ContrastColumns => {
  const { onPaper, onInk } = lowContrast ?? presumedContrast
  return { low_contrast_on_paper: onPaper, low_contrast_on_ink: onInk }
}
