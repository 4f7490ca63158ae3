import { readFile } from 'node:fs/promises'
import { Fault } from '../../faults.ts'
import { ImageFailure } from '../../images/failure.ts'
import type { ImagePool } from '../../images/pool.ts'
import type { Storage } from '../../ports/storage/storage.ts'

/** Of a few hundred kilobytes each. */
const rememberMost = 20
const waitMostMs = 40_000

const busy = (): Fault => new Fault('unavailable', 'The preview takes too long at the moment. Please try again.', 10)

/** Draws what a photo would become. Each is drawn once while it is remembered, and one at a time for each user. */
export function createPreviews(storage: Storage, images: () => Promise<ImagePool>) {
  const remembered = new Map<string, Buffer>()
  const drawing = new Map<string, Promise<Buffer>>()

  async function draw(photoKey: string, logoKey: string): Promise<Buffer> {
    const pool = await images()
    const signal = AbortSignal.timeout(waitMostMs)
    const picture = pool.picture({
      work: 'preview',
      signal,
      async place(path) {
        if (!(await storage.layAt(photoKey, path))) throw new Fault('not_found', 'This photo is no longer there.')
      },
      watermark: { place: (path) => storage.layAt(logoKey, path) },
      take: ({ path }) => readFile(path),
    })
    return picture.catch((error: unknown) => {
      if (signal.aborted) throw busy()
      throw error instanceof ImageFailure ? new Fault('conflict', error.sentence) : error
    })
  }

  return async (userId: string, photoKey: string, logoKey: string): Promise<Buffer> => {
    const name = `${photoKey} ${logoKey}`
    const before = drawing.get(userId)
    if (before) await before.catch(() => {})
    const known = remembered.get(name)
    if (known) return known
    if (drawing.has(userId)) throw new Fault('rate_limited', 'A preview is being drawn already. Please wait for it.', 2)
    const drawn = draw(photoKey, logoKey).finally(() => drawing.delete(userId))
    drawing.set(userId, drawn)
    const picture = await drawn
    const [oldest] = remembered.keys()
    if (remembered.size >= rememberMost && oldest !== undefined) remembered.delete(oldest)
    remembered.set(name, picture)
    return picture
  }
}
