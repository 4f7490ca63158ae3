import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Database, Db } from '../../db/connect.ts'
import { coalesceKeys } from '../../db/coalesce-keys.ts'
import { coalesce } from '../../db/coalesce.ts'
import { preparedLimit, prepareQuery } from '../../db/prepared-query.ts'
import { photoRowColumns, selectExistingPhotos, type PhotoRow } from '../../domain/photos.ts'

/** A user's photos as they are now, newest first. */
export interface PhotoReads {
  page(userId: string, page: { limit: number; before?: string | undefined }): Promise<PhotoRow[]>
  /**
   * A page after the `skip` newest, or of photos older than `before`, which may be hidden or deleted, and how many photos there
   * are in all, both of the same moment; without those that an operator hid. Undefined when the user has no photo `before`.
   */
  countedPage(
    userId: string,
    page: { skip: number; limit: number; before?: string | undefined },
  ): Promise<{ rows: PhotoRow[]; total: number } | undefined>
  /** The newest that is not hidden from guests: what a big screen shows. */
  latest(userId: string): Promise<PhotoRow | undefined>
  one(userId: string, id: string): Promise<PhotoRow | undefined>
}

/** The columns of a photo itself, in the order of the arrays that the query of first pages returns. */
const ownColumns = photoRowColumns.flatMap((name) =>
  name.startsWith('photos.') && name !== 'photos.user_id' ? [name.slice('photos.'.length)] : [],
)

function rowOf(values: readonly unknown[], owner: Pick<PhotoRow, 'user_id' | 'media_epoch'>): PhotoRow {
  const row: Record<string, unknown> = { ...owner }
  for (const [index, name] of ownColumns.entries()) {
    const value = values[index]
    row[name] = typeof value === 'string' && name.endsWith('_at') ? new Date(value) : value
  }
  return row as unknown as PhotoRow // has all of its columns
}

/**
 * The newest photos of a user. Every screen of every user asks for them: one query reads them for several users, and their rows
 * arrive as JSON, which is parsed in a third of the time.
 */
function prepareFirstPage(db: Db, pool: Database['pool']): (userId: string, limit: number) => Promise<PhotoRow[]> {
  const newest = db
    .selectFrom('photos')
    .selectAll()
    .where(sql<boolean>`photos.user_id = users.id`)
    .where('photos.deleted_at', 'is', null)
    .where('photos.state', '!=', sql.lit('receiving'))
    .orderBy('photos.created_at', 'desc')
    .orderBy('photos.id', 'desc')
    .limit(preparedLimit)
  const columns = sql.join(ownColumns.map((name) => sql.ref(`photos.${name}`)))
  const query = prepareQuery(
    pool,
    'photos first',
    sql<{ userId: string; mediaEpoch: number; photos: unknown[][] | null }>`
      select id as "userId", media_epoch as "mediaEpoch",
        (select json_agg(json_build_array(${columns})) from ${newest.as('photos')}) as photos
      from users where id = any(${''}::text[])`.compile(db),
  )
  const readsByLimit = new LRUCache<number, (userId: string) => Promise<PhotoRow[] | undefined>>({ max: 100 })
  return async (userId, limit) => {
    const read =
      readsByLimit.get(limit) ??
      coalesceKeys(async (userIds) => {
        const owners = await query([limit, userIds])
        return new Map(
          owners.map(({ userId: user_id, mediaEpoch: media_epoch, photos }) => [
            user_id,
            (photos ?? []).map((values) => rowOf(values, { user_id, media_epoch })),
          ]),
        )
      })
    readsByLimit.set(limit, read)
    return (await read(userId)) ?? []
  }
}

/** The queries that every open page repeats: prepared statements, with identical concurrent queries coalesced. */
export function createPhotoReads(db: Db, pool: Database['pool']): PhotoReads {
  const photosOfUser = selectExistingPhotos(db).where('photos.user_id', '=', '')
  const newestPhotos = photosOfUser.orderBy('photos.created_at', 'desc').orderBy('photos.id', 'desc')
  const isOlderPhoto = sql<boolean>`(photos.created_at, photos.id) < (select earlier.created_at, earlier.id from photos earlier where earlier.id = ${''} and earlier.user_id = ${''})`
  const firstPage = prepareFirstPage(db, pool)
  const olderPage = coalesce(
    prepareQuery(pool, 'photos older', newestPhotos.where(isOlderPhoto).limit(preparedLimit).compile()),
  )
  // A statement of its own with a fixed limit, because the best query plan depends on the number of rows.
  const newestVisiblePhoto = coalesce(
    prepareQuery(pool, 'photos latest', newestPhotos.where('photos.hidden_at', 'is', null).limit(sql.lit(1)).compile()),
  )
  // Two counts that indexes answer: what operators hid is next to nothing.
  const hiddenByOperators = photosOfUser.where('photos.operator_decision', '=', sql.lit('hide')).clearSelect()
  const countOfUser = photosOfUser
    .clearSelect()
    .select((eb) =>
      sql<number>`${eb.fn.countAll()} - (${hiddenByOperators.select(eb.fn.countAll().as('hidden'))})`.as('count'),
    )
  const countPhotos = coalesce(prepareQuery(pool, 'photos count', countOfUser.compile()))
  const countedPhotos = newestPhotos
    .select(countOfUser.as('total'))
    .where('photos.operator_decision', 'is distinct from', sql.lit('hide'))
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
      before === undefined ? firstPage(userId, limit) : olderPage([userId, before, userId, limit]),
    async countedPage(userId, { skip, limit, before }) {
      const rows =
        before === undefined
          ? await countedPage([userId, userId, userId, limit, skip])
          : await countedOlderPage([userId, userId, userId, before, userId, limit])
      if (before !== undefined && rows.length === 0 && !(await isPhotoOf(userId, before))) return undefined
      // A page after the last photo has no row with the total.
      const isFirstPage = skip === 0 && before === undefined
      const total = rows[0]?.total ?? (isFirstPage ? 0 : (await countPhotos([userId, userId]))[0]?.count)
      return { rows, total: total ?? 0 }
    },
    latest: async (userId) => (await newestVisiblePhoto([userId]))[0],
    one: async (userId, id) => (await onePhoto([userId, id]))[0],
  }
}
