import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Dependencies } from '../../dependencies.ts'
import { findSharedPhoto, type SharedPhoto } from '../photos/photo-access.ts'
import { hasScreenImage } from '../photos/photo-view.ts'
import { newStorageKey, recordChecksums, registerKeysForPhoto, unregisterKeys } from '../photos/stored-objects.ts'
import { storeFile } from '../../ports/storage/storage.ts'

/** A stored picture for screens: a JPEG. */
interface StoredScreenImage {
  key: string
  bytes: number
}

export type ScreenImages = ReturnType<typeof createScreenImages>

type ScreenImageDependencies = Pick<Dependencies, 'db' | 'storage' | 'mediaCache' | 'log' | 'images'>

/** How long a picture may wait for an image process; the process itself has limits of its own. */
const queueTimeoutMs = 60_000
/** Pictures that are made or wait at the same time. */
const maxInProgress = 32

/**
 * Makes the picture of a photo for screens when it is first asked for; requests that meet share one rendering. It is made from the full
 * image, so it has the watermark and the orientation of that, and is of no use any more when the photo gets another one. A request
 * that has waited for `maxWaitMs` gets the full image, and the picture is there for the next one.
 */
export function createScreenImages(deps: ScreenImageDependencies, { maxWaitMs = 5_000 } = {}) {
  const { db, storage, log } = deps
  const inProgress = new Map<string, Promise<StoredScreenImage | null>>()

  const storedImageOf = async ({
    screenKey: key,
    screenBytes: bytes,
  }: SharedPhoto): Promise<StoredScreenImage | null> =>
    key !== null && bytes !== null && (await storage.sizeOf(key)) === bytes ? { key, bytes } : null

  async function makeUnlessStored({ photoId, fullKey }: SharedPhoto): Promise<StoredScreenImage | null> {
    const photo = await findSharedPhoto(db, 'id', photoId)
    if (photo?.fullKey !== fullKey) return null
    return (await storedImageOf(photo)) ?? makeScreenImage(deps, photo)
  }
  function startMaking(photo: SharedPhoto): Promise<StoredScreenImage | null> | null {
    const name = String(photo.fullKey)
    const running = inProgress.get(name)
    if (running || inProgress.size >= maxInProgress) return running ?? null
    const making = makeUnlessStored(photo)
      .catch((error: unknown) => {
        log.warn({ err: error, photo: photo.photoId }, 'the picture of a photo for screens could not be made')
        return null
      })
      .finally(() => inProgress.delete(name))
    inProgress.set(name, making)
    return making
  }
  return {
    /**
     * The stored picture of a photo, made now if there is none yet. Null when a photo has none, and when it cannot be made soon:
     * the full image is sent instead.
     */
    async find(photo: SharedPhoto): Promise<StoredScreenImage | null> {
      if (!hasScreenImage({ ...photo, type: photo.fullType })) return null
      const stored = await storedImageOf(photo)
      if (stored) return stored
      const timeout = new AbortController()
      try {
        return await Promise.race([startMaking(photo), delay(maxWaitMs, null, { signal: timeout.signal })])
      } finally {
        timeout.abort()
      }
    },
  }
}

async function makeScreenImage(
  { db, storage, mediaCache, images }: ScreenImageDependencies,
  { photoId, fullKey }: SharedPhoto,
): Promise<StoredScreenImage | null> {
  if (fullKey === null) return null
  const input = {
    async writeInput(path: string) {
      if (!(await storage.linkTo(fullKey, path))) throw new Error('the full image is not in the store')
    },
  }
  const job = await (await images()).renderSingle('screen', input, AbortSignal.timeout(queueTimeoutMs))
  const key = newStorageKey('screen')
  let isNamed = false
  try {
    const { path, contentType: type, bytes } = await job.result
    await registerKeysForPhoto(db, photoId, [key])
    try {
      await recordChecksums(db, [await storeFile(storage, key, { path, type })])
      const { rows } = await sql`
        update photos set screen_key = ${key}, screen_bytes = ${bytes}, screen_of = full_key
        where id = ${photoId} and full_key = ${fullKey} and state = 'ready' and deleted_at is null returning 1`.execute(
        db,
      )
      isNamed = rows.length === 1
    } finally {
      if (!isNamed) {
        await storage.remove([key])
        await unregisterKeys(db, [key])
      }
    }
    mediaCache.invalidatePhoto(photoId)
    return isNamed ? { key, bytes } : null
  } finally {
    await job.release()
  }
}
