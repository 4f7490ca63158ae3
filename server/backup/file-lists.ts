import { createReadStream, existsSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Checksum } from './hashed-files.ts'
import { syncHandle } from './sync.ts'

/** A file of a backup: its key in the store, and what it consists of. */
export interface BackedUpFile extends Checksum {
  key: string
  /** Content type. */
  type: string
}

const linePattern = /^([a-z]{1,16}\/[0-9A-Za-z]{22})\t(\d+)\t([0-9a-f]{64})\t([\w.+-]+\/[\w.+-]+)$/

export const lineOf = ({ key, bytes, sha256, type }: BackedUpFile): string => `${key}\t${bytes}\t${sha256}\t${type}\n`

/** Reads a file list, sorted by key. Skips the incomplete last line of an interrupted backup. */
export async function* readFileList(path: string): AsyncGenerator<BackedUpFile> {
  if (!existsSync(path)) return
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    const [, key, bytes, sha256, type] = linePattern.exec(line) ?? []
    if (key !== undefined && sha256 !== undefined && type !== undefined)
      yield { key, bytes: Number(bytes), sha256, type }
  }
}

/** Finds files in lists that are sorted by key, without holding them in memory. */
export interface FileLookup {
  /** Must be called with keys in ascending order. */
  find(key: string): Promise<BackedUpFile | undefined>
  close(): Promise<void>
}

interface Cursor {
  list: AsyncGenerator<BackedUpFile>
  current: BackedUpFile | undefined
}

/** A lookup in several lists at once; of lists with the same file, the first one counts. */
export async function openFileLookup(paths: readonly string[]): Promise<FileLookup> {
  const cursors: Cursor[] = []
  for (const path of paths) {
    const list = readFileList(path)
    cursors.push({ list, current: (await list.next()).value as BackedUpFile | undefined }) // undefined at the end
  }
  return {
    async find(key) {
      let found: BackedUpFile | undefined
      for (const cursor of cursors) {
        while (cursor.current && cursor.current.key < key)
          cursor.current = (await cursor.list.next()).value as BackedUpFile | undefined // as above
        if (cursor.current?.key === key) found ??= cursor.current
      }
      return found
    },
    async close() {
      for (const { list } of cursors) await list.return(undefined)
    },
  }
}

/** The names of the lists of a backup: of its files, and of those that replaced them while it was made. */
export const fileListNames = ['file-list.txt', 'changed-file-list.txt'] as const
export const fileListsOf = (folder: string): string[] => fileListNames.map((name) => join(folder, name))

/** Writes a file list; files must be added in ascending order of their keys. */
export interface FileListWriter {
  add(files: readonly BackedUpFile[]): Promise<void>
  close(): Promise<void>
}

export async function openFileListWriter(path: string): Promise<FileListWriter> {
  const list: FileHandle = await open(path, 'w', 0o600)
  return {
    add: async (files) => void (await list.appendFile(files.map(lineOf).join(''))),
    async close() {
      await syncHandle(list).finally(() => list.close())
    },
  }
}

/** Consecutive items in pages of at most `size`. */
export async function* pagesOf<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let page: T[] = []
  for await (const item of items) {
    page.push(item)
    if (page.length < size) continue
    yield page
    page = []
  }
  if (page.length) yield page
}
