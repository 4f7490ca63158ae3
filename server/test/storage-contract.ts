import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { newId } from '../lib/ids.ts'
import { type Storage, storeStream } from '../ports/storage/storage.ts'

const type = 'image/jpeg'

/** The contract of the storage port; every implementation runs these tests. */
export function testStorageContract(open: () => Promise<Storage>, scratch: string): void {
  let storage: Storage
  const newStorageKey = (): string => `full/${newId()}`
  const bytes = Buffer.from('0123456789'.repeat(50_000))
  // A copy: the storage owns the chunks that it is given.
  const stream = (): Readable => Readable.from([Buffer.from(bytes)])
  const readAll = async (found: Readable | null): Promise<string | null> => found && (await buffer(found)).toString()
  beforeAll(async () => {
    storage = await open()
  })

  test('a stored stream can be read, whole and by span', async () => {
    const key = newStorageKey()
    const source = Readable.from([Buffer.from(bytes.subarray(0, 7)), Buffer.from(bytes.subarray(7))])
    expect(await storeStream(storage, key, { source, type })).toBe(bytes.length)
    expect(await storage.sizeOf(key)).toBe(bytes.length)
    expect(await readAll(await storage.open(key))).toBe(bytes.toString())
    expect(await readAll(await storage.open(key, { start: 10, end: 14 }))).toBe('01234')
  })

  test('staged bytes have no key until they are committed, and can be linked before', async () => {
    const key = newStorageKey()
    const path = join(scratch, newId())
    const staged = await storage.stage(stream())
    expect([staged.bytes, await storage.sizeOf(key)]).toEqual([bytes.length, null])
    await staged.linkTo(path)
    expect(await readFile(path)).toEqual(bytes)
    await staged.commit(key, { type })
    await staged.discard()
    expect(await readAll(await storage.open(key))).toBe(bytes.toString())
  })

  test('discarded bytes cannot be committed', async () => {
    const key = newStorageKey()
    const staged = await storage.stage(stream())
    await staged.discard()
    await expect(staged.commit(key, { type })).rejects.toThrow()
    expect(await storage.sizeOf(key)).toBeNull()
  })

  test('a stream that fails leaves nothing under its key', async () => {
    const key = newStorageKey()
    async function* failing() {
      yield Buffer.from(bytes)
      throw new Error('the client disconnected')
    }
    const stored = storeStream(storage, key, { source: Readable.from(failing()), type })
    await expect(stored).rejects.toThrow('the client disconnected')
    expect(await storage.sizeOf(key)).toBeNull()
  })

  test('an aborted stream is rejected with the reason and leaves nothing under its key', async () => {
    const key = newStorageKey()
    const abort = new AbortController()
    async function* aborting() {
      yield Buffer.from(bytes)
      abort.abort(new Error('no longer needed'))
      yield Buffer.from(bytes)
    }
    const stored = storeStream(storage, key, { source: Readable.from(aborting()), type, signal: abort.signal })
    await expect(stored).rejects.toThrow('no longer needed')
    expect(await storage.sizeOf(key)).toBeNull()
  })

  test('a local file is moved in and gone from its path', async () => {
    const key = newStorageKey()
    const path = join(scratch, newId())
    await writeFile(path, bytes)
    await storage.moveIn(key, path, { type })
    expect(await readAll(await storage.open(key))).toBe(bytes.toString())
    await expect(readFile(path)).rejects.toThrow('ENOENT')
  })

  test('an object can be linked to a local path', async () => {
    const key = newStorageKey()
    await storeStream(storage, key, { source: stream(), type })
    const path = join(scratch, newId())
    expect(await storage.linkTo(key, path)).toBe(true)
    expect(await readFile(path)).toEqual(bytes)
    expect(await storage.linkTo(newStorageKey(), join(scratch, newId()))).toBe(false)
  })

  test('a file of several parts is stored whole, and its parts can be read by span', async () => {
    const key = newStorageKey()
    const path = join(scratch, newId())
    const large = randomBytes(9 * 1024 * 1024 + 7)
    await writeFile(path, large)
    await storage.moveIn(key, path, { type })
    expect(await storage.sizeOf(key)).toBe(large.length)
    const found = await storage.open(key, { start: 8 * 1024 * 1024 - 3, end: large.length - 1 })
    expect(large.subarray(8 * 1024 * 1024 - 3).equals(await buffer(found!))).toBe(true)
  })

  test('a large stream that fails, or is aborted, is rejected with the reason and leaves nothing', async () => {
    const key = newStorageKey()
    const megabyte = 1024 * 1024
    async function* endingAfter(megabytes: number, end: () => void) {
      for (let sent = 0; sent < megabytes; sent++) yield randomBytes(megabyte)
      end()
      for (let sent = 0; sent < 4; sent++) yield randomBytes(megabyte)
    }
    const failing = endingAfter(10, () => {
      throw new Error('the archive could not be read')
    })
    const failed = storeStream(storage, key, { source: Readable.from(failing), type })
    await expect(failed).rejects.toThrow('the archive could not be read')
    const abort = new AbortController()
    const aborting = endingAfter(10, () => abort.abort(new Error('no longer wanted')))
    const aborted = storeStream(storage, key, { source: Readable.from(aborting), type, signal: abort.signal })
    await expect(aborted).rejects.toThrow('no longer wanted')
    expect(await storage.sizeOf(key)).toBeNull()
    expect((await storage.removeUnfinished?.(new Date(Date.now() + 60_000))) ?? 0).toBe(0)
  })

  test('an empty object is stored as such', async () => {
    const key = newStorageKey()
    expect(await storeStream(storage, key, { source: Readable.from([]), type })).toBe(0)
    expect([await storage.sizeOf(key), await readAll(await storage.open(key))]).toEqual([0, ''])
  })

  test('a removed object is gone, and removing a missing one is not an error', async () => {
    const key = newStorageKey()
    await storeStream(storage, key, { source: stream(), type })
    await storage.remove([key, newStorageKey()])
    await storage.remove([key])
    expect(await storage.open(key)).toBeNull()
    expect(await storage.sizeOf(key)).toBeNull()
  })

  test('the list contains everything that is stored', async () => {
    const key = newStorageKey()
    await storeStream(storage, key, { source: stream(), type })
    const found = []
    for await (const object of storage.list()) if (object.key === key) found.push(object)
    expect(found).toMatchObject([{ key, bytes: bytes.length }])
    expect(Math.abs(Date.now() - found[0]!.modifiedAt.getTime())).toBeLessThan(60_000)
  })

  test('has a mark of its installation beside all keys, which is not in the list and can be replaced', async () => {
    expect(await storage.readInstallation()).toBeNull()
    for (const id of ['one', 'another']) {
      await storage.writeInstallation(id)
      expect(await storage.readInstallation()).toBe(id)
    }
    expect((await Array.fromAsync(storage.list())).filter(({ key }) => key.includes('installation'))).toEqual([])
  })

  test('refuses an invalid key', async () => {
    for (const key of ['full/../../x', `full/${newId().slice(1)}.`]) {
      await expect(storage.open(key)).rejects.toThrow('not a storage key')
      await expect(storeStream(storage, key, { source: stream(), type })).rejects.toThrow('not a storage key')
    }
  })
}
