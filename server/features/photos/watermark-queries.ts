import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { minWatermarkedSidePx } from '../../images/watermark-size.ts'
import { publishExpression } from '../../live/bus.ts'

/** A run over a user's photos as its row stands. `since` and `afterId` tell one step from every other. */
export interface Run {
  action: 'apply' | 'undo'
  state: 'running' | 'stopping' | 'done' | 'stopped'
  total: number
  done: number
  failed: number
  started_at: Date
  finished_at: Date | null
  since: string
  cursor_id: string | null
}

export async function runOf(db: Db, userId: string): Promise<Run | undefined> {
  const { rows } = await sql<Run>`
    select action, state, total, done, failed, started_at, finished_at, started_at::text as since, cursor_id
    from watermark_runs where user_id = ${userId}`.execute(db)
  return rows[0]
}

/** Part of a statement: photos `p` that could carry this logo and do not, or that could be without one again. */
const wants = (action: Run['action'], logoKey: string | null) =>
  action === 'undo'
    ? sql`p.unmarked_key is not null`
    : sql`least(p.width, p.height) >= ${minWatermarkedSidePx} and ${logoKey}::text is not null
        and (p.unmarked_key is null or p.watermark_key is distinct from ${logoKey}::text)`

/** How many photos a run of either kind would go over now. */
export async function countMarkable(
  db: Db,
  userId: string,
  logoKey: string | null,
): Promise<{ applicable: number; undoable: number }> {
  const { rows } = await sql<{ applicable: number; undoable: number }>`
    select count(*) filter (where ${wants('apply', logoKey)})::int as applicable,
      count(*) filter (where ${wants('undo', logoKey)})::int as undoable
    from photos p where p.user_id = ${userId} and p.deleted_at is null and p.state = 'ready'`.execute(db)
  return rows[0] ?? { applicable: 0, undoable: 0 }
}

/** Begins a run in place of the one before; false while that one is still going. */
export async function beginRun(
  tx: Db,
  userId: string,
  { action, total }: { action: Run['action']; total: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into watermark_runs as r (user_id, action, state, total) values (${userId}, ${action}, 'running', ${total})
    on conflict (user_id) do update set action = excluded.action, state = 'running', total = excluded.total, done = 0, failed = 0,
      cursor_at = null, cursor_id = null, started_at = clock_timestamp(), finished_at = null
      where r.state in ('done', 'stopped') returning 1`.execute(tx)
  return rows.length === 1
}

export const askToStop = async (tx: Db, userId: string): Promise<void> =>
  void (await tx
    .updateTable('watermark_runs')
    .set({ state: 'stopping' })
    .where('user_id', '=', userId)
    .where('state', '=', 'running')
    .execute())

export const endRun = async (
  db: Db,
  userId: string,
  { run, state }: { run: Run; state: 'done' | 'stopped' },
): Promise<void> =>
  void (await sql`
    update watermark_runs set state = ${state}, finished_at = now(),
      total = case when ${state} = 'done' then done + failed else total end
    where user_id = ${userId} and started_at::text = ${run.since} and state in ('running', 'stopping')`.execute(db))

/** One photo whose turn it is. */
export interface Markable {
  id: string
  full_key: string
  full_type: string
  full_bytes: number
  unmarked_key: string | null
  unmarked_type: string | null
  unmarked_bytes: number | null
}

/** The next photo of a run, newest first; those that came after its beginning are not its business. */
export async function nextPhoto(
  db: Db,
  userId: string,
  { run, logoKey }: { run: Run; logoKey: string | null },
): Promise<Markable | undefined> {
  const { rows } = await sql<Markable>`
    select p.id, p.full_key, p.full_type, p.full_bytes, p.unmarked_key, p.unmarked_type, p.unmarked_bytes
    from photos p join watermark_runs r on r.user_id = p.user_id
    where p.user_id = ${userId} and p.deleted_at is null and p.state = 'ready' and p.full_key is not null
      and p.created_at <= r.started_at and (r.cursor_id is null or (p.created_at, p.id) < (r.cursor_at, r.cursor_id))
      and ${wants(run.action, logoKey)}
    order by p.created_at desc, p.id desc limit 1`.execute(db)
  return rows[0]
}

/**
 * Moves the run past a photo; false when another worker has done so. `unchanged` counts nowhere: the photo was deleted.
 */
export async function advance(
  tx: Db,
  userId: string,
  { run, photoId, outcome }: { run: Run; photoId: string; outcome: 'done' | 'failed' | 'unchanged' },
): Promise<boolean> {
  const { rows } = await sql`
    update watermark_runs r set done = r.done + ${outcome === 'done' ? 1 : 0}, failed = r.failed + ${outcome === 'failed' ? 1 : 0},
      cursor_id = ${photoId}, cursor_at = coalesce((select created_at from photos where id = ${photoId}), r.cursor_at)
    where r.user_id = ${userId} and r.started_at::text = ${run.since} and r.cursor_id is not distinct from ${run.cursor_id}
      and r.state in ('running', 'stopping') returning 1`.execute(tx)
  return rows.length === 1
}

/** What a photo's row says of its pictures. */
export interface Pictures {
  full_key: string
  full_type: string
  full_bytes: number
  unmarked_key: string | null
  unmarked_type: string | null
  unmarked_bytes: number | null
  watermark_key: string | null
}

/** Switches a photo to other pictures that are stored already, and tells its owner's screens. False when it changed meanwhile. */
export async function switchPictures(
  tx: Db,
  { userId, photoId, from }: { userId: string; photoId: string; from: string },
  to: Pictures,
): Promise<boolean> {
  const rows = await tx
    .with('mine', (part) =>
      part
        .updateTable('photos')
        .set(to)
        .where('id', '=', photoId)
        .where('full_key', '=', from)
        .where('state', '=', 'ready')
        .where('deleted_at', 'is', null)
        .returning('id'),
    )
    .selectFrom('mine')
    .select(publishExpression({ kind: 'photo', what: 'changed', user: userId, photo: photoId }).as('told'))
    .execute()
  return rows.length === 1
}

/** Users whose run goes on although no job will come for it. */
export async function stalledRuns(db: Db, most: number): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from watermark_runs r where state in ('running', 'stopping')
      and not exists (select 1 from graphile_worker.jobs j where j.key = 'mark:' || r.user_id and j.attempts < j.max_attempts) limit ${most}`.execute(
    db,
  )
  return rows.map(({ user_id: userId }) => userId)
}

/** The newest photo that is ready, as it would be without a logo. */
export async function newestPlain(
  db: Db,
  userId: string,
): Promise<{ key: string; width: number | null; height: number | null } | undefined> {
  const { rows } = await sql<{ key: string; width: number | null; height: number | null }>`
    select coalesce(unmarked_key, full_key) as key, width, height from photos
    where user_id = ${userId} and deleted_at is null and state = 'ready' and full_key is not null
    order by created_at desc, id desc limit 1`.execute(db)
  return rows[0]
}
