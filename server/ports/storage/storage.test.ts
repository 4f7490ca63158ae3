import { mkdir, mkdtemp, open as openFile, rm, writeFile, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { newId } from '../../domain/ids.ts'
import { diskStorage } from './disk.ts'
import { StorageDown, type Storage } from './storage.ts'
import { keepsItsPromises } from './test/promises.ts'

const scratch = await mkdtemp(join(tmpdir(), 'keepsnap-storage-'))
afterAll(() => rm(scratch, { recursive: true, force: true }))

async function open(name: string): Promise<Storage> {
  const dir = join(scratch, name)
  const incoming = join(dir, 'incoming', 'own')
  await mkdir(incoming, { recursive: true })
  return diskStorage({ dir, incoming })
}

describe('the disk', () => {
  keepsItsPromises(() => open('files'), scratch)

  test('keeps what was stored over a restart, and files on their way are not listed', async () => {
    const storage = await open('again')
    const key = `full/${newId()}`
    await storage.put(key, Readable.from([Buffer.from('kept')]), { type: 'image/jpeg' })
    await writeFile(join(scratch, 'again/incoming/own/half'), 'cut off')
    const next = await open('again')
    expect(await next.sizeOf(key)).toBe(4)
    expect(await Array.fromAsync(next.list())).toMatchObject([{ key, bytes: 4 }])
  })

  test.each([
    ['is not there', undefined],
    ['is there all the same when it has been seen', () => {}],
  ])('what cannot be made safe %s', async (_, seen) => {
    const storage = await open('failing')
    const key = `thumb/${newId()}`
    const path = join(scratch, newId())
    await writeFile(path, 'made')
    const file = await openFile(path)
    await file.close()
    const sync = vi.spyOn(Object.getPrototypeOf(file) as FileHandle, 'sync')
    onTestFinished(() => sync.mockRestore())
    sync.mockRejectedValue(Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' }))
    await expect(storage.adopt(key, path, { type: 'image/webp', ...(seen && { seen }) })).rejects.toBeInstanceOf(
      StorageDown,
    )
    expect(await storage.sizeOf(key)).toBe(seen ? 4 : null)
  })
})
