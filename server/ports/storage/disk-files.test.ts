import { mkdir, open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../../test/child-processes.ts'
import { diskErrorAsStorageDown, createDurableRename, isMissingFile, listObjects, writeStreamTo } from './disk-files.ts'
import { StorageDown } from './storage.ts'

test('a full or failing disk means that the storage is down; other errors stay as they are', () => {
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
  expect(diskErrorAsStorageDown(full)).toBeInstanceOf(StorageDown)
  expect(diskErrorAsStorageDown(full)).toMatchObject({ cause: full })
  const denied = Object.assign(new Error('denied'), { code: 'EACCES' })
  expect(diskErrorAsStorageDown(denied)).toBe(denied)
  expect(isMissingFile(Object.assign(new Error(), { code: 'ENOENT' }))).toBe(true)
  expect(isMissingFile(denied)).toBe(false)
})

test('chunks are written in order', async () => {
  const path = join(scratchFolder(onTestFinished), 'file')
  const file = await open(path, 'wx')
  await pipeline([Buffer.from('one '), Buffer.from('two '), Buffer.from('three')], writeStreamTo(file))
  await file.close()
  expect(await readFile(path, 'utf8')).toBe('one two three')
})

test('a file gets its final name in a folder that is created for it', async () => {
  const root = scratchFolder(onTestFinished)
  const [fromPath, toPath] = [join(root, 'staged'), join(root, 'full', 'ab', 'abc')]
  await writeFile(fromPath, 'bytes')
  const file = await open(fromPath, 'r')
  await createDurableRename(root)(file, fromPath, toPath)
  await file.close()
  expect(await readFile(toPath, 'utf8')).toBe('bytes')
})

test('the list names every object by its key, and no file that is still being received', async () => {
  const root = scratchFolder(onTestFinished)
  for (const folder of ['full/ab', 'incoming/xy', 'Other/ab']) {
    await mkdir(join(root, folder), { recursive: true })
    await writeFile(join(root, folder, 'abc'), 'bytes')
  }
  const keys: [string, number][] = []
  for await (const { key, bytes } of listObjects(root)) keys.push([key, bytes])
  expect(keys).toEqual([['full/abc', 5]])
})
