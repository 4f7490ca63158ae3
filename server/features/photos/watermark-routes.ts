import {
  startWatermarkRun,
  stopWatermarkRun,
  watermarkPreview,
  watermarkRun,
  type WatermarkRun,
} from '@keepsnap/contract/branding.ts'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { brandingNotInPlan } from '../../domain/brands.ts'
import { planOfUser } from '../../domain/plans.ts'
import { watermarkOf } from '../../domain/watermarks.ts'
import { Fault } from '../../faults.ts'
import { countRateHit } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve.ts'
import type { ImagePool } from '../../images/sandbox/image-pool.ts'
import { lockUser } from './queries.ts'
import { createWatermarkPreviews } from './watermark-preview.ts'
import {
  countPhotosToProcess,
  newestUnmarkedImage,
  requestRunStop,
  watermarkRunOf,
  insertWatermarkRun,
} from './watermark-queries.ts'
import { enqueueNextStep } from './watermark-run.ts'

async function runView(db: Db, userId: string): Promise<WatermarkRun> {
  const watermark = await watermarkOf(db, userId)
  const [run, photoCounts] = await Promise.all([
    watermarkRunOf(db, userId),
    countPhotosToProcess(db, userId, watermark),
  ])
  return {
    state: run?.state ?? 'idle',
    what: run?.action ?? null,
    total: run?.total ?? 0,
    done: run?.done ?? 0,
    failed: run?.failed ?? 0,
    started_at: run?.started_at.toISOString() ?? null,
    finished_at: run?.finished_at?.toISOString() ?? null,
    ...photoCounts,
  }
}

const noLogo = (): Fault => new Fault('conflict', 'Upload a logo first.')
const runInProgress = (): Fault =>
  new Fault('conflict', 'Your photos are already being processed. Wait for that to finish, or stop it.')

/** Previews the watermark, and adds it to existing photos or removes it. */
export function watermarkRoutes(
  serve: Serve,
  { db, storage, images }: Pick<Dependencies, 'db' | 'storage'> & { images: () => Promise<ImagePool> },
): void {
  const renderPreview = createWatermarkPreviews(storage, images)

  serve(watermarkPreview, async (_, { actor: { userId }, reply }) => {
    await countRateHit(db, 'previews', userId)
    const plan = await planOfUser(db, userId)
    if (!plan.features.custom_branding) throw brandingNotInPlan(plan)
    const [watermark, photo] = await Promise.all([watermarkOf(db, userId), newestUnmarkedImage(db, userId)])
    if (!watermark) throw new Fault('not_found', 'There is no logo yet. Upload one to see it on a photo.')
    if (!photo) throw new Fault('not_found', 'There is no photo yet. Upload one to see your logo on it.')
    const previewJpeg = await renderPreview(userId, photo.key, watermark)
    await reply
      .headers({ 'cache-control': 'no-store', 'content-security-policy': "default-src 'none'; sandbox" })
      .type('image/jpeg')
      .send(previewJpeg)
    return undefined
  })

  serve(watermarkRun, (_, { actor }) => runView(db, actor.userId))

  serve(startWatermarkRun, async ({ body: { what } }, { actor: { userId } }) => {
    await db.transaction().execute(async (tx) => {
      await lockUser(tx, userId)
      const watermark = await watermarkOf(tx, userId)
      if (what === 'apply') {
        const plan = await planOfUser(tx, userId)
        if (!plan.features.custom_branding) throw brandingNotInPlan(plan)
        if (!watermark) throw noLogo()
      }
      const { applicable, undoable } = await countPhotosToProcess(tx, userId, watermark)
      if (!(await insertWatermarkRun(tx, userId, { action: what, total: what === 'apply' ? applicable : undoable })))
        throw runInProgress()
      await enqueueNextStep(tx, userId)
    })
    return runView(db, userId)
  })

  serve(stopWatermarkRun, async (_, { actor: { userId } }) => {
    await db.transaction().execute(async (tx) => {
      await requestRunStop(tx, userId)
      if ((await watermarkRunOf(tx, userId))?.state === 'stopping') await enqueueNextStep(tx, userId)
    })
    return runView(db, userId)
  })
}
