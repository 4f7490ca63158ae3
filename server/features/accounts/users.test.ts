/** The number of photos of an account, which triggers keep. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { useDatabase } from '../../test/cloned-database.ts'
import { addUser, countPhotosOf, keepPhotoCount } from './users.ts'

const database = useDatabase({ connections: 4 })

async function newAccount(photos: number): Promise<string> {
  const id = newId()
  await addUser(database.db, { id, email: `${id}@example.com`, username: 'a', passwordHash: '' })
  await addPhotos(id, photos)
  return id
}
const addPhotos = (userId: string, count: number, state = 'ready') =>
  sql`insert into photos (id, user_id, code, filename, state, counted_month)
    select gen_random_uuid()::text, ${userId}, gen_random_uuid()::text, number || '.jpg', ${state}, now()
    from generate_series(1, ${count}) as number`.execute(database.db)
const keptCount = async (userId: string): Promise<number | null | undefined> => {
  const row = await database.db
    .selectFrom('photo_counts')
    .select('photos')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row && row.photos
}
const change = (userId: string, set: string, where = 'true') =>
  database.pool.query(`update photos set ${set} where user_id = $1 and ${where}`, [userId])

test('the number follows uploads, deletions, restorations, and rows that are removed, of several accounts in one statement', async () => {
  const [one, other] = [await newAccount(3), await newAccount(2)]
  expect([
    await keptCount(one),
    await keepPhotoCount(database.db, one),
    await keepPhotoCount(database.db, other),
  ]).toEqual([3, 3, 2])
  const steps: [after: number, step: () => Promise<unknown>][] = [
    [5, () => addPhotos(one, 2)],
    [5, () => addPhotos(one, 4, 'receiving')],
    [9, () => change(one, "state = 'queued'", "state = 'receiving'")],
    [9, () => change(one, "state = 'failed', hidden_at = now()", "state = 'queued'")],
    [5, () => change(one, 'deleted_at = now()', "state = 'failed'")],
    [8, () => change(one, 'deleted_at = null', "state = 'failed' and filename <> '1.jpg'")],
    [8, () => database.pool.query('delete from photos where user_id = $1 and deleted_at is not null', [one])],
    [5, () => database.pool.query("delete from photos where user_id = $1 and state = 'failed'", [one])],
    [0, () => database.pool.query('update photos set deleted_at = now() where user_id = any($1)', [[one, other]])],
  ]
  for (const [after, step] of steps) {
    await step()
    expect([await keptCount(one), await countPhotosOf(database.db, one)]).toEqual([after, after])
  }
  expect(await keptCount(other)).toBe(0)
})

test.each([
  ['is counted for the first time', false],
  ['is counted again', true],
])('an account that %s while photos change has the right number', async (_, isCounted) => {
  const userId = await newAccount(5)
  if (isCounted) await keepPhotoCount(database.db, userId)
  else await database.pool.query('delete from photo_counts where user_id = $1', [userId])
  const client = await database.pool.connect()
  await client.query('begin')
  await client.query("update photos set deleted_at = now() where user_id = $1 and filename <> '1.jpg'", [userId])
  const counted = keepPhotoCount(database.db, userId)
  await expect
    .poll(async () => (await database.pool.query('select from pg_locks where not granted')).rowCount, { interval: 5 })
    .toBeGreaterThan(0)
  await client.query('commit')
  client.release()
  expect([await counted, await keptCount(userId)]).toEqual([1, 1])
})

test('an account is deleted with its photos and their number, counted or not', async () => {
  for (const isCounted of [false, true]) {
    const userId = await newAccount(3)
    if (!isCounted) await database.pool.query('delete from photo_counts where user_id = $1', [userId])
    await database.pool.query('delete from users where id = $1', [userId])
    expect(await keptCount(userId)).toBeUndefined()
  }
})
