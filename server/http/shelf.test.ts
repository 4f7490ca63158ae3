import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../domain/ids.ts'
import { diskStorage } from '../ports/storage/disk.ts'
import type { Storage } from '../ports/storage/storage.ts'
import { createShelf } from './shelf.ts'

let dir: string
let storage: Storage
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'keepsnap-shelf-'))
  await mkdir(join(dir, 'incoming'))
  storage = await diskStorage({ dir: join(dir, 'files'), incoming: join(dir, 'incoming') })
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const put = async (bytes: Buffer): Promise<string> => {
  const key = `thumb/${newId()}`
  await storage.put(key, Readable.from([bytes]), { type: 'image/webp' })
  return key
}

test('a small picture is read from the store once', async () => {
  const shelf = createShelf(storage)
  const key = await put(Buffer.from('a thumbnail'))
  expect(String(await shelf.take(key, 11))).toBe('a thumbnail')
  await storage.remove([key])
  expect(String(await shelf.take(key, 11))).toBe('a thumbnail')
})

test('what is large, or not there, is not for the shelf', async () => {
  const shelf = createShelf(storage)
  const key = await put(Buffer.alloc(200_000))
  expect(await shelf.take(key, 200_000)).toBeUndefined()
  expect(await shelf.take(`thumb/${newId()}`, 10)).toBeNull()
})

test('at most 16 MB are kept, those that were asked for last', async () => {
  const shelf = createShelf(storage)
  const bytes = 128 * 1024
  const keys = await Promise.all(Array.from({ length: 129 }, () => put(Buffer.alloc(bytes))))
  const [first, second] = keys as [string, string]
  await shelf.take(first, bytes)
  await shelf.take(second, bytes)
  await shelf.take(first, bytes)
  for (const key of keys.slice(2)) await shelf.take(key, bytes)
  await storage.remove(keys)
  const there = await Promise.all(keys.map(async (key) => (await shelf.take(key, bytes)) !== null))
  expect(there.filter(Boolean)).toHaveLength(128)
  expect([there[0], there[1], there[128]]).toEqual([true, false, true])
})
