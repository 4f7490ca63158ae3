import { type FileHandle, mkdir, mkdtemp, open as openFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { diskErrorAsStorageDown, diskStorage } from './disk.ts'
import { type Storage, StorageDown, storeStream } from './storage.ts'
import { testStorageContract } from '../../test/storage-contract.ts'

const scratch = await mkdtemp(join(tmpdir(), 'keepsnap-storage-'))
afterAll(() => rm(scratch, { recursive: true, force: true }))

const incomingOf = (name: string): string => join(scratch, name, 'incoming', 'own')

async function open(name: string): Promise<Storage> {
  await mkdir(incomingOf(name), { recursive: true })
  return diskStorage({ dir: join(scratch, name), incoming: incomingOf(name) })
}

test('a full or failing disk means that the storage is down; other errors stay as they are', () => {
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
  expect(diskErrorAsStorageDown(full)).toMatchObject({ name: 'StorageDown', cause: full })
  const denied = Object.assign(new Error('denied'), { code: 'EACCES' })
  expect(diskErrorAsStorageDown(denied)).toBe(denied)
})

describe('disk storage', () => {
  testStorageContract(() => open('files'), scratch)

  test('leaves no incoming file behind', async () => {
    expect(await readdir(incomingOf('files'))).toEqual([])
  })

  test('keeps objects over a restart and does not list incoming files', async () => {
    const key = `full/${newId()}`
    await storeStream(await open('again'), key, { source: Readable.from([Buffer.from('kept')]), type: 'image/jpeg' })
    await writeFile(join(incomingOf('again'), 'half'), 'cut off')
    const next = await open('again')
    expect(await next.sizeOf(key)).toBe(4)
    expect(await Array.fromAsync(next.list())).toMatchObject([{ key, bytes: 4 }])
  })

  test('leaves nothing under the key when a file cannot be synced', async () => {
    const storage = await open('failing')
    const key = `thumb/${newId()}`
    const path = join(scratch, newId())
    await writeFile(path, 'made')
    const file = await openFile(path)
    await file.close()
    const sync = vi.spyOn(Object.getPrototypeOf(file) as FileHandle, 'sync')
    onTestFinished(() => sync.mockRestore())
    sync.mockRejectedValue(Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' }))
    await expect(storage.moveIn(key, path, { type: 'image/webp' })).rejects.toBeInstanceOf(StorageDown)
    expect(await storage.sizeOf(key)).toBeNull()
  })
})
