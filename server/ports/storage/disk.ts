import { createReadStream, type Dirent } from 'node:fs'
import { link, mkdir, open, readdir, rename, rm, stat, unlink, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Writable, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { callbackify } from 'node:util'
import { newId } from '../../domain/ids.ts'
import { checkKey, StorageDown, type Listed, type Storage } from './storage.ts'

const missing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

const full = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'])
/** A disk that is full or failing is trouble of the store, not a bug. */
const asTrouble = (error: unknown): unknown =>
  error instanceof Error && 'code' in error && full.has(String(error.code))
    ? new StorageDown(`the disk cannot take files: ${String(error.code)}`, { cause: error })
    : error

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function writeParts(file: FileHandle, parts: Buffer[]): Promise<void> {
  const { bytesWritten } = await file.writev(parts)
  if (bytesWritten === parts.reduce((sum, { length }) => sum + length, 0)) return
  // A nearly full disk takes a part; the next try says why.
  for (let rest = Buffer.concat(parts).subarray(bytesWritten); rest.length > 0;)
    rest = rest.subarray((await file.write(rest)).bytesWritten)
}

/** What arrives while something is being written is written together. */
function sinkInto(file: FileHandle, written?: (chunk: Buffer) => void): Writable {
  const writeAll = callbackify(async (parts: Buffer[]): Promise<void> => {
    await writeParts(file, parts)
    for (const part of parts) written?.(part)
  })
  return new Writable({
    highWaterMark: 1024 * 1024,
    write: (chunk: Buffer, _, done) => writeAll([chunk], done),
    writev: (chunks, done) =>
      writeAll(
        chunks.map(({ chunk }) => chunk as Buffer), // nothing else is written
        done,
      ),
  })
}

interface Settling {
  path: string
  whole?: (() => Promise<void>) | undefined
  seen?: (() => void) | undefined
}

/**
 * Files below a folder: `kind/ab/abcdef...`, written beside and renamed, file and folder synced before `put` resolves.
 * `incoming` is a folder of this process alone, on the same file system. Files are readable by others of this machine's users only through links that we lay, since the folder itself is closed.
 */
export async function diskStorage({ dir, incoming }: { dir: string; incoming: string }): Promise<Storage> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const pathOf = (key: string): string => {
    const [kind = '', name = ''] = checkKey(key).split('/')
    return join(dir, kind, name.slice(0, 2), name)
  }
  const openFile = async (key: string): Promise<FileHandle | null> => {
    try {
      return await open(pathOf(key), 'r')
    } catch (error) {
      if (missing(error)) return null
      throw error
    }
  }
  const lasting = new Set<string>()
  /** Gives a written file its name, and makes both last. Synced together, they cost the disk one commit. */
  const settle = async (file: FileHandle, from: string, { path, whole, seen }: Settling): Promise<void> => {
    const shard = dirname(path)
    const isNew = !lasting.has(shard)
    if (isNew) await mkdir(shard, { recursive: true, mode: 0o700 })
    await rename(from, path)
    seen?.()
    try {
      await whole?.()
      await Promise.all([file.sync(), ...(isNew ? [shard, dirname(shard), dir] : [shard]).map(syncPath)])
    } catch (error) {
      if (!seen) await rm(path, { force: true })
      throw error
    }
    lasting.add(shard)
  }
  const withFile = async <T>(path: string, flags: string, work: (file: FileHandle) => Promise<T>): Promise<T> => {
    const file = await open(path, flags, 0o644)
    try {
      return await work(file)
    } finally {
      await file.close()
    }
  }

  return {
    kind: 'disk',
    async put(key, source, { signal, written, whole }) {
      const path = pathOf(key)
      const from = join(incoming, newId())
      try {
        return await withFile(from, 'wx', async (file) => {
          await pipeline(source, sinkInto(file, written), { signal })
          await settle(file, from, { path, whole })
          return (await file.stat()).size
        })
      } catch (error) {
        await rm(from, { force: true })
        throw asTrouble(error)
      }
    },
    async adopt(key, from, { seen }) {
      const path = pathOf(key)
      try {
        await withFile(from, 'r', (file) => settle(file, from, { path, seen }))
      } catch (error) {
        throw asTrouble(error)
      }
    },
    async layAt(key, path) {
      try {
        await link(pathOf(key), path)
        return true
      } catch (error) {
        if (missing(error)) return false
        throw error
      }
    },
    async open(key, span) {
      const file = await openFile(key)
      return file && (createReadStream('', { fd: file, ...span, highWaterMark: 256 * 1024 }) satisfies Readable)
    },
    openFile,
    async sizeOf(key) {
      try {
        return (await stat(pathOf(key))).size
      } catch (error) {
        if (missing(error)) return null
        throw error
      }
    },
    async remove(keys) {
      for (const key of keys) {
        await unlink(pathOf(key)).catch((error: unknown) => {
          if (!missing(error)) throw error
        })
      }
    },
    list: () => listFiles(dir),
    presign: async () => null,
    check: async () => void (await stat(incoming)),
  }
}

async function* listFiles(dir: string): AsyncIterable<Listed> {
  const folders = async (path: string): Promise<Dirent[]> =>
    (await readdir(path, { withFileTypes: true }).catch(() => [])).filter((entry) => entry.isDirectory())
  for (const kind of await folders(dir)) {
    if (!/^[a-z]{1,16}$/.test(kind.name) || kind.name === 'incoming') continue
    for (const shard of await folders(join(dir, kind.name))) {
      const at = join(dir, kind.name, shard.name)
      for (const name of await readdir(at)) {
        const found = await stat(join(at, name)).catch(() => null)
        if (found) yield { key: `${kind.name}/${name}`, bytes: found.size, modifiedAt: found.mtime }
      }
    }
  }
}
