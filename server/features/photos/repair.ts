import { sql } from 'kysely'
import type { Dependencies } from '../../dependencies.ts'
import { storeFile } from '../../ports/storage/storage.ts'
import { photoWatermarkColumns, watermarkOf, watermarkOfPhoto } from '../branding/brands.ts'
import { ImageFailure } from '../../images/sandbox/image-jobs.ts'
import { publish } from '../../platform/live/bus.ts'
import { replaceFullImage } from '../branding/watermark.ts'
import type { Db } from '../../platform/db/connect.ts'
import { lockUser } from '../plans/plans.ts'
import { recordChecksums, storeUnderNewKey } from './stored-objects.ts'

/** What rebuilding images needs. */
type RebuildDependencies = Pick<Dependencies, 'db' | 'storage' | 'images'>

interface PhotoRow {
  id: string
  user_id: string
  full_key: string
  thumb_key: string
  unmarked_key: string | null
  unmarked_type: string | null
  unmarked_bytes: number | null
}

/** Whether the bytes under a key are there and are those that were stored. */
type IsIntact = (key: string) => Promise<boolean>

async function readyPhoto({ db }: RebuildDependencies, id: string): Promise<PhotoRow | undefined> {
  const { rows } = await sql<PhotoRow>`
    select id, user_id, full_key, thumb_key, unmarked_key, unmarked_type, unmarked_bytes
    from photos where id = ${id} and state = 'ready' and deleted_at is null and full_key is not null
      and thumb_key is not null`.execute(db)
  return rows[0]
}

const readInto =
  ({ storage }: RebuildDependencies, key: string) =>
  async (path: string): Promise<void> => {
    if (!(await storage.linkTo(key, path))) throw new ImageFailure('refused', 'The image is not in the store.')
  }

/** Makes the thumbnail of a photo again from its full image, if that is intact. False when nothing could be made. */
export async function rebuildThumbnail(
  deps: RebuildDependencies,
  photoId: string,
  isIntact: IsIntact,
): Promise<boolean> {
  const { db, storage } = deps
  const photo = await readyPhoto(deps, photoId)
  if (!photo) return false
  // Thumbnails have no watermark, so the picture without it comes first.
  const sources = [...(photo.unmarked_key === null ? [] : [photo.unmarked_key]), photo.full_key]
  let source: string | undefined
  for (const key of sources) if (source === undefined && (await isIntact(key))) source = key
  if (source === undefined) return false
  const writeInput = readInto(deps, source)
  return storeUnderNewKey(deps, { photoId, kind: 'thumb' }, async (key) => {
    const job = await (await deps.images()).renderPhoto({ taskClass: 'slow', writeInput })
    try {
      const { path, bytes, thumbhash } = (await job.result).thumbnail
      await recordChecksums(db, [await storeFile(storage, key, { path, type: 'image/webp' })])
      return await db.transaction().execute(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('photos')
          .set({ thumb_key: key, thumb_bytes: bytes, thumbhash })
          .where('id', '=', photoId)
          .where('thumb_key', '=', photo.thumb_key)
          .where('state', '=', 'ready')
          .where('deleted_at', 'is', null)
          .executeTakeFirst()
        await publish(tx, { kind: 'photo', what: 'changed', user: photo.user_id, photo: photoId })
        return numUpdatedRows === 1n
      })
    } finally {
      await job.release()
    }
  })
}

/**
 * Makes the full image of a photo with a watermark again from the picture without it, if that and the logo are intact: as it was,
 * or, when the logo was replaced, as the owner's photos get it now. Never shows the picture without the watermark instead. False
 * when nothing could be made.
 */
export async function rebuildFullImage(
  deps: RebuildDependencies,
  photoId: string,
  isIntact: IsIntact,
): Promise<boolean> {
  const { db, storage } = deps
  const photo = await readyPhoto(deps, photoId)
  if (!photo) return false
  const { unmarked_key, unmarked_type, unmarked_bytes } = photo
  if (unmarked_key === null || !(await isIntact(unmarked_key))) return false
  const watermark = (await watermarkOfPhoto(db, photoId)) ?? (await watermarkOf(db, photo.user_id))
  if (!watermark || !(await isIntact(watermark.logoKey))) return false
  return storeUnderNewKey(deps, { photoId, kind: 'full' }, async (key) => {
    const job = await (
      await deps.images()
    ).renderSingle('watermarked', {
      taskClass: 'slow',
      writeInput: readInto(deps, unmarked_key),
      watermark: { layout: watermark.layout, writeLogo: (path) => storage.linkTo(watermark.logoKey, path) },
    })
    try {
      const { path, contentType: type, bytes } = await job.result
      await recordChecksums(db, [await storeFile(storage, key, { path, type })])
      const images = { full_key: key, full_type: type, full_bytes: bytes, unmarked_key, unmarked_type, unmarked_bytes }
      return await db
        .transaction()
        .execute((tx) =>
          replaceFullImage(
            tx,
            { userId: photo.user_id, photoId, from: photo.full_key },
            { ...images, ...photoWatermarkColumns(watermark) },
          ),
        )
    } finally {
      await job.release()
    }
  })
}

/**
 * Raises the count of an account's month to the number of photos that exist. Never lowers it: photos that were deleted count
 * too. Uploads of the account wait meanwhile. Whether it was too low.
 */
export function recountMonth(db: Db, userId: string, month: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    if (!(await lockUser(tx, userId))) return false
    await sql`
      insert into usage_months (user_id, month, uploads) values (${userId}, ${month}::date, 0)
      on conflict (user_id, month) do update set uploads = usage_months.uploads`.execute(tx)
    const { rows } = await sql`
      update usage_months set uploads = counted.photos
      from (select count(*) as photos from photos
        where user_id = ${userId} and counted_month = ${month}::date and state <> 'failed' and source <> 'guest') as counted
      where usage_months.user_id = ${userId} and usage_months.month = ${month}::date and uploads < counted.photos
      returning 1`.execute(tx)
    return rows.length === 1
  })
}
