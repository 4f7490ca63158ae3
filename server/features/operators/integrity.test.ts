import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { IntegrityState } from '@keepsnap/contract/operators.ts'
import { newStorageKey } from '../photos/stored-objects.ts'
import { type Storage, StorageDown, storeStream } from '../../ports/storage/storage.ts'
import { useServer } from '../../test/harness.ts'
import { callOperator, makeOperator, makeUser } from '../../test/test-data.ts'
import { storedFilePath } from '../../test/consistency-check.ts'
import { runVerify } from '../../test/run-verify.ts'
import { photoActions } from '../../test/photo-actions.ts'
import { databaseSource } from '../../platform/metrics/database-source.ts'
import { createCompactKeySet } from './check-files.ts'
import { compareStorage } from './integrity.ts'

describe('compact key set', () => {
  test('keys that were added are found, and no others', () => {
    const keys = Array.from({ length: 3_000 }, () => newStorageKey('full'))
    const listed = createCompactKeySet()
    expect(listed.has('full/0000000000000000000000')).toBe(false)
    for (const key of keys) listed.add(key)
    expect(listed.count).toBe(3_000)
    expect(keys.every((key) => listed.has(key))).toBe(true)
    expect(Array.from({ length: 3_000 }, () => newStorageKey('thumb')).some((key) => listed.has(key))).toBe(false)
    const later = newStorageKey('orig')
    listed.add(later)
    expect([listed.has(later), listed.has(keys[0] ?? '')]).toEqual([true, true])
    expect(listed.distinct()).toBe(3_001)
    for (const key of [later, ...keys.slice(0, 10)]) listed.add(key)
    expect([listed.count, listed.distinct(), createCompactKeySet().distinct()]).toEqual([3_012, 3_001, 0])
  })
})

describe('compare storage', () => {
  const server = useServer({ LOG_LEVEL: 'silent' })

  const { processedPhoto, photoRowsOf } = photoActions(() => server)
  const store = (key: string): Promise<unknown> =>
    storeStream(server.app.deps.storage, key, { source: Readable.from([Buffer.from('bytes')]), type: 'image/jpeg' })
  const query = async (text: string, values: unknown[] = []): Promise<object[]> =>
    (await server.app.deps.pool.query<object>(text, values)).rows
  const readState = async () =>
    (await callOperator(server, await makeOperator(server), 'integrity')).json<IntegrityState>()
  /** The comparison, with a store that seems to be a day older. */
  async function compareDayLater() {
    const { db, log, storage } = server.app.deps
    const dayOld: Storage = {
      ...storage,
      async *list() {
        for await (const object of storage.list())
          yield { ...object, modifiedAt: new Date(Date.now() - 25 * 3_600_000) }
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
        other_names: { count: 0, examples: [] },
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
    await query('delete from brand_images')
  })

  test('names that are no keys hide no missing photo: they are noted, the metric counts it, and --repair ends', async () => {
    const user = await makeUser(server)
    await processedPhoto(user)
    await processedPhoto(user)
    const [lost, kept] = await photoRowsOf(user)
    await rm(storedFilePath(server, lost.full_key))
    const path = storedFilePath(server, kept.full_key)
    const folder = dirname(path)
    const name = kept.full_key.slice('full/'.length)
    const strays = [name.slice(1), `${name}24`, `.${name}.a1B2c3`, `${name}~`, `${name.slice(0, 20)}\u001b[`]
    for (const stray of strays) await writeFile(join(folder, stray), 'stray')
    // A name that is not UTF-8, a folder under a name that would be a key, and a key beside the wrong ones.
    await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe])]), 'stray')
    await mkdir(join(folder, newStorageKey('full').replace(/^full\/../, name.slice(0, 2))))
    await mkdir(join(dirname(folder), '.trash'))
    await writeFile(join(dirname(folder), '.trash', name), 'stray')
    const { db, log, storage } = server.app.deps
    const { otherNames } = await compareStorage({ db, log, storage })
    expect(otherNames).toMatchObject({ count: 8 })
    expect(otherNames?.examples).toHaveLength(5)
    expect(otherNames?.examples.join()).not.toContain('\u001b')
    const missing = (await databaseSource(db).read()).find(
      ({ labels }) => 'kind' in labels && labels.kind === 'missing',
    )
    expect(missing).toEqual({ name: 'keepsnap_integrity_problems', labels: { kind: 'missing' }, value: 1 })
    const { text, exitStatus } = await runVerify(server, ['--all', '--repair', '--yes'])
    expect(text).toContain('note   8 other names in the store')
    expect(text).toContain(
      `NOT REPAIRED  1 file cannot be regenerated from what is stored. Restore them from a backup: ${lost.full_key}`,
    )
    expect(exitStatus).toBe(1)
    await rm(join(dirname(folder), '.trash'), { recursive: true })
    await rm(folder, { recursive: true })
    await storage.remove([lost.thumb_key, kept.thumb_key])
    await query('delete from photos where user_id = $1', [user.id])
    await query('delete from stored_objects where photo_id is null and user_id is null')
  })

  test('a step that fails is a finding, keeps no other from running, and removes nothing before the result is stored', async () => {
    const user = await makeUser(server)
    await processedPhoto(user)
    const [{ full_key: fullKey }] = await photoRowsOf(user)
    const { db, log, storage } = server.app.deps
    await storage.remove([fullKey])
    const orphan = newStorageKey('full')
    await store(orphan)
    let storedBefore: object[] = []
    const failing: Storage = {
      ...storage,
      async *list() {
        for await (const object of storage.list()) yield { ...object, modifiedAt: new Date(0) }
      },
      async remove() {
        storedBefore = await query('select missing, unknown from storage_checks order by checked_at desc limit 1')
        throw new Error('the store refused')
      },
      removeUnfinished: async () => 3,
    }
    const { findings, removed } = await compareStorage({ db, log, storage: failing })
    expect(storedBefore).toEqual([{ missing: 1, unknown: 0 }])
    const unfinished = {
      kind: 'unfinished',
      count: 1,
      examples: ['removal of orphaned files: the store refused'],
      since: null,
    }
    expect(findings.map(({ kind }) => kind)).toEqual(['missing', 'untracked', 'unfinished'])
    expect([findings.at(-1), removed]).toEqual([unfinished, 0])
    expect((await readState()).check?.findings.at(-1)).toEqual(unfinished)
    // Without a listing nothing is known to be orphaned; the rows are checked all the same.
    await query('update photos set thumb_key = null where user_id = $1', [user.id])
    const down: Storage = {
      ...storage,
      async *list() {
        yield* storage.list()
        throw new StorageDown('the store is down')
      },
    }
    const report = await compareStorage({ db, log, storage: down })
    expect(report.findings.map(({ kind, examples }) => [kind, examples[0]])).toEqual([
      ['incomplete', expect.stringMatching(/^photo /)],
      ['unfinished', 'files: the store is down'],
    ])
    await storage.remove([orphan])
    await query('delete from photos where user_id = $1', [user.id])
    await query('delete from stored_objects where photo_id is null and user_id is null')
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
})
