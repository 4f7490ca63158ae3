import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../lib/ids.ts'
import { diskStorage } from '../ports/storage/disk.ts'
import { storeStream, type Storage } from '../ports/storage/storage.ts'
import { createResponseCache } from './response-cache.ts'

let dir: string
let storage: Storage
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'keepsnap-response-cache-'))
  await mkdir(join(dir, 'incoming'))
  storage = await diskStorage({ dir: join(dir, 'files'), incoming: join(dir, 'incoming') })
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const store = async (bytes: Buffer): Promise<string> => {
  const key = `thumb/${newId()}`
  await storeStream(storage, key, { source: Readable.from([bytes]), type: 'image/webp' })
  return key
}

test('reads a small object from the store once', async () => {
  const cache = createResponseCache(storage)
  const key = await store(Buffer.from('a thumbnail'))
  expect(String(await cache.get(key, 11))).toBe('a thumbnail')
  await storage.remove([key])
  expect(String(await cache.get(key, 11))).toBe('a thumbnail')
})

test('reads an object once for concurrent requests', async () => {
  let reads = 0
  const cache = createResponseCache({
    ...storage,
    open(key, range) {
      reads += 1
      return storage.open(key, range)
    },
  })
  const key = await store(Buffer.from('a thumbnail'))
  const results = await Promise.all(Array.from({ length: 50 }, () => cache.get(key, 11)))
  expect(results.map(String)).toEqual(results.map(() => 'a thumbnail'))
  expect(reads).toBe(1)
})

test('returns undefined for a large object, and null for a missing one', async () => {
  const cache = createResponseCache(storage)
  const key = await store(Buffer.alloc(200_000))
  expect(await cache.get(key, 200_000)).toBeUndefined()
  const missing = `thumb/${newId()}`
  expect(await cache.get(missing, 10)).toBeNull()
})

test('rejects when the store fails, and reads again afterwards', async () => {
  let fails = true
  const cache = createResponseCache({
    ...storage,
    open: (key, range) => (fails ? Promise.reject(new Error('the store is down')) : storage.open(key, range)),
  })
  const key = await store(Buffer.from('a thumbnail'))
  await expect(cache.get(key, 11)).rejects.toThrow('the store is down')
  fails = false
  expect(String(await cache.get(key, 11))).toBe('a thumbnail')
})

test('holds at most 16 MB and evicts the object that was used least recently', async () => {
  let reads = 0
  const cache = createResponseCache({
    ...storage,
    open(key, range) {
      reads += 1
      return storage.open(key, range)
    },
  })
  const bytes = 128 * 1024
  const keys = await Promise.all(Array.from({ length: 129 }, () => store(Buffer.alloc(bytes))))
  const [first = '', second = '', ...others] = keys
  await cache.get(first, bytes)
  await cache.get(second, bytes)
  await cache.get(first, bytes)
  for (const key of others) await cache.get(key, bytes)
  expect(reads).toBe(129)
  for (const key of [first, ...others]) await cache.get(key, bytes)
  expect(reads).toBe(129)
  await cache.get(second, bytes)
  expect(reads).toBe(130)
})
