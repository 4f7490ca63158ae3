import { sql } from 'kysely'
import { photoChanges } from '@keepsnap/contract/photos.ts'
import { retention } from '@keepsnap/contract/retention.ts'
import type { Db } from '../../db/connect.ts'
import { photoRowColumns, photoView, type PhotoRow } from '../../domain/photos.ts'
import type { Serve } from '../../http/serve.ts'
import type { PhotoRouteDependencies } from './routes.ts'

/** What changed more is to be read again. */
const maxChanges = 1_000
/** Shorter than the rows of deleted photos exist. */
const maxAgeSeconds = (retention.deletedPhotoHours - 1) * 3_600

/** The value of `since`: of which database, the oldest transaction that was running, and when that was (seconds). */
interface Place {
  epoch: string
  transaction: string
  seconds: string
}
const placePattern = /^([0-9a-f]{32})\.(\d{1,19})\.(\d{1,12})$/
function parsePlace(text: string): Place | undefined {
  const [, epoch, transaction, seconds] = placePattern.exec(text) ?? []
  return epoch && transaction && seconds ? { epoch, transaction, seconds } : undefined
}

interface Changes {
  rows: (PhotoRow & { isDeleted: boolean })[]
  next: Place
  /** Whether nothing can have changed before the place without being in `rows`. */
  isKnown: boolean
}

/**
 * Photos that were changed by transactions that had not ended at a place. All of it is of one snapshot: a transaction that has not
 * ended in it is at or after the next place, whenever it began, so that no change is missed. The epoch differs after every start of
 * PostgreSQL and every restore, because numbers of transactions may go back then.
 */
async function changesSince(db: Db, userId: string, since: Place | undefined): Promise<Changes> {
  const columns = sql.join(photoRowColumns.map((name) => sql.ref(name)))
  const { epoch = '', transaction = '0', seconds = '0' } = since ?? {}
  const { rows } = await sql<Place & { isKnown: boolean; change: boolean | null } & Changes['rows'][number]>`
    with moment as materialized (
      select pg_snapshot_xmin(pg_current_snapshot()) as transaction, extract(epoch from now())::bigint as seconds,
        md5(concat_ws(' ', extract(epoch from pg_postmaster_start_time()), pg_relation_filenode('photos'), 'photos'::regclass::oid,
          (select oid from pg_database where datname = current_database()))) as epoch
    ), place as (
      select moment.*, epoch = ${epoch} and ${transaction}::xid8 <= transaction
        and ${seconds}::bigint between seconds - ${maxAgeSeconds}::bigint and seconds as "isKnown" from moment
    )
    select epoch, transaction::text, seconds::text, "isKnown", changed.*
    from place left join lateral (
      select true as change, ${columns}, photos.deleted_at is not null as "isDeleted"
      from photos join users on users.id = photos.user_id
      where place."isKnown" and photos.user_id = ${userId} and photos.changed_by >= ${transaction}::xid8
        and photos.state <> 'receiving'
      order by photos.changed_by limit ${maxChanges + 1}
    ) as changed on true`.execute(db)
  const [first] = rows
  if (!first) throw new Error('the moment of the query is missing')
  return { rows: rows.filter(({ change }) => change === true), next: first, isKnown: first.isKnown }
}

/**
 * Serves the changes of the caller's photos. Changes of the account that change the URLs of its images, such as of its logo or who
 * may see photos, are not among them: live messages say so, and the web app then reads everything again.
 */
export function changesRoutes(serve: Serve, { db, urls }: Pick<PhotoRouteDependencies, 'db' | 'urls'>): void {
  serve(photoChanges, async ({ query: { since } }, { actor: { userId } }) => {
    const { rows, next, isKnown } = await changesSince(db, userId, since === undefined ? undefined : parsePlace(since))
    const reset = since !== undefined && (!isKnown || rows.length > maxChanges)
    const changed = reset ? [] : rows
    return {
      photos: changed.filter(({ isDeleted }) => !isDeleted).map(photoView(urls)),
      deleted: changed.filter(({ isDeleted }) => isDeleted).map(({ id }) => id),
      next: `${next.epoch}.${next.transaction}.${next.seconds}`,
      reset,
    }
  })
}
