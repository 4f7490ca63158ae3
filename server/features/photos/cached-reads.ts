import { sql } from 'kysely'
import type { Database, Db } from '../../db/connect.ts'
import { coalesce } from '../../db/coalesce.ts'
import { prepareQuery } from '../../db/prepared-query.ts'
import { selectExistingPhotos, type PhotoRow } from '../../domain/photos.ts'

/** A user's photos as they are now, newest first. */
export interface PhotoReads {
  page(userId: string, page: { limit: number; before?: string | undefined }): Promise<PhotoRow[]>
  /** The newest that is not hidden from guests: what a big screen shows. */
  latest(userId: string): Promise<PhotoRow | undefined>
  one(userId: string, id: string): Promise<PhotoRow | undefined>
}

/** The reads that every open page repeats: each is one prepared statement, and identical reads at the same time are coalesced. */
export function createPhotoReads(db: Db, pool: Database['pool']): PhotoReads {
  const ofUser = selectExistingPhotos(db).where('p.user_id', '=', '')
  const newest = ofUser.orderBy('p.created_at', 'desc').orderBy('p.id', 'desc')
  const isOlder = sql<boolean>`(p.created_at, p.id) < (select b.created_at, b.id from photos b where b.id = ${''} and b.user_id = ${''})`
  const first = coalesce(prepareQuery(pool, 'photos first', newest.limit(0).compile()))
  const older = coalesce(prepareQuery(pool, 'photos older', newest.where(isOlder).limit(0).compile()))
  // Its own statement, since the number of rows decides how it is best read.
  const latest = coalesce(
    prepareQuery(pool, 'photos latest', newest.where('p.hidden_at', 'is', null).limit(sql.lit(1)).compile()),
  )
  const one = coalesce(prepareQuery(pool, 'photos one', ofUser.where('p.id', '=', '').compile()))
  return {
    page: (userId, { limit, before }) =>
      before === undefined ? first([userId, limit]) : older([userId, before, userId, limit]),
    latest: async (userId) => (await latest([userId]))[0],
    one: async (userId, id) => (await one([userId, id]))[0],
  }
}
