import { createReadStream, createWriteStream, type Dirent } from 'node:fs'
import { link, mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
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
  const shards = new Set<string>()
  /** The folder of a path, made durable when it is new. */
  const shardOf = async (path: string): Promise<string> => {
    const shard = dirname(path)
    if (shards.has(shard)) return shard
    if (await mkdir(shard, { recursive: true, mode: 0o700 })) {
      await syncPath(dirname(shard))
      await syncPath(dir)
    }
    shards.add(shard)
    return shard
  }
  /** Gives a synced file its name. */
  const settle = async (from: string, key: string): Promise<void> => {
    const path = pathOf(key)
    const shard = await shardOf(path)
    await rename(from, path)
    await syncPath(shard)
  }

  return {
    kind: 'disk',
    async put(key, source, { signal }) {
      checkKey(key)
      const path = join(incoming, newId())
      const sink = createWriteStream(path, { flags: 'wx', mode: 0o644, flush: true, highWaterMark: 1024 * 1024 })
      try {
        await pipeline(source, sink, { signal })
        await settle(path, key)
        return sink.bytesWritten
      } catch (error) {
        await rm(path, { force: true })
        throw asTrouble(error)
      }
    },
    async adopt(key, path) {
      checkKey(key)
      try {
        await syncPath(path)
        await settle(path, key)
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
      const path = pathOf(key)
      try {
        const handle = await open(path, 'r')
        return createReadStream(path, { fd: handle, ...span, highWaterMark: 256 * 1024 }) satisfies Readable
      } catch (error) {
        if (missing(error)) return null
        throw error
      }
    },
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
