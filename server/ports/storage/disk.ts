import { createReadStream, type Dirent } from 'node:fs'
import {
  type FileHandle,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Readable, Writable } from 'node:stream'
import { callbackify } from 'node:util'
import { pipeline } from 'node:stream/promises'
import { releaseBuffer } from '../../lib/file-checksum.ts'
import { newId } from '../../lib/ids.ts'
import {
  checkKey,
  installationIn,
  keyPattern,
  type ListedObject,
  markName,
  markText,
  type Storage,
  StorageDown,
} from './storage.ts'

/** The value, or a default when the file does not exist. */
async function unlessMissing<T, D>(fileOperation: Promise<T>, whenMissing: D): Promise<T | D> {
  try {
    return await fileOperation
  } catch (error) {
    if (isMissingFile(error)) return whenMissing
    throw error
  }
}

/**
 * Files below a folder: `kind/ab/abcdef...`. `incoming` is a folder of this process alone, on the same file system. The
 * folder is closed to other users; they can read objects only through the links that `linkTo` creates.
 */
export async function diskStorage({ dir, incoming }: { dir: string; incoming: string }): Promise<Storage> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const pathOf = (key: string): string => {
    const [kind = '', name = ''] = checkKey(key).split('/')
    return join(dir, kind, name.slice(0, 2), name)
  }
  const renameDurably = createDurableRename(dir)
  async function moveTo(objectPath: string, localPath: string): Promise<void> {
    try {
      await withOpenFile(localPath, 'r', (file) => renameDurably(file, localPath, objectPath))
    } catch (error) {
      throw diskErrorAsStorageDown(error)
    }
  }
  const openFile = async (key: string): Promise<FileHandle | null> => unlessMissing(open(pathOf(key), 'r'), null)
  return {
    kind: 'disk',
    async stage(source, { signal } = {}) {
      const path = join(incoming, newId())
      try {
        const { size } = await withOpenFile(path, 'wx', async (file) => {
          await pipeline(source, writeStreamTo(file), { ...(signal && { signal }) })
          return file.stat()
        })
        return {
          bytes: size,
          linkTo: (target) => link(path, target),
          commit: async (key) => moveTo(pathOf(key), path),
          discard: () => rm(path, { force: true }).catch(() => {}),
        }
      } catch (error) {
        await rm(path, { force: true })
        throw signal?.aborted ? signal.reason : diskErrorAsStorageDown(error)
      }
    },
    moveIn: async (key, localPath) => moveTo(pathOf(key), localPath),
    linkTo: (key, localPath) =>
      unlessMissing(
        link(pathOf(key), localPath).then(() => true),
        false,
      ),
    async open(key, span) {
      const file = await openFile(key)
      return file && (createReadStream('', { fd: file, ...span, highWaterMark: 256 * 1024 }) satisfies Readable)
    },
    openFile,
    async sizeOf(key) {
      const found = await unlessMissing(stat(pathOf(key)), null)
      return found?.isFile() ? found.size : null
    },
    async remove(keys) {
      for (const key of keys) await unlessMissing(unlink(pathOf(key)), undefined)
    },
    list: (onOtherName) => listObjects(dir, onOtherName),
    presign: async () => null,
    check: async () => void (await stat(incoming)),
    readInstallation: async () => installationIn(await unlessMissing(readFile(join(dir, markName), 'utf8'), null)),
    async writeInstallation(id) {
      const path = join(incoming, newId())
      await writeFile(path, markText(id), { mode: 0o600 }).catch((error: unknown) => {
        throw diskErrorAsStorageDown(error)
      })
      await moveTo(join(dir, markName), path)
    },
  }
}

/** Whether a system call failed because the file does not exist. */
const isMissingFile = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

const diskFailures = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'])

/** Reports a full or failing disk as `StorageDown`: it is not a bug. */
export const diskErrorAsStorageDown = (error: unknown): unknown =>
  error instanceof Error && 'code' in error && diskFailures.has(String(error.code))
    ? new StorageDown(`the disk does not accept files: ${String(error.code)}`, { cause: error })
    : error

