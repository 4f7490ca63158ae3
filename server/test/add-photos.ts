import type { TestServer } from './harness.ts'
import type { TestUser } from './test-data.ts'

/** Photos without files, written to the database; their ids. They count as uploaded this month. */
export async function addPhotos(
  server: Pick<TestServer, 'app'>,
  user: TestUser,
  {
    count,
    daysAgo = 0,
    state = 'ready',
    isDeleted = false,
    bytes = 1_000,
  }: { count: number; daysAgo?: number; state?: string; isDeleted?: boolean; bytes?: number },
): Promise<string[]> {
  const { pool } = server.app.deps
  const { rows } = await pool.query<{ id: string }>(
    `insert into photos (id, user_id, code, filename, state, created_at, finished_at, deleted_at, counted_month, full_key,
       full_bytes, original_key, error_message, retry_helps)
     select photo.id, $1, photo.code, 'IMG_' || number || '.jpg', $2, photo.at, photo.at + interval '2 seconds',
       case when $3 then now() end, photo.at::date, case when $2 = 'ready' then 'full/' || photo.id end, $4,
       case when $2 = 'failed' then 'orig/' || photo.id end, case when $2 = 'failed' then 'The file is broken.' end, true
     from generate_series(1, $5) as number, lateral (
       select left(md5(random()::text), 22) as id, left(md5(random()::text), 22) as code,
         now() - make_interval(days => $6, secs => number) as at) as photo
     returning id`,
    [user.id, state, isDeleted, bytes, count, daysAgo],
  )
  await pool.query(
    `insert into usage_months values ($1, date_trunc('month', now() at time zone 'utc')::date, $2)
     on conflict (user_id, month) do update set uploads = usage_months.uploads + $2`,
    [user.id, count],
  )
  return rows.map(({ id }) => id)
}
