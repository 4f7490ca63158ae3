import { createReadStream } from 'node:fs'
import { link, mkdir, open, readFile, rm, stat, unlink, writeFile, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { newId } from '../../lib/ids.ts'
import {
  diskErrorAsStorageDown,
  createDurableRename,
  isMissingFile,
  listObjects,
  withOpenFile,
  writeStreamTo,
} from './disk-files.ts'
import { checkKey, installationIn, markName, markText, type StagedObject, type Storage } from './storage.ts'

/** The value, or a default when the file does not exist. */
async function unlessMissing<T, D>(fileOperation: Promise<T>, whenMissing: D): Promise<T | D> {
  try {
    return await fileOperation
  } catch (error) {
    if (isMissingFile(error)) return whenMissing
    throw error
  }
}

interface DiskContext {
  incoming: string
  pathOf(key: string): string
  renameDurably(file: FileHandle, from: string, to: string): Promise<void>
}

async function moveTo({ renameDurably }: DiskContext, objectPath: string, localPath: string): Promise<void> {
  try {
    await withOpenFile(localPath, 'r', (file) => renameDurably(file, localPath, objectPath))
  } catch (error) {
    throw diskErrorAsStorageDown(error)
  }
}

const stagedObject = (diskContext: DiskContext, stagedPath: string, bytes: number): StagedObject => ({
  bytes,
  linkTo: (path) => link(stagedPath, path),
  commit: async (key) => moveTo(diskContext, diskContext.pathOf(key), stagedPath),
  discard: () => rm(stagedPath, { force: true }).catch(() => {}),
})

async function stage(
  diskContext: DiskContext,
  source: Readable,
  signal: AbortSignal | undefined,
): Promise<StagedObject> {
  const stagedPath = join(diskContext.incoming, newId())
  try {
    const { size } = await withOpenFile(stagedPath, 'wx', async (file) => {
      await pipeline(source, writeStreamTo(file), { ...(signal && { signal }) })
      return file.stat()
    })
    return stagedObject(diskContext, stagedPath, size)
  } catch (error) {
    await rm(stagedPath, { force: true })
    throw signal?.aborted ? signal.reason : diskErrorAsStorageDown(error)
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
  const diskContext: DiskContext = { incoming, pathOf, renameDurably: createDurableRename(dir) }
  const openFile = async (key: string): Promise<FileHandle | null> => unlessMissing(open(pathOf(key), 'r'), null)
  return {
    kind: 'disk',
    stage: (source, { signal } = {}) => stage(diskContext, source, signal),
    moveIn: async (key, localPath) => moveTo(diskContext, pathOf(key), localPath),
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
      await moveTo(diskContext, join(dir, markName), path)
    },
  }
}
