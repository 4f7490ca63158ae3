import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { moveFiles, type MoveOptions, moveStorageCommands, refuseOtherNodes } from './move-storage.ts'
import { connect } from '../platform/db/connect.ts'
import { diskStorage } from '../ports/storage/disk.ts'
import { StorageDown } from '../ports/storage/storage.ts'
import { twoStores } from '../ports/storage/two-stores.ts'
import { createLog } from '../platform/process/log.ts'
import { cloneDatabase } from '../test/cloned-database.ts'
import {
  changeStorageState,
  followStoreInUse,
  liveNodes,
  stateAtStart,
  storageState,
} from '../ports/storage/store-in-use.ts'
import { createFiles, keysOf } from '../test/moving-fixture.ts'

/** Two folders, what is in use of which is followed as by a server. Moves to a real bucket are in s3.test.ts. */
async function openFolders() {
  const { database, drop } = await cloneDatabase()
  const { db, close } = connect(database, createLog('silent'), 4)
  const dir = await mkdtemp(join(tmpdir(), 'keepsnap-moving-'))
  const storeIn = async (name: string) => {
    await mkdir(join(dir, `${name}-incoming`))
    return diskStorage({ dir: join(dir, name), incoming: join(dir, `${name}-incoming`) })
  }
  const stores = { disk: await storeIn('disk'), s3: { ...(await storeIn('bucket')), kind: 's3' as const } }
  const ids = { disk: 'folder', s3: 'bucket' }
  const start = await stateAtStart(db, 'disk')
  const source = await followStoreInUse({ db, ids, start, everyMs: 20, onChange: () => {}, onLost: () => {} })
  onTestFinished(async () => {
    await source.close()
    await close()
    await drop()
    await rm(dir, { recursive: true })
  })
  await db
    .insertInto('users')
    .values({ id: 'one', email: 'a@b.test', email_key: 'a@b.test', username: 'a', password_hash: 'x' })
    .execute()
  const storage = twoStores({ stores, scratchDir: dir, source })
  const move = (to: 'disk' | 's3', options: Partial<MoveOptions> = {}) =>
    moveFiles({
      db,
      stores,
      scratchDir: dir,
      to,
      keepSource: false,
      throttle: async () => {},
      reportProgress: () => {},
      patienceMs: 0,
      graceMs: 0,
      signal: new AbortController().signal,
      counts: { copied: 0, copiedBytes: 0, removed: 0, different: [] },
      ...options,
    })
  return { db, ids, stores, files: createFiles({ db, storage, scratchDir: dir }, 'one'), move }
}

test('a target that fails, or gives back other bytes, stops the move, which later continues; nobody notices', async () => {
  const { db, stores, files, move } = await openFolders()
  const { s3 } = stores
  for (let n = 0; n < 5; n++) await files.add(3_000)
  let stored = 0
  stores.s3 = {
    ...s3,
    async moveIn(...args) {
      if (++stored > 3) throw new StorageDown('the bucket is full')
      return s3.moveIn(...args)
    },
  }
  await expect(move('s3')).rejects.toThrow(/Stopped: the bucket is full.*Nothing is lost/)
  expect(await storageState(db)).toMatchObject({ store: 'disk', step: 'copying' })
  const added = await files.add(100)
  await files.remove([...files.live.keys()][0]!)
  stores.s3 = { ...s3, open: async (key) => (await s3.open(key)) && Readable.from([Buffer.from('other bytes')]) }
  await expect(move('s3')).rejects.toThrow(/Stopped: the target does not give back/)
  stores.s3 = s3
  for (const key of files.live.keys()) await files.expectReadable(key)
  // Going back removes the copies.
  await move('disk')
  expect(await keysOf(stores.s3)).toEqual([])
  await move('s3', { keepSource: true })
  expect(await storageState(db)).toMatchObject({ store: 's3', step: 'kept' })
  expect(await keysOf(stores.disk)).toEqual(await keysOf(stores.s3))
  await files.remove(added)
  expect([await stores.disk.sizeOf(added), await stores.s3.sizeOf(added)]).toEqual([null, null])
  await move('disk')
  expect(await keysOf(stores.s3)).toEqual([])
  for (const key of files.live.keys()) await files.expectReadable(key)
})

test('a move that has lost its lock and was superseded by another one copies and removes nothing more', async () => {
  const { db, stores, files, move } = await openFolders()
  const key = await files.add(7)
  const overtake = async (): Promise<void> => {
    const { generation } = await storageState(db)
    await changeStorageState(db, { store: 'disk', step: 'clearing' }, generation)
  }
  await expect(move('s3', { throttle: overtake })).rejects.toThrow('Another move-storage has begun since')
  expect(await storageState(db)).toMatchObject({ store: 'disk', step: 'clearing' })
  expect(await stores.disk.sizeOf(key)).toBe(7)
  await move('s3')
  expect([await stores.disk.sizeOf(key), await stores.s3.sizeOf(key)]).toEqual([null, 7])
})

test('a move is refused with invalid arguments, and while a server without a bucket runs', async () => {
  for (const words of [[], ['tape'], ['s3', '--limit', 'fast'], ['s3', '--limit', '0'], ['disk', '--force']])
    expect(() => moveStorageCommands['move-storage']!(words)).toThrow('move-storage s3 | disk')
  const { db, ids } = await openFolders()
  await refuseOtherNodes(db, ids)
  await db.insertInto('storage_nodes').values({ node: 'old', disk: 'another', s3: null, generation: 1 }).execute()
  await expect(refuseOtherNodes(db, ids)).rejects.toThrow('one has no settings of a bucket')
  await db.updateTable('storage_nodes').set({ seen_at: '2026-01-01' }).where('node', '=', 'old').execute()
  expect(await liveNodes(db)).toHaveLength(1)
})
