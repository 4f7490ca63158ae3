import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { diskStorage } from './disk.ts'
import { StorageDown, storeStream, type Storage } from './storage.ts'
import { twoStores, type Stores, type StoreUse } from './two-stores.ts'

const scratch = await mkdtemp(join(tmpdir(), 'keepsnap-two-stores-'))
afterAll(() => rm(scratch, { recursive: true, force: true }))

let stores: Stores
let use: StoreUse
let isStale: boolean
let noted: string[]
let storage: Storage
const down = async (): Promise<never> => {
  throw new StorageDown('down')
}
const type = 'image/jpeg'
const newKey = (): string => `full/${newId()}`

async function openFolder(name: string): Promise<Storage> {
  const incoming = join(scratch, name, 'incoming')
  await mkdir(incoming, { recursive: true })
  return diskStorage({ dir: join(scratch, name), incoming })
}

beforeEach(async () => {
  const bucket = await openFolder(newId())
  stores = {
    disk: await openFolder(newId()),
    s3: { ...bucket, kind: 's3', presign: async (key) => `https://s3.example/${key}` },
  }
  use = { store: 'disk', step: 'settled' }
  isStale = false
  noted = []
  storage = twoStores({
    stores,
    scratchDir: scratch,
    source: {
      current: () => (isStale ? null : use),
      beginChange: async () => ({ use, end: () => {} }),
      noteRemoved: async (keys) => void noted.push(...keys),
    },
  })
})

async function put(store: Storage, key = newKey()): Promise<string> {
  const path = join(scratch, newId())
  await writeFile(path, key)
  await store.moveIn(key, path, { type })
  return key
}
const read = async (key: string): Promise<string | null> => {
  const stream = await storage.open(key)
  return stream && text(stream)
}
const placesOf = async (key: string): Promise<string[]> => {
  const sizes = await Promise.all([stores.disk.sizeOf(key), stores.s3.sizeOf(key)])
  return ['disk', 's3'].filter((_, n) => sizes[n] !== null)
}

test('new files go to the store in use, and files are found in either, even while the one in use is unknown', async () => {
  const [onDisk, inBucket] = [await put(storage), await put(stores.s3)]
  expect([await placesOf(onDisk), await read(onDisk), await read(inBucket)]).toEqual([['disk'], onDisk, inBucket])
  use = { store: 's3', step: 'clearing' }
  expect(await placesOf(await put(storage))).toEqual(['s3'])
  isStale = true
  expect([await read(onDisk), await storage.sizeOf(inBucket), await read(newKey())]).toEqual([onDisk, 27, null])
})

test('what was received before a change of the store is stored where it belongs afterwards', async () => {
  const key = newKey()
  const staged = await storage.stage(Readable.from([Buffer.from(key)]))
  use = { store: 's3', step: 'clearing' }
  await staged.commit(key, { type })
  await staged.discard()
  expect([await placesOf(key), await read(key)]).toEqual([['s3'], key])
  const large = newKey()
  await storeStream(storage, large, { source: Readable.from([Buffer.from(large)]), type })
  expect(await placesOf(large)).toEqual(['s3'])
})

test('a file that is moved while it is looked for is found', async () => {
  const key = await put(stores.disk)
  use = { store: 's3', step: 'clearing' }
  // It leaves the disk after the bucket was asked, and before the disk is.
  const { open } = stores.disk
  stores.disk.open = async (one, span) => {
    await put(stores.s3, key)
    await stores.disk.remove([key])
    return open(one, span)
  }
  expect(await read(key)).toBe(key)
})

test.each([
  ['begins', { store: 'disk', step: 'settled' }, { store: 's3', step: 'clearing' }],
  ['has copied everything', { store: 'disk', step: 'copying' }, { store: 's3', step: 'clearing' }],
  ['goes on', { store: 's3', step: 'clearing' }, { store: 's3', step: 'clearing' }],
  ['ends', { store: 's3', step: 'clearing' }, { store: 's3', step: 'settled' }],
] satisfies [string, StoreUse, StoreUse][])(
  'every file is listed while a move to the bucket %s',
  async (_, before, after) => {
    const keys = [await put(stores.disk), await put(stores.disk), await put(stores.s3)]
    use = before
    const listed = new Set<string>()
    for await (const { key } of storage.list()) {
      listed.add(key)
      use = after
      for (const one of keys)
        if ((await stores.disk.sizeOf(one)) !== null) {
          await put(stores.s3, one)
          await stores.disk.remove([one])
        }
    }
    expect(listed).toEqual(new Set(keys))
  },
)

test('every file is listed while a move is reversed, and while the store in use is unknown', async () => {
  const key = await put(stores.s3)
  for (const [before, stale] of [
    [{ store: 's3', step: 'clearing' }, false],
    [use, true],
  ] as const) {
    await put(stores.disk)
    ;[use, isStale] = [before, stale]
    const { list } = stores.s3
    // It leaves the bucket after the disk was listed, and before the bucket is.
    stores.s3.list = async function* () {
      use = { store: 'disk', step: 'clearing' }
      await put(stores.disk, key)
      await stores.s3.remove([key])
      yield* list()
    }
    expect((await Array.fromAsync(storage.list())).map((object) => object.key)).toContain(key)
    stores.s3.list = list
    await stores.disk.remove([key])
    await put(stores.s3, key)
  }
})

test('a store that fails counts only when it may have the file', async () => {
  const key = await put(stores.disk)
  Object.assign(stores.s3, { open: down, sizeOf: down, remove: down })
  expect([await read(key), await storage.sizeOf(newKey())]).toEqual([key, null])
  await storage.remove([key])
  use = { store: 'disk', step: 'copying' }
  await expect(storage.sizeOf(newKey())).rejects.toThrow('down')
  const copied = await put(stores.disk)
  await storage.remove([copied])
  expect([noted, await placesOf(copied).catch(() => 'unknown')]).toEqual([[copied], 'unknown'])
  use = { store: 'disk', step: 'kept' }
  await expect(storage.remove([copied])).rejects.toThrow('down')
  use = { store: 's3', step: 'copying' }
  await expect(storage.remove([copied])).rejects.toThrow('down')
})

test('URLs of the bucket are given out for files that are there and stay', async () => {
  const [onDisk, inBucket] = [await put(stores.disk), await put(stores.s3)]
  const urlOf = (key: string): Promise<string | null> => storage.presign(key, { type, disposition: 'inline' })
  const given: [StoreUse, boolean, boolean][] = [
    [{ store: 'disk', step: 'settled' }, false, false],
    [{ store: 'disk', step: 'copying' }, false, false],
    [{ store: 'disk', step: 'clearing' }, false, false],
    [{ store: 's3', step: 'copying' }, false, true],
    [{ store: 's3', step: 'clearing' }, false, true],
    [{ store: 's3', step: 'settled' }, true, true],
  ]
  for (const [state, ofDisk, ofBucket] of given) {
    use = state
    expect([state, (await urlOf(onDisk)) !== null, (await urlOf(inBucket)) !== null]).toEqual([state, ofDisk, ofBucket])
  }
  isStale = true
  expect(await urlOf(inBucket)).toBeNull()
})
