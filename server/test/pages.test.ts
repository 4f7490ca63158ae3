/** Pages of long lists read as many rows as they show, whatever PostgreSQL expects. */
import { expect, test } from 'vitest'
import { addUser } from '../features/accounts/users.ts'
import { createPhotoReads } from '../features/photos/gallery.ts'
import { createRequestReads } from '../features/guests/requests.ts'
import { newId } from '../lib/ids.ts'
import { useDatabase } from './cloned-database.ts'

/** One connection, so that its prepared statements can be read. */
const database = useDatabase({ connections: 1 })
const rows = 3_000
const limit = 1_000

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  Plans?: PlanNode[]
}
const nodesOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

test.each([
  ['right after many rows were added', ''],
  ['with statistics', 'analyze'],
  [
    'on a server that likes to read whole tables in parallel',
    'set parallel_setup_cost = 0; set parallel_tuple_cost = 0; set min_parallel_table_scan_size = 0',
  ],
])('pages of photos and requests, %s', async (_, settings) => {
  const { db, pool } = database
  // The plans depend on statistics, so nothing may gather them at any moment.
  for (const table of ['photos', 'emails', 'photo_requests'])
    await pool.query(`alter table ${table} set (autovacuum_enabled = false)`)
  const userId = newId()
  await addUser(db, { id: userId, email: `${userId}@example.com`, username: 'a', passwordHash: '' })
  const query = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows
  await query(
    `insert into photos (id, user_id, code, filename, state, counted_month, created_at)
     select $1 || n, $1, $1 || n, 'a.jpg', 'ready', now(), now() - n * interval '1 second' from generate_series(1, $2::int) n`,
    [userId, rows],
  )
  await query(
    `insert into emails (id, kind, user_id, photo_id, recipient, recipient_key, state, give_up_at)
     select id, 'photo', user_id, id, 'a@example.com', 'a@example.com', 'sent', now() from photos where user_id = $1`,
    [userId],
  )
  await query(
    `insert into photo_requests (id, photo_id, user_id, email_id, requester_email, requester_key, consent_version, requested_at)
     select id, id, user_id, id, 'a@example.com', 'a@example.com', '1', created_at from photos where user_id = $1`,
    [userId],
  )
  for (const setting of settings.split(';').filter(Boolean)) await query(setting)
  const [{ id: before, at }] = await query(
    'select id, created_at::text as at from photos where user_id = $1 order by created_at desc offset $2 limit 1',
    [userId, rows / 2],
  )
  const [photos, requests] = [createPhotoReads(db, pool), createRequestReads(db, pool)]
  const ids = (page: { id: string }[]): string[] => page.map(({ id }) => id)
  const newer = Array.from({ length: limit }, (_one, index) => `${userId}${index + 1}`)
  const older = newer.map((_id, index) => `${userId}${rows / 2 + 2 + index}`)
  expect(ids((await photos.page(userId, { limit })).rows)).toEqual(newer)
  expect(ids((await photos.page(userId, { limit, before })).rows)).toEqual(older)
  expect(ids(await requests.page(userId, { limit }))).toEqual(newer)
  expect(ids(await requests.page(userId, { limit, before }))).toEqual(older)
  expect(await requests.countedPage(userId, { limit: 1, before })).toMatchObject({
    total: rows,
    sent: rows,
    failed: 0,
    rows: [{ id: older[0] }],
  })
  expect(await requests.countedPage(userId, { limit: 1, before: 'nothing' })).toMatchObject({
    total: rows,
    sent: rows,
    failed: 0,
    rows: [],
  })

  const values: Record<string, unknown[]> = {
    'photos first': [limit, `{${userId}}`],
    'photos older': [userId, before, userId, userId, before, userId, limit],
    'requests first': [userId, limit],
    'requests older': [userId, at, before, limit],
  }
  for (const mode of ['force_custom_plan', 'force_generic_plan'])
    for (const [name, parameters] of Object.entries(values)) {
      await query(`set plan_cache_mode = ${mode}`)
      const shown = parameters.map((one) => (typeof one === 'number' ? one : `'${String(one)}'`)).join(', ')
      const [explained] = await query(`explain (analyze, format json) execute "${name}" (${shown})`)
      const nodes = nodesOf(explained['QUERY PLAN'][0].Plan)
      const readRows = Math.max(...nodes.map((node) => node['Actual Rows'] * node['Actual Loops']))
      expect({
        name,
        mode,
        readRows,
        nodes: nodes.map((node) => node['Node Type']).filter((type) => /Sort|Gather|Hash/.test(type)),
      }).toEqual({
        name,
        mode,
        readRows: limit,
        nodes: [],
      })
    }
  await query('reset all')
})
