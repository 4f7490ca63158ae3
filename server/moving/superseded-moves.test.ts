import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../db/connect.ts'
import { changeStorageState, stateAtStart, storageState } from './storage-state.ts'
import { newStorageKey } from '../domain/stored-objects.ts'
import { diskStorage } from '../ports/storage/disk.ts'
import { createLog } from '../runtime/log.ts'
import { cloneDatabase } from '../test/cloned-database.ts'
import { moveFiles } from './move-files.ts'

test('a move that has lost its lock and was superseded by another one copies and removes nothing more', async () => {
  const { database, drop } = await cloneDatabase()
  const { db, close } = connect(database, createLog('silent'), 2)
  const dir = await mkdtemp(join(tmpdir(), 'keepsnap-overtaken-'))
  onTestFinished(() => close().then(drop))
  onTestFinished(() => rm(dir, { recursive: true }))
  // Two folders: what a bucket does differently does not matter here.
  const storeIn = (name: string) => diskStorage({ dir: join(dir, name), incoming: join(dir, `${name}-incoming`) })
  const stores = { disk: await storeIn('disk'), s3: await storeIn('bucket') }
  await stateAtStart(db, 'disk')
  const [key, path] = [newStorageKey('full'), join(dir, 'photo')]
  await writeFile(path, 'a photo')
  await stores.disk.moveIn(key, path, { type: 'image/jpeg' })

  const move = (throttle: () => Promise<void>) =>
    moveFiles({
      db,
      stores,
      scratchDir: dir,
      to: 's3',
      keepSource: false,
      throttle,
      reportProgress: () => {},
      patienceMs: 0,
      graceMs: 0,
      signal: new AbortController().signal,
      counts: { copied: 0, copiedBytes: 0, removed: 0, different: [] },
    })
  const overtake = async (): Promise<void> => {
    const { generation } = await storageState(db)
    await changeStorageState(db, { store: 'disk', step: 'clearing' }, generation)
  }
  await expect(move(overtake)).rejects.toThrow('Another move-storage has begun since')
  expect(await storageState(db)).toMatchObject({ store: 'disk', step: 'clearing' })
  expect(await stores.disk.sizeOf(key)).toBe(7)
  await move(async () => {})
  expect([await stores.disk.sizeOf(key), await stores.s3.sizeOf(key)]).toEqual([null, 7])
})