async function syncPath(path: string): Promise<void> {
  const fileHandle = await open(path, 'r')
  try {
    await fileHandle.sync()
  } finally {
    await fileHandle.close()
  }
}

async function writeChunks(file: FileHandle, chunks: Buffer[]): Promise<void> {
  const { bytesWritten } = await file.writev(chunks)
  if (bytesWritten === chunks.reduce((sum, { length }) => sum + length, 0)) return
  // A nearly full disk writes a part; the next attempt reports why.
  for (let unwritten = Buffer.concat(chunks).subarray(bytesWritten); unwritten.length > 0;)
    unwritten = unwritten.subarray((await file.write(unwritten)).bytesWritten)
}

/** A stream into a file. Chunks that arrive during a write are written together; their memory is freed afterwards. */
function writeStreamTo(file: FileHandle): Writable {
  const writeAndRelease = callbackify(async (chunks: Buffer[]): Promise<void> => {
    await writeChunks(file, chunks)
    for (const chunk of chunks) releaseBuffer(chunk)
  })
  return new Writable({
    highWaterMark: 1024 * 1024,
    write: (chunk: Buffer, _, done) => writeAndRelease([chunk], done),
    writev: (chunks, done) =>
      writeAndRelease(
        chunks.map(({ chunk }) => chunk as Buffer), // only buffers are written
        done,
      ),
  })
}

/**
 * Gives written files their final names and makes both durable. File and folder are synced together, which costs the disk
 * one commit.
 */
function createDurableRename(
  storageRoot: string,
): (file: FileHandle, fromPath: string, toPath: string) => Promise<void> {
  const durableFolders = new Set<string>()
  return async (file, fromPath, toPath) => {
    const folder = dirname(toPath)
    const isNewFolder = !durableFolders.has(folder)
    if (isNewFolder) await mkdir(folder, { recursive: true, mode: 0o700 })
    await rename(fromPath, toPath)
    try {
      await Promise.all([
        file.sync(),
        ...(isNewFolder ? [folder, dirname(folder), storageRoot] : [folder]).map(syncPath),
      ])
    } catch (error) {
      await rm(toPath, { force: true })
      throw error
    }
    durableFolders.add(folder)
  }
}

/** Opens a file, runs some work with it and closes it. */
async function withOpenFile<T>(path: string, flags: string, useFile: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, flags, 0o644)
  try {
    return await useFile(file)
  } finally {
    await file.close()
  }
}

/**
 * All objects below the root folder; files that are still being received are not listed. A folder that cannot be read is
 * another name for a caller who wants to know these, and an error for the others.
 */
async function* listObjects(storageRoot: string, onOtherName?: (name: string) => void): AsyncIterable<ListedObject> {
  const entriesOf = async (folder: string): Promise<Dirent[]> => {
    try {
      return await readdir(join(storageRoot, folder), { withFileTypes: true })
    } catch (error) {
      if (isMissingFile(error)) return []
      if (!onOtherName) throw error
      onOtherName(`${folder} (cannot be read)`)
      return []
    }
  }
  for (const kind of await entriesOf('')) {
    if (!kind.isDirectory() || !/^[a-z]{1,16}$/.test(kind.name) || kind.name === 'incoming') continue
    for (const shard of await entriesOf(kind.name)) {
      const folder = `${kind.name}/${shard.name}`
      if (!shard.isDirectory() || !/^[0-9A-Za-z]{2}$/.test(shard.name)) {
        onOtherName?.(folder)
        continue
      }
      for (const { name } of await entriesOf(folder)) {
        const key = `${kind.name}/${name}`
        // Where it is not beside the others with these two characters, nothing finds it by its key.
        const isKey = keyPattern.test(key) && name.startsWith(shard.name)
        const fileStat = isKey ? await stat(join(storageRoot, folder, name)).catch(() => null) : undefined
        if (fileStat?.isFile()) yield { key, bytes: fileStat.size, modifiedAt: fileStat.mtime }
        else if (fileStat !== null) onOtherName?.(`${folder}/${name}`)
      }
    }
  }
}
