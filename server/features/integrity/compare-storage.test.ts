import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { IntegrityState } from '@keepsnap/contract/operator-integrity.ts'
import { newStorageKey } from '../../domain/stored-objects.ts'
import { type Storage, storeStream } from '../../ports/storage/storage.ts'
import { useServer } from '../../test/harness.ts'
import { callOperator, makeOperator } from '../../test/operators.ts'
import { makeUser } from '../../test/test-data.ts'
import { photoActions } from '../photos/test/photo-actions.ts'
import { compareStorage } from './compare-storage.ts'

const server = useServer({ LOG_LEVEL: 'silent' })

const { processedPhoto, photoRowsOf } = photoActions(() => server)
const store = (key: string): Promise<unknown> =>
  storeStream(server.app.deps.storage, key, { source: Readable.from([Buffer.from('bytes')]), type: 'image/jpeg' })
const query = async (text: string, values: unknown[] = []): Promise<object[]> =>
  (await server.app.deps.pool.query<object>(text, values)).rows
/** The comparison, with a store that seems to be a day older. */
async function compareDayLater() {
  const { db, log, storage } = server.app.deps
  const dayOld: Storage = {
    ...storage,
    async *list() {
      for await (const object of storage.list()) yield { ...object, modifiedAt: new Date(Date.now() - 25 * 3_600_000) }
    },
  }
  const { objects, removed, findings } = await compareStorage({ db, log, storage: dayOld })
  return { objects, missing: findings.find(({ kind }) => kind === 'missing')?.count ?? 0, unknown: removed }
}

// The first one: nothing is stored yet.
test('a check is started by an operator once, runs as a job, and its result is shown', async () => {
  const operator = await makeOperator(server)
  const start = () => callOperator(server, operator, 'integrity', {})
  const state = async () => (await callOperator(server, operator, 'integrity')).json<IntegrityState>()
  expect(await state()).toEqual({ running: false, check: null })
  const answers = await Promise.all([start(), start(), start()])
  expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
  expect((await state()).running).toBe(true)
  await server.work()
  expect(await state()).toEqual({
    running: false,
    check: {
      checked_at: expect.stringMatching(/Z$/),
      by: 'operator',
      seconds: expect.any(Number),
      objects: 0,
      compared: 0,
      without_checksum: 0,
      removed: 0,
      findings: [],
    },
  })
  expect((await start()).statusCode).toBe(200)
})

test('stored files that the database does not know are removed once they are a day old', async () => {
  const user = await makeUser(server)
  await processedPhoto(user)
  const [{ full_key: knownKey }] = await photoRowsOf(user)
  const unknownKey = newStorageKey('full')
  await store(unknownKey)
  const { db, log, storage } = server.app.deps
  expect(await compareStorage({ db, log, storage })).toMatchObject({ objects: 3, removed: 0, findings: [] })
  expect(await compareDayLater()).toEqual({ objects: 2, missing: 0, unknown: 1 })
  expect([await storage.sizeOf(unknownKey), await storage.sizeOf(knownKey)]).toEqual([null, expect.any(Number)])
  // As after the loss of a database that an empty one replaces.
  const strangers = Array.from({ length: 3 }, () => newStorageKey('full'))
  for (const key of strangers) await store(key)
  expect(await compareDayLater()).toMatchObject({ objects: 5, unknown: 0 })
  expect(await storage.sizeOf(strangers[0]!)).toBe(5)
  await storage.remove(strangers)
})

test('files that photos and logos need and that are not stored are counted; the newest results are kept', async () => {
  const user = await makeUser(server)
  const { id } = await processedPhoto(user)
  const [{ full_key: fullKey, thumb_key: thumbKey }] = await photoRowsOf(user)
  const { storage } = server.app.deps
  const logoKey = newStorageKey('brand')
  await query('insert into stored_objects (key, user_id) values ($1, $2)', [logoKey, user.id])
  await query(
    `insert into brand_images (user_id, kind, key, type, bytes, width, height) values ($1, 'logo', $2, 'image/png', 1, 1, 1)`,
    [user.id, logoKey],
  )
  await storage.remove([fullKey, thumbKey])
  expect(await compareDayLater()).toMatchObject({ missing: 3 })
  await query('update photos set deleted_at = now() where id = $1', [id])
  expect(await compareDayLater()).toMatchObject({ missing: 1 })
  await query(
    `insert into storage_checks (checked_at, objects, missing, unknown)
     select now() - make_interval(days => number), 1, 0, 0 from generate_series(1, 40) as number`,
  )
  await store(logoKey)
  await compareDayLater()
  const rows = await query('select missing, unknown from storage_checks order by checked_at desc')
  expect([rows.length, rows[0]]).toEqual([30, { missing: 0, unknown: 0 }])
})

test('files that a listing lacks because they are being moved are not missing, however many they are', async () => {
  const user = await makeUser(server)
  await query(
    `with added as (
       insert into photos (id, user_id, code, filename, state, counted_month, original_key, original_bytes)
       select lpad(n::text, 22, '0'), $1, 'code' || n, 'a.jpg', 'failed', current_date, 'orig/' || lpad(n::text, 22, '0'), 1
       from generate_series(1, 2100) as n returning id, original_key
     ) insert into stored_objects (key, photo_id) select original_key, id from added`,
    [user.id],
  )
  const { db, log, storage } = server.app.deps
  const missingOf = async (isThere: (key: string) => boolean): Promise<{ missing: number; named: number }> => {
    const moving: Storage = { ...storage, async *list() {}, sizeOf: async (key) => (isThere(key) ? 1 : null) }
    const { findings, named } = await compareStorage({ db, log, storage: moving })
    return { missing: findings.find(({ kind }) => kind === 'missing')?.count ?? 0, named }
  }
  const { missing, named } = await missingOf(() => true)
  expect([missing, named]).toEqual([0, expect.any(Number)])
  expect(named).toBeGreaterThan(2_000)
  expect((await missingOf((key) => !/^orig.*1$/.test(key))).missing).toBe(210)
  // For an empty store, only the first thousand are confirmed.
  let asked = 0
  expect((await missingOf(() => (asked += 1) < 0)).missing).toBe(named)
  expect(asked).toBe(1_000)
  await query('delete from photos where user_id = $1', [user.id])
  await query(`delete from stored_objects where key like 'orig/0000%'`)
})
