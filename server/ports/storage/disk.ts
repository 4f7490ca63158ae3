import { createReadStream } from 'node:fs'
import { link, mkdir, open, rm, stat, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { newId } from '../../lib/ids.ts'
import { asStorageDown, createDurableRename, isMissing, listObjects, withFile, writeStreamTo } from './disk-files.ts'
import { checkKey, type StagedObject, type Storage } from './storage.ts'

/** The value, or a default when the file does not exist. */
async function unlessMissing<T, D>(work: Promise<T>, whenMissing: D): Promise<T | D> {
  try {
    return await work
  } catch (error) {
    if (isMissing(error)) return whenMissing
    throw error
  }
}

interface DiskContext {
  incoming: string
  pathOf(key: string): string
  renameDurably(file: FileHandle, from: string, to: string): Promise<void>
}

const stagedObject = ({ pathOf, renameDurably }: DiskContext, path: string, bytes: number): StagedObject => ({
  bytes,
  linkTo: (target) => link(path, target),
  async commit(key) {
    const target = pathOf(key)
    try {
      await withFile(path, 'r', (file) => renameDurably(file, path, target))
    } catch (error) {
      throw asStorageDown(error)
    }
  },
  discard: () => rm(path, { force: true }).catch(() => {}),
})

async function stage(context: DiskContext, source: Readable, signal: AbortSignal | undefined): Promise<StagedObject> {
  const path = join(context.incoming, newId())
  try {
    const { size } = await withFile(path, 'wx', async (file) => {
      await pipeline(source, writeStreamTo(file), { ...(signal && { signal }) })
      return file.stat()
    })
    return stagedObject(context, path, size)
  } catch (error) {
    await rm(path, { force: true })
    throw signal?.aborted ? signal.reason : asStorageDown(error)
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
  const context: DiskContext = { incoming, pathOf, renameDurably: createDurableRename(dir) }
  const openFile = async (key: string): Promise<FileHandle | null> => unlessMissing(open(pathOf(key), 'r'), null)
  return {
    kind: 'disk',
    stage: (source, { signal } = {}) => stage(context, source, signal),
    moveIn: (key, path, options) => stagedObject(context, path, 0).commit(key, options),
    linkTo: (key, path) =>
      unlessMissing(
        link(pathOf(key), path).then(() => true),
        false,
      ),
    async open(key, span) {
      const file = await openFile(key)
      return file && (createReadStream('', { fd: file, ...span, highWaterMark: 256 * 1024 }) satisfies Readable)
    },
    openFile,
    async sizeOf(key) {
      return (await unlessMissing(stat(pathOf(key)), null))?.size ?? null
    },
    async remove(keys) {
      for (const key of keys) await unlessMissing(unlink(pathOf(key)), undefined)
    },
    list: () => listObjects(dir),
    presign: async () => null,
    check: async () => void (await stat(incoming)),
  }
}
