import type { Dirent } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Writable } from 'node:stream'
import { callbackify } from 'node:util'
import { releaseBuffer } from '../../lib/release-buffer.ts'
import { StorageDown, type Listed } from './storage.ts'

/** Whether a system call failed because the file does not exist. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

const diskFailures = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'])

/** Reports a full or failing disk as `StorageDown`: it is not a bug. */
export const asStorageDown = (error: unknown): unknown =>
  error instanceof Error && 'code' in error && diskFailures.has(String(error.code))
    ? new StorageDown(`the disk does not accept files: ${String(error.code)}`, { cause: error })
    : error

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function writeChunks(file: FileHandle, chunks: Buffer[]): Promise<void> {
  const { bytesWritten } = await file.writev(chunks)
  if (bytesWritten === chunks.reduce((sum, { length }) => sum + length, 0)) return
  // A nearly full disk writes a part; the next attempt reports why.
  for (let rest = Buffer.concat(chunks).subarray(bytesWritten); rest.length > 0;)
    rest = rest.subarray((await file.write(rest)).bytesWritten)
}

/** A stream into a file. Chunks that arrive during a write are written together; their memory is freed afterwards. */
export function writeStreamTo(file: FileHandle): Writable {
  const writeAll = callbackify(async (chunks: Buffer[]): Promise<void> => {
    await writeChunks(file, chunks)
    for (const chunk of chunks) releaseBuffer(chunk)
  })
  return new Writable({
    highWaterMark: 1024 * 1024,
    write: (chunk: Buffer, _, done) => writeAll([chunk], done),
    writev: (chunks, done) =>
      writeAll(
        chunks.map(({ chunk }) => chunk as Buffer), // only buffers are written
        done,
      ),
  })
}

/**
 * Gives written files their final names and makes both durable. File and folder are synced together, which costs the disk
 * one commit.
 */
export function createDurableRename(root: string): (file: FileHandle, from: string, to: string) => Promise<void> {
  const durableFolders = new Set<string>()
  return async (file, from, to) => {
    const folder = dirname(to)
    const isNew = !durableFolders.has(folder)
    if (isNew) await mkdir(folder, { recursive: true, mode: 0o700 })
    await rename(from, to)
    try {
      await Promise.all([file.sync(), ...(isNew ? [folder, dirname(folder), root] : [folder]).map(syncPath)])
    } catch (error) {
      await rm(to, { force: true })
      throw error
    }
    durableFolders.add(folder)
  }
}

/** Opens a file, runs some work with it and closes it. */
export async function withFile<T>(path: string, flags: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, flags, 0o644)
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}

const foldersIn = async (path: string): Promise<Dirent[]> =>
  (await readdir(path, { withFileTypes: true }).catch(() => [])).filter((entry) => entry.isDirectory())

/** All objects below the root folder; files that are still being received are not listed. */
export async function* listObjects(root: string): AsyncIterable<Listed> {
  for (const kind of await foldersIn(root)) {
    if (!/^[a-z]{1,16}$/.test(kind.name) || kind.name === 'incoming') continue
    for (const shard of await foldersIn(join(root, kind.name))) {
      const folder = join(root, kind.name, shard.name)
      for (const name of await readdir(folder)) {
        const found = await stat(join(folder, name)).catch(() => null)
        if (found) yield { key: `${kind.name}/${name}`, bytes: found.size, modifiedAt: found.mtime }
      }
    }
  }
}
