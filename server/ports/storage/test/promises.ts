import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../../domain/ids.ts'
import type { Storage } from '../storage.ts'

/** The promises of the port; run against every implementation. */
export function keepsItsPromises(open: () => Promise<Storage>, scratch: string): void {
  let storage: Storage
  const key = (): string => `full/${newId()}`
  const bytes = Buffer.from('0123456789'.repeat(50_000))
  const readAll = async (found: Readable | null): Promise<string | null> => found && (await buffer(found)).toString()
  beforeAll(async () => {
    storage = await open()
  })

  test('what was put is there, whole and by span', async () => {
    const at = key()
    expect(
      await storage.put(at, Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]), { type: 'image/jpeg' }),
    ).toBe(bytes.length)
    expect(await storage.sizeOf(at)).toBe(bytes.length)
    expect(await readAll(await storage.open(at))).toBe(bytes.toString())
    expect(await readAll(await storage.open(at, { start: 10, end: 14 }))).toBe('01234')
  })

  test('a stream that breaks leaves nothing under its key', async () => {
    const at = key()
    async function* breaks() {
      yield bytes
      throw new Error('the client went away')
    }
    await expect(storage.put(at, Readable.from(breaks()), { type: 'image/jpeg' })).rejects.toThrow('went away')
    expect(await storage.sizeOf(at)).toBeNull()
  })

  test('an aborted put leaves nothing under its key', async () => {
    const at = key()
    const stop = new AbortController()
    async function* waits() {
      yield bytes
      stop.abort()
      yield bytes
    }
    await expect(storage.put(at, Readable.from(waits()), { type: 'image/jpeg', signal: stop.signal })).rejects.toThrow()
    expect(await storage.sizeOf(at)).toBeNull()
  })

  test('a local file is taken over and gone from its place', async () => {
    const at = key()
    const path = join(scratch, newId())
    await writeFile(path, bytes)
    await storage.adopt(at, path, { type: 'image/jpeg' })
    expect(await readAll(await storage.open(at))).toBe(bytes.toString())
    await expect(readFile(path)).rejects.toThrow('ENOENT')
  })

  test('what is being taken over can be read once that is said', async () => {
    const at = key()
    const path = join(scratch, newId())
    await writeFile(path, bytes)
    const reads: Promise<string | null>[] = []
    const seen = (): void => void reads.push(storage.open(at).then(readAll))
    await storage.adopt(at, path, { type: 'image/jpeg', seen })
    expect(await Promise.all(reads)).toEqual(storage.kind === 'disk' ? [bytes.toString()] : [])
  })

  test('an object is laid at a local path for an image process', async () => {
    const at = key()
    await storage.put(at, Readable.from([bytes]), { type: 'image/jpeg' })
    const path = join(scratch, newId())
    expect(await storage.layAt(at, path)).toBe(true)
    expect(await readFile(path)).toEqual(bytes)
    expect(await storage.layAt(key(), join(scratch, newId()))).toBe(false)
  })

  test('removing is final, and removing what is not there is no error', async () => {
    const at = key()
    await storage.put(at, Readable.from([bytes]), { type: 'image/jpeg' })
    await storage.remove([at, key()])
    await storage.remove([at])
    expect(await storage.open(at)).toBeNull()
    expect(await storage.sizeOf(at)).toBeNull()
  })

  test('the listing names everything that is stored', async () => {
    const at = key()
    await storage.put(at, Readable.from([bytes]), { type: 'image/jpeg' })
    const found = []
    for await (const one of storage.list()) if (one.key === at) found.push(one)
    expect(found).toMatchObject([{ key: at, bytes: bytes.length }])
    expect(Math.abs(Date.now() - found[0]!.modifiedAt.getTime())).toBeLessThan(60_000)
  })

  test.each([
    '../etc/passwd',
    'full/../../x',
    'full/short',
    `full/${newId()}/x`,
    `/full/${newId()}`,
    `full/${newId().slice(1)}.`,
    '',
  ])('a name that is not ours is never a path: %s', async (hostile) => {
    await expect(storage.open(hostile)).rejects.toThrow('not a storage key')
    await expect(storage.put(hostile, Readable.from([bytes]), { type: 'image/jpeg' })).rejects.toThrow(
      'not a storage key',
    )
  })
}
