import { sql } from 'kysely'
import type { Database, Db } from '../../db/connect.ts'
import { coalesce } from '../../db/coalesce.ts'
import { preparedLimit, prepareQuery } from '../../db/prepared-query.ts'
import { selectExistingPhotos, type PhotoRow } from '../../domain/photos.ts'

/** A user's photos as they are now, newest first. */
export interface PhotoReads {
  page(userId: string, page: { limit: number; before?: string | undefined }): Promise<PhotoRow[]>
  /**
   * A page after the `skip` newest, or of photos older than `before`, which may be hidden or deleted, and how many photos there
   * are in all, both of the same moment. Undefined when the user has no photo `before`.
   */
  countedPage(
    userId: string,
    page: { skip: number; limit: number; before?: string | undefined },
  ): Promise<{ rows: PhotoRow[]; total: number } | undefined>
  /** The newest that is not hidden from guests: what a big screen shows. */
  latest(userId: string): Promise<PhotoRow | undefined>
  one(userId: string, id: string): Promise<PhotoRow | undefined>
}

/** The queries that every open page repeats: prepared statements, with identical concurrent queries coalesced. */
export function createPhotoReads(db: Db, pool: Database['pool']): PhotoReads {
  const photosOfUser = selectExistingPhotos(db).where('photos.user_id', '=', '')
  const newestPhotos = photosOfUser.orderBy('photos.created_at', 'desc').orderBy('photos.id', 'desc')
  const isOlderPhoto = sql<boolean>`(photos.created_at, photos.id) < (select earlier.created_at, earlier.id from photos earlier where earlier.id = ${''} and earlier.user_id = ${''})`
  const firstPage = coalesce(prepareQuery(pool, 'photos first', newestPhotos.limit(preparedLimit).compile()))
  const olderPage = coalesce(
    prepareQuery(pool, 'photos older', newestPhotos.where(isOlderPhoto).limit(preparedLimit).compile()),
  )
  // A statement of its own with a fixed limit, because the best query plan depends on the number of rows.
  const newestVisiblePhoto = coalesce(
    prepareQuery(pool, 'photos latest', newestPhotos.where('photos.hidden_at', 'is', null).limit(sql.lit(1)).compile()),
  )
  const countOfUser = photosOfUser.clearSelect().select((eb) => eb.fn.countAll<number>().as('count'))
  const countPhotos = coalesce(prepareQuery(pool, 'photos count', countOfUser.compile()))
  const countedPhotos = newestPhotos.select(countOfUser.as('total'))
  const countedPage = coalesce(
    prepareQuery(pool, 'photos counted', countedPhotos.limit(preparedLimit).offset(0).compile()),
  )
  const countedOlderPage = coalesce(
    prepareQuery(pool, 'photos counted older', countedPhotos.where(isOlderPhoto).limit(preparedLimit).compile()),
  )
  const isPhotoOf = async (userId: string, id: string): Promise<boolean> =>
    (await db.selectFrom('photos').where('id', '=', id).where('user_id', '=', userId).select('id').execute()).length > 0
  const onePhoto = coalesce(prepareQuery(pool, 'photos one', photosOfUser.where('photos.id', '=', '').compile()))
  return {
    page: (userId, { limit, before }) =>
      before === undefined ? firstPage([userId, limit]) : olderPage([userId, before, userId, limit]),
    async countedPage(userId, { skip, limit, before }) {
      const rows =
        before === undefined
          ? await countedPage([userId, userId, limit, skip])
          : await countedOlderPage([userId, userId, before, userId, limit])
      if (before !== undefined && rows.length === 0 && !(await isPhotoOf(userId, before))) return undefined
      // A page after the last photo has no row with the total.
      const isFirstPage = skip === 0 && before === undefined
      const total = rows[0]?.total ?? (isFirstPage ? 0 : (await countPhotos([userId]))[0]?.count)
      return { rows, total: total ?? 0 }
    },
    latest: async (userId) => (await newestVisiblePhoto([userId]))[0],
    one: async (userId, id) => (await onePhoto([userId, id]))[0],
  }
}
