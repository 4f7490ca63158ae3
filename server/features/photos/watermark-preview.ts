import { readFile } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'
import { Fault } from '../../faults.ts'
import { ImageFailure } from '../../images/sandbox/image-failure.ts'
import type { ImagePool } from '../../images/sandbox/image-pool.ts'
import type { Storage } from '../../ports/storage/storage.ts'

/** Previews of a few hundred kilobytes each. */
const maxCached = 20
const maxWaitMs = 40_000

const busy = (): Fault => new Fault('unavailable', 'The preview is taking too long right now. Please try again.', 10)

/** Renders what a photo would look like with a logo; one preview at a time for each user, the latest ones cached. */
export function createPreviews(storage: Storage, images: () => Promise<ImagePool>) {
  const cache = new LRUCache<string, Buffer>({ max: maxCached })
  const rendering = new Map<string, Promise<Buffer>>()

  async function render(photoKey: string, logoKey: string): Promise<Buffer> {
    const pool = await images()
    const signal = AbortSignal.timeout(maxWaitMs)
    const input = {
      async writeInput(path: string) {
        if (!(await storage.linkTo(photoKey, path))) throw new Fault('not_found', 'This photo no longer exists.')
      },
      writeLogo: (path: string) => storage.linkTo(logoKey, path),
    }
    try {
      const job = await pool.renderSingle('preview', input, signal)
      try {
        return await readFile((await job.result).path)
      } finally {
        await job.release()
      }
    } catch (error) {
      if (signal.aborted) throw busy()
      throw error instanceof ImageFailure ? new Fault('conflict', error.sentence) : error
    }
  }

  return async (userId: string, photoKey: string, logoKey: string): Promise<Buffer> => {
    const name = `${photoKey} ${logoKey}`
    await rendering.get(userId)?.catch(() => {})
    const cached = cache.get(name)
    if (cached) return cached
    if (rendering.has(userId))
      throw new Fault('rate_limited', 'A preview is already in progress. Please wait for it.', 2)
    const preview = render(photoKey, logoKey).finally(() => rendering.delete(userId))
    rendering.set(userId, preview)
    cache.set(name, await preview)
    return preview
  }
}
