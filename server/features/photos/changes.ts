import { sql } from 'kysely'
import {
  type BulkOutcome,
  changePhoto,
  changePhotos,
  deletePhoto,
  getPhoto,
  latestPhoto,
  listPhotos,
  photoChanges,
  photoDays,
  retryPhoto,
  uploadPhoto,
} from '@keepsnap/contract/photos.ts'
import { limits, retention } from '@keepsnap/contract/limits.ts'
import { type Db, isDatabaseDown } from '../../platform/db/connect.ts'
import { Fault, invalidField } from '../../faults.ts'
import { disconnectSignal, type Serve } from '../../platform/http/serve.ts'
import { publish } from '../../platform/live/bus.ts'
import type { Dependencies } from '../../dependencies.ts'
import { customerApiRoutes } from '../integrations/customer-api.ts'
import { deletePhotoOf, hidePhotoOf } from './delete.ts'
import { createUploadHandler, createUploadSlots, type UploadHandler } from './upload.ts'
import {
  latestOrNotFound,
  photoNotFound,
  photoOrNotFound,
  type PhotoRow,
  photoRowColumns,
  photoView,
} from './photo-view.ts'
import { retryPhotoOf } from './retry.ts'
import type { SpeculativeProcessing } from './process.ts'
import { checkDays, photoDaysOf, type PhotoReads, timeZoneOf } from './gallery.ts'

type BulkAction = 'delete' | 'hide' | 'show'

const tooManyCalls = (): Fault =>
  new Fault('rate_limited', 'Too many changes at once. Please wait for the others to finish.', 5)

