import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { FindingList } from './findings.ts'

const pageSize = 2_000
const countsMax = 10_000
/** The timeout for counting all photos of a large installation. */
const countingMs = 10 * 60_000

interface RowPage {
  last: string | null
  bad: { id: string; problem: 'unregistered' | 'incomplete' }[]
}

/** Photos without a file that their state requires, or with unregistered files; in pages. */
export async function checkPhotoRows(db: Db, found: FindingList): Promise<void> {
  for (let after: string | null = ''; after !== null;) {
    const page = await readPage(db, after)
    for (const { id, problem } of page?.bad ?? []) found.add(problem, id, `photo ${id}`)
    after = page?.last ?? null
  }
}

async function readPage(db: Db, after: string): Promise<RowPage | undefined> {
  const { rows } = await sql<RowPage>`
      with page as (
        select id, state, original_key, full_key, thumb_key, unmarked_key, watermark_key,
          deleted_at is null or exists (select from photo_removals where photo_id = photos.id) as is_kept
        from photos where id > ${after} order by id limit ${pageSize}
      ), bad as (
        select id, 'incomplete' as problem from page where is_kept and (
          state = 'ready' and (full_key is null or thumb_key is null) or state = 'queued' and original_key is null
          or (unmarked_key is null) <> (watermark_key is null))
        union all
        select id, 'unregistered' from page where is_kept and state <> 'receiving' and exists (
          select from unnest(array[original_key, full_key, thumb_key, unmarked_key]) as named (key)
          where named.key is not null
            and not exists (select from stored_objects where stored_objects.key = named.key and photo_id = page.id))
      )
      select (select max(id) from page) as last, coalesce((select json_agg(bad) from bad), '[]') as bad`.execute(db)
  return rows[0]
}

/**
 * Finds months in which more photos exist than are counted. Fewer can be correct: deleted photos stay counted, but
 * their rows are removed after a day. Finds accounts whose number of photos is not how many exist, too.
 */
export async function checkCounts(db: Db, found: FindingList): Promise<void> {
  const { months, accounts } = await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = ${sql.lit(countingMs)}`.execute(tx)
    const counted = await sql<{ userId: string; month: string; uploads: number; photos: number }>`
      select user_id as "userId", month::text as month, coalesce(uploads, 0) as uploads, photos
      from (
        select user_id, counted_month as month, count(*) as photos from photos where state <> 'failed' group by 1, 2
      ) as counted left join usage_months using (user_id, month)
      where coalesce(uploads, 0) < photos order by 1, 2 limit ${countsMax}`.execute(tx)
    // One statement: number and photos are of the same moment.
    const kept = await sql<{ userId: string; kept: number; photos: number }>`
      select photo_counts.user_id as "userId", photo_counts.photos as kept, coalesce(existing.photos, 0) as photos
      from photo_counts left join (
        select user_id, count(*) as photos from photos where deleted_at is null and state <> 'receiving' group by 1
      ) as existing using (user_id)
      where photo_counts.photos <> coalesce(existing.photos, 0) order by 1 limit ${countsMax}`.execute(tx)
    return { months: counted.rows, accounts: kept.rows }
  })
  for (const { userId, kept, photos } of accounts)
    found.add('photo-counts', userId, `account ${userId}: ${kept} counted, ${photos} exist`)
  for (const { userId, month, uploads, photos } of months)
    found.add(
      'counts',
      `${userId} ${month}`,
      `account ${userId}, ${month.slice(0, 7)}: ${uploads} counted, ${photos} exist`,
    )
}
