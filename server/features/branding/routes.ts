import { brandImage, deleteBackground, deleteLogo, uploadBackground, uploadLogo } from '@keepsnap/contract/branding.ts'
import type { Dependencies } from '../../dependencies.ts'
import { brandingNotInPlan, hasBranding } from '../../domain/brands.ts'
import { planOf, planOfUser } from '../../domain/plans.ts'
import { recordChecksums } from '../../domain/referenced-objects.ts'
import { storeFile } from '../../ports/storage/store-file.ts'
import { newStorageKey, registerKeysForUser, unregisterKeys } from '../../domain/stored-objects.ts'
import { Fault, unauthorized } from '../../faults.ts'
import type { SessionActor } from '../../http/actor.ts'
import { countRateHit } from '../../http/rate-limits.ts'
import { createResponseCache } from '../../http/response-cache.ts'
import { sendObject } from '../../http/send-object.ts'
import type { Call, Serve } from '../../http/serve.ts'
import type { RenderedImage } from '../../images/sandbox/image-jobs.ts'
import type { ImagePool } from '../../images/sandbox/image-pool.ts'
import { enqueue } from '../../jobs/queue.ts'
import { isId } from '../../lib/ids.ts'
import { publish } from '../../live/bus.ts'
import { contrastColumns } from './measure-logos.ts'
import {
  deleteBrandImageRow,
  brandImageByKey,
  lockBrandOwner,
  replaceBrandImageRow,
  sessionExists,
  type BrandKind,
} from './queries.ts'
import { createBrandImageReceiver, type ReceiveBrandImage } from './receive-image.ts'

type BrandingDependencies = Pick<Dependencies, 'db' | 'storage' | 'urls' | 'mediaCache' | 'log'>

const brandImageMaxAgeSeconds = 24 * 60 * 60

/** A user's logo and background: uploading, deleting and showing them. */
export function brandingRoutes(serve: Serve, deps: BrandingDependencies & { images: () => Promise<ImagePool> }): void {
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
    return undefined
  })
}

/** Receives, renders and saves an image; its URL. */
async function uploadBrandImage(
  deps: BrandingDependencies & { receiveBrandImage: ReceiveBrandImage },
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

interface BrandOwner extends SessionActor {
  kind: BrandKind
}

/** Stores a rendered image and replaces the previous one; its key. Of concurrent uploads, the last one remains. */
async function saveBrandImage(
  deps: BrandingDependencies,
  brandOwner: BrandOwner,
  renderedImage: RenderedImage,
): Promise<string> {
  const { db, storage } = deps
  const { contentType: type, bytes, width, height, lowContrast } = renderedImage
  const contrast =
    brandOwner.kind === 'logo'
      ? contrastColumns(lowContrast)
      : { low_contrast_on_paper: null, low_contrast_on_ink: null }
  const key = newStorageKey('brand')
  await registerKeysForUser(db, brandOwner.userId, [key])
  try {
    await recordChecksums(db, [await storeFile(storage, key, { path: renderedImage.path, type })])
    await db.transaction().execute(async (tx) => {
      const user = await lockBrandOwner(tx, brandOwner.userId)
      if (!user || !(await sessionExists(tx, brandOwner.sessionHash))) throw unauthorized()
      if (!hasBranding(user)) throw brandingNotInPlan(planOf(user))
      const previousKey = await replaceBrandImageRow(tx, brandOwner, { key, type, bytes, width, height, ...contrast })
      if (previousKey !== undefined)
        await enqueue(tx, { name: 'delete-object', payload: { key: previousKey }, key: `object:${previousKey}` })
      await publish(tx, { kind: 'user', user: brandOwner.userId })
    })
    return key
  } catch (error) {
    await discardBrandImage(deps, key)
    throw error
  }
}

/** Deletes an image that was not saved. What fails is left to the clean-up job. */
async function discardBrandImage({ db, storage, log }: BrandingDependencies, key: string): Promise<void> {
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
  deps: BrandingDependencies,
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
async function deleteBrandImageBytes({ db, storage, log }: BrandingDependencies, key: string): Promise<boolean> {
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

/** An image that is shown now: its account is active, and its plan includes branding. */
async function findShownBrandImage({ db }: BrandingDependencies, code: string, client: string) {
  const image = isId(code) ? await brandImageByKey(db, `brand/${code}`) : undefined
  if (!image) await countRateHit(db, 'unknownCodes', client)
  if (!image || !image.is_active || !hasBranding(image))
    throw new Fault('not_found', 'This image does not exist or is no longer used.')
  return image
}
