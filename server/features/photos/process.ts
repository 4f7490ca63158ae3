import type { Deps } from '../../deps.ts'
import { forgetObjects, newKey } from '../../domain/objects.ts'
import type { ImageJob, Made, MadeThumbnail } from '../../images/pictures.ts'
import type { ImagePool } from '../../images/pool.ts'
import { ImageFailure } from '../../images/failure.ts'
import type { HeadStarts } from './head-starts.ts'
import {
  claim,
  crashed,
  photoFailed,
  photoMade,
  thumbnailMade,
  type Attempt,
  type Measured,
} from './processing-queries.ts'

export type Parts = Pick<Deps, 'db' | 'storage' | 'log'> & { images: ImagePool; headStarts: HeadStarts }

const crashesMost = 3
/** Attempts begin anew when their program dies, which is not the photo's fault; but not for ever. */
const attemptsMost = 25
const gaveUp = 'This photo could not be processed. Please try again, or upload it once more.'

async function drop({ db, storage, log }: Parts, keys: string[]): Promise<void> {
  try {
    await storage.remove(keys)
    await forgetObjects(db, keys)
  } catch (error) {
    log.warn({ err: error }, 'files that are no longer needed are left for the sweep')
  }
}

/**
 * Removes what was stored for a photo that has been deleted meanwhile, with all that was known of its keys. What is known
 * stays: another attempt or the sweep comes for it.
 */
async function dropForgotten({ db, storage, log }: Parts, keys: string[]): Promise<void> {
  try {
    const known = await db.selectFrom('objects').select('key').where('key', 'in', keys).execute()
    await storage.remove(keys.filter((key) => !known.some((one) => one.key === key)))
  } catch (error) {
    log.warn({ err: error }, 'files of a photo that is gone may be left in the store')
  }
}

/** Keys that an attempt may have stored under, and that nothing names when it came to nothing. */
const keysOf = ({ fullKey, thumbKey, mark }: Attempt): string[] => [fullKey, thumbKey, ...(mark ? [mark.plainKey] : [])]

const measured = ({ width, height, thumbhash, bytes: thumbBytes }: MadeThumbnail): Measured => ({
  width,
  height,
  thumbhash,
  thumbBytes,
})

/** One attempt, from the stored original to the finished photo. `lost` when the photo was no longer this attempt's. */
async function make(
  { db, storage, images, headStarts }: Parts,
  attempt: Attempt,
): Promise<'marked' | 'plain' | 'lost'> {
  const { mark } = attempt
  let announced: Promise<boolean> | undefined
  const announce = async (thumbnail: MadeThumbnail): Promise<boolean> => {
    let told: Promise<boolean> | undefined
    const seen = (): void => {
      told ??= thumbnailMade(db, attempt, measured(thumbnail))
      told.catch(() => {})
    }
    try {
      await storage.adopt(attempt.thumbKey, thumbnail.path, { type: 'image/webp', seen })
    } finally {
      // Whatever is done about a failure comes after it.
      await told?.catch(() => {})
    }
    seen()
    return told!
  }
  const job: ImageJob<'marked' | 'plain' | 'lost'> = {
    async place(path) {
      if (!(await storage.layAt(attempt.originalKey, path))) throw new Error('the original is not in the store')
    },
    onThumbnail(thumbnail) {
      announced = announce(thumbnail)
      announced.catch(() => {})
    },
    ...(mark && { watermark: { place: (path) => storage.layAt(mark.logoKey, path) } }),
    async take({ thumbnail, full, plain }: Made) {
      await storage.adopt(attempt.fullKey, full.path, { type: full.type })
      if (mark && plain) await storage.adopt(mark.plainKey, plain.path, { type: full.type })
      if (!(await announced)) return 'lost'
      const made = { type: full.type, bytes: full.bytes, plainBytes: plain?.bytes ?? null }
      if (!(await photoMade(db, attempt, { ...made, thumbnail: measured(thumbnail) }))) return 'lost'
      return plain ? 'marked' : 'plain'
    },
  }
  if (mark) headStarts.drop(attempt.photoId)
  try {
    return await (headStarts.take(attempt.photoId, job) ?? images.render(job))
  } finally {
    // Whatever failed, a thumbnail that is still being stored must not come after what is done about the failure.
    await announced?.catch(() => {})
  }
}

/** What a failed attempt means: `again` for another one, `settled` when the photo has its outcome. */
async function settle({ db, log }: Parts, attempt: Attempt, failure: ImageFailure): Promise<'again' | 'settled'> {
  log.info({ photo: attempt.photoId, attempt: attempt.attempt, kind: failure.kind }, 'a photo could not be made')
  if (failure.kind === 'crashed') {
    const crashes = await crashed(db, attempt)
    if (crashes > 0 && crashes < crashesMost) return 'again'
  }
  await photoFailed(db, attempt, failure.sentence)
  return 'settled'
}

/**
 * Turns an accepted upload into its images. Ends with the photo ready or failed, or with nothing changed when it was
 * deleted or overtaken meanwhile; rejects only when a part of the house is down, and is then run again.
 */
export async function processPhoto(parts: Parts, photoId: string): Promise<void> {
  for (;;) {
    const attempt = await claim(parts.db, photoId, { fullKey: newKey('full'), thumbKey: newKey('thumb') })
    if (!attempt) return parts.headStarts.drop(photoId)
    if (attempt.attempt > attemptsMost) {
      await photoFailed(parts.db, attempt, gaveUp)
      return
    }
    try {
      const made = await make(parts, attempt)
      if (made === 'lost') return await drop(parts, keysOf(attempt))
      // A photo too small for a logo has no second picture.
      const unused = attempt.mark && made === 'plain' ? [attempt.mark.plainKey] : []
      return await drop(parts, [attempt.originalKey, ...unused])
    } catch (error) {
      if (!(error instanceof ImageFailure)) {
        await dropForgotten(parts, keysOf(attempt))
        throw error
      }
      const outcome = await settle(parts, attempt, error)
      await drop(parts, keysOf(attempt))
      if (outcome === 'settled') return
    }
  }
}

/** Phase two of a deletion: the bytes, then the knowledge of them. The row itself goes with the sweep. */
export async function deleteBytes({ db, storage }: Pick<Deps, 'db' | 'storage'>, photoId: string): Promise<void> {
  const objects = await db
    .selectFrom('objects as o')
    .innerJoin('photos as p', 'p.id', 'o.photo_id')
    .select('o.key')
    .where('o.photo_id', '=', photoId)
    .where('p.deleted_at', 'is not', null)
    .execute()
  const keys = objects.map(({ key }) => key)
  await storage.remove(keys)
  await forgetObjects(db, keys)
}
