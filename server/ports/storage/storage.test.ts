import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { newId } from '../../domain/ids.ts'
import { diskStorage } from './disk.ts'
import { keepsItsPromises } from './test/promises.ts'

const scratch = await mkdtemp(join(tmpdir(), 'keepsnap-storage-'))
afterAll(() => rm(scratch, { recursive: true, force: true }))

describe('the disk', () => {
  keepsItsPromises(() => diskStorage(join(scratch, 'files')), scratch)

  test('keeps its folder closed to other users, and what was cut off at the last start is gone', async () => {
    const dir = join(scratch, 'again')
    const storage = await diskStorage(dir)
    const key = `full/${newId()}`
    await storage.put(key, Readable.from([Buffer.from('kept')]), { type: 'image/jpeg' })
    expect((await stat(dir)).mode & 0o077).toBe(0)
    await writeFile(join(dir, 'incoming', 'half'), 'cut off')
    const next = await diskStorage(dir)
    expect(await readdir(join(dir, 'incoming'))).toEqual([])
    expect(await next.sizeOf(key)).toBe(4)
  })
})