/** Changes many photos by the rules of the single calls. Those of a user run one after the other, as they use a connection all the time. */
function bulkRoutes(
  serve: Serve,
  { db, photoReads, mediaCache }: Pick<PhotoRouteDependencies, 'db' | 'photoReads' | 'mediaCache'>,
): void {
  const withSlot = createUploadSlots({ atOnce: 1, tooMany: tooManyCalls })

  const changeOne = async (userId: string, action: BulkAction, id: string): Promise<BulkOutcome> => {
    const outcome = await db
      .transaction()
      .execute((tx) =>
        action === 'delete'
          ? deletePhotoOf(tx, userId, id).then((isDeleted) => (isDeleted ? 'changed' : 'no photo'))
          : hidePhotoOf(tx, { userId, id, hidden: action === 'hide' }),
      )
    if (outcome === 'changed') mediaCache.invalidatePhoto(id)
    return outcome === 'changed' ? 'done' : outcome === 'no photo' ? 'not found' : 'unchanged'
  }

  serve(changePhotos, async ({ body: { action, ids } }, { actor: { userId }, req, reply }) => {
    const disconnected = disconnectSignal(reply)
    const outcomes = new Map<string, BulkOutcome>()
    const results: { id: string; outcome: BulkOutcome }[] = []
    const changeAll = async (): Promise<void> => {
      for (const id of ids) {
        if (disconnected.aborted) return
        const outcome = outcomes.has(id)
          ? 'unchanged'
          : await changeOne(userId, action, id).catch((error: unknown): BulkOutcome => {
              if (error instanceof Fault && error.code === 'forbidden') return 'refused'
              if (error instanceof Fault || isDatabaseDown(error)) throw error
              req.log.error({ err: error, photoId: id }, `a photo could not be changed: ${action}`)
              return 'failed'
            })
        if (!outcomes.has(id)) outcomes.set(id, outcome)
        results.push({ id, outcome })
      }
    }
    await withSlot(userId, async () => {
      try {
        await changeAll()
      } finally {
        const photos = ids.filter((id, at) => ids.indexOf(id) === at && outcomes.get(id) === 'done')
        if (photos.length > 0) await publish(db, { kind: 'photos', change: action, user: userId, photos })
      }
    })
    return { results, photo_count: await photoReads.count(userId) }
  })
}

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
function changesRoutes(serve: Serve, { db, urls }: Pick<PhotoRouteDependencies, 'db' | 'urls'>): void {
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

/** What the endpoints of photos need. */
type PhotoRouteDependencies = Pick<
  Dependencies,
  'db' | 'bus' | 'storage' | 'config' | 'log' | 'metrics' | 'urls' | 'mediaCache'
> & {
  photoReads: PhotoReads
  shutdown: AbortSignal
  speculative: SpeculativeProcessing
}

/** Uploads, reads, deletes and retries a user's own photos. Another user's photo does not exist. */
export function photoRoutes(serve: Serve, deps: PhotoRouteDependencies): void {
  const receiveUpload = createUploadHandler(deps)
  serveUpload(serve, deps, receiveUpload)
  customerApiRoutes(serve, { ...deps, receiveUpload })
  serveReads(serve, deps)
  serveChanges(serve, deps)
  bulkRoutes(serve, deps)
  changesRoutes(serve, deps)
}

function serveUpload(serve: Serve, { photoReads, urls }: PhotoRouteDependencies, receiveUpload: UploadHandler): void {
  serve(uploadPhoto, async ({ query: order }, { actor, req, reply }) =>
    photoOrNotFound(urls, await photoReads.one(actor.userId, await receiveUpload({ actor, req, reply }, order))),
  )
}

function serveReads(serve: Serve, { db, photoReads, urls }: PhotoRouteDependencies): void {
  serve(listPhotos, async ({ query }, { actor, reply }) => {
    const { limit = limits.listDefault, before, after, from, on } = query
    checkDays({ from, on })
    if ([before, after, from].filter((place) => place !== undefined).length > 1)
      throw invalidField('before', 'Give only one of before, after and from.', 'query')
    const { rows, hasOlder, hasNewer } = await photoReads.page(actor.userId, { ...query, limit })
    const [first, last] = [rows[0], rows.at(-1)]
    if (last && hasOlder) reply.header('x-next-before', last.id)
    if (first && hasNewer) reply.header('x-next-after', first.id)
    return rows.map(photoView(urls))
  })

  serve(photoDays, async ({ query: { limit = limits.listDefault, before } }, { actor: { userId } }) => {
    checkDays({ before })
    const timeZone = await timeZoneOf(db, userId)
    const found = await photoDaysOf(db, userId, { timeZone, limit: limit + 1, before })
    const days = found.slice(0, limit)
    return { days, next: found.length > limit ? (days.at(-1)?.day ?? null) : null, time_zone: timeZone }
  })

  serve(latestPhoto, async (_, { actor }) => latestOrNotFound(urls, await photoReads.latest(actor.userId)))

  serve(getPhoto, async ({ params }, { actor }) => photoOrNotFound(urls, await photoReads.one(actor.userId, params.id)))
}

function serveChanges(serve: Serve, { db, photoReads, urls, mediaCache }: PhotoRouteDependencies): void {
  serve(changePhoto, async ({ params: { id }, body }, { actor: { userId } }) => {
    await db.transaction().execute(async (tx) => {
      if ((await hidePhotoOf(tx, { userId, id, hidden: body.hidden })) === 'no photo') throw photoNotFound()
    })
    mediaCache.invalidatePhoto(id)
    return photoOrNotFound(urls, await photoReads.one(userId, id))
  })

  serve(deletePhoto, async ({ params }, { actor }) => {
    await db.transaction().execute(async (tx) => {
      if (!(await deletePhotoOf(tx, actor.userId, params.id))) throw photoNotFound()
    })
    mediaCache.invalidatePhoto(params.id)
    return null
  })

  serve(retryPhoto, async ({ params }, { actor: { userId } }) => {
    await db.transaction().execute((tx) => retryPhotoOf(tx, { userId, photoId: params.id }))
    return photoOrNotFound(urls, await photoReads.one(userId, params.id))
  })
}
