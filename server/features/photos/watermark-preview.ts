import { readFile } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'
import { photoWatermarkColumns, type Watermark } from '../../domain/watermarks.ts'
import { Fault } from '../../faults.ts'
import { ImageFailure } from '../../images/sandbox/image-failure.ts'
import type { ImagePool } from '../../images/sandbox/image-pool.ts'
import type { Storage } from '../../ports/storage/storage.ts'

/** Previews of a few hundred kilobytes each. */
const maxCachedPreviews = 20
const previewTimeoutMs = 40_000

const previewBusy = (): Fault =>
  new Fault('unavailable', 'The preview is taking too long right now. Please try again.', 10)

/** Renders what a photo would look like with a logo; one preview at a time for each user, the latest ones cached. */
export function createWatermarkPreviews(storage: Storage, images: () => Promise<ImagePool>) {
  const previewCache = new LRUCache<string, Buffer>({ max: maxCachedPreviews })
  const runningPreviews = new Map<string, Promise<Buffer>>()

  async function renderPreview(photoKey: string, { logoKey, layout }: Watermark): Promise<Buffer> {
    const pool = await images()
    const previewDeadline = AbortSignal.timeout(previewTimeoutMs)
    const input = {
      async writeInput(path: string) {
        if (!(await storage.linkTo(photoKey, path))) throw new Fault('not_found', 'This photo no longer exists.')
      },
      watermark: { layout, writeLogo: (path: string) => storage.linkTo(logoKey, path) },
    }
    try {
      const job = await pool.renderSingle('preview', input, previewDeadline)
      try {
        return await readFile((await job.result).path)
      } finally {
        await job.release()
      }
    } catch (error) {
      if (previewDeadline.aborted) throw previewBusy()
      throw error instanceof ImageFailure ? new Fault('conflict', error.sentence) : error
    }
  }

  return async (userId: string, photoKey: string, watermark: Watermark): Promise<Buffer> => {
    const cacheKey = `${photoKey} ${Object.values(photoWatermarkColumns(watermark)).join(' ')}`
    await runningPreviews.get(userId)?.catch(() => {})
    const cachedPreview = previewCache.get(cacheKey)
    if (cachedPreview) return cachedPreview
    if (runningPreviews.has(userId))
      throw new Fault('rate_limited', 'A preview is already in progress. Please wait for it.', 2)
    const preview = renderPreview(photoKey, watermark).finally(() => runningPreviews.delete(userId))
    runningPreviews.set(userId, preview)
    previewCache.set(cacheKey, await preview)
    return preview
  }
}
