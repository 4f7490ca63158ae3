import { Readable } from 'node:stream'
import { beforeEach, expect, test } from 'vitest'
import { newId } from '../lib/ids.ts'
import type { Storage } from '../ports/storage/storage.ts'
import { createResponseCache, type ResponseCache } from './response-cache.ts'

/** A store in memory that counts reads, and may fail. */
let objects: Map<string, Buffer>
let reads: number
let fails: boolean
let cache: ResponseCache
beforeEach(() => {
  ;[objects, reads, fails] = [new Map(), 0, false]
  const storage: Pick<Storage, 'open'> = {
    async open(key) {
      reads += 1
      if (fails) throw new Error('the store is down')
      const bytes = objects.get(key)
      return bytes ? Readable.from([bytes]) : null
    },
  }
  // It uses the store for nothing else.
  cache = createResponseCache(storage as Storage)
})

function store(bytes: Buffer): string {
  const key = `thumb/${newId()}`
  objects.set(key, bytes)
  return key
}

test('reads a small object from the store once, also for concurrent requests', async () => {
  const key = store(Buffer.from('a thumbnail'))
  const results = await Promise.all(Array.from({ length: 50 }, () => cache.get(key, 11)))
  expect(results.map(String)).toEqual(results.map(() => 'a thumbnail'))
  objects.clear()
  expect(String(await cache.get(key, 11))).toBe('a thumbnail')
  expect(reads).toBe(1)
})

test('returns undefined for a large object, and null for a missing one', async () => {
  expect(await cache.get(store(Buffer.alloc(200_000)), 200_000)).toBeUndefined()
  expect(await cache.get(`thumb/${newId()}`, 10)).toBeNull()
})

test('rejects when the store fails, and reads again afterwards', async () => {
  const key = store(Buffer.from('a thumbnail'))
  fails = true
  await expect(cache.get(key, 11)).rejects.toThrow('the store is down')
  fails = false
  expect(String(await cache.get(key, 11))).toBe('a thumbnail')
})

test('holds at most 16 MB and evicts the object that was used least recently', async () => {
  const bytes = 128 * 1024
  const [first = '', second = '', ...others] = Array.from({ length: 129 }, () => store(Buffer.alloc(bytes)))
  for (const key of [first, second, first, ...others]) await cache.get(key, bytes)
  expect(reads).toBe(129)
  for (const key of [first, ...others]) await cache.get(key, bytes)
  expect(reads).toBe(129)
  await cache.get(second, bytes)
  expect(reads).toBe(130)
})
