import { createReadStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { forEachConcurrently } from '../lib/for-each-concurrently.ts'
import type { Storage } from '../ports/storage/storage.ts'
import { StartupError } from '../runtime/startup-error.ts'
import { filePathIn, privateFolderOptions } from './backup-folder.ts'
import { pagesOf, type BackedUpFile, type FileListWriter, type FileLookup } from './file-lists.ts'
import { writeHashed } from './hashed-files.ts'
import type { Progress } from './progress.ts'
import { syncFolder } from './sync.ts'

/** A file that a row names. */
export interface NamedFile {
  key: string
  /** As the row says. */
  bytes: number | null
  type: string
  photoId: string | null
  userId: string | null
}

/** The result of copying files. */
export interface CopiedFiles {
  files: number
  bytes: number
  /** Of these, files that no earlier backup had copied. */
  newFiles: number
  newBytes: number
  /** Named by rows and not stored. */
  absent: NamedFile[]
  /** Stored with another size than the row says. */
  damaged: string[]
}

export const nothingCopied = (): CopiedFiles => ({
  files: 0,
  bytes: 0,
  newFiles: 0,
  newBytes: 0,
  absent: [],
  damaged: [],
})

/** Files copied before they are added to the list; after a kill, those of an unfinished page are copied again. */
const pageSize = 256
/** Hides the latency of an object store without slowing down a running server. */
const copiesAtOnce = { disk: 2, s3: 8 } as const

/** A store with more problems is the wrong one, or lost. */
const problemsMax = 100_000

const valueOf = (field: string | undefined): string | null => (field === undefined || field === '\\N' ? null : field)

/** Reads the rows of `namedFilesSql` as COPY wrote them. */
export async function* readNamedFiles(path: string): AsyncGenerator<NamedFile> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    const [key = '', bytes, type, photoId, userId] = line.split('\t').map(valueOf)
    if (key)
      yield {
        key,
        bytes: bytes ? Number(bytes) : null,
        type: type ?? 'application/octet-stream',
        photoId: photoId ?? null,
        userId: userId ?? null,
      }
  }
}

interface CopyingOptions {
  storage: Storage
  dir: string
  /** Files that earlier backups copied, also interrupted ones. */
  known: FileLookup
  list: FileListWriter
  progress: Progress
}

/** Objects are immutable, so a copy of the right size need not be read again. */
async function isAlreadyCopied(dir: string, known: BackedUpFile | undefined): Promise<boolean> {
  if (!known) return false
  const copy = await stat(filePathIn(dir, known.key)).catch(() => undefined)
  return copy?.size === known.bytes
}

async function copyFile({ storage, dir }: CopyingOptions, { key, type }: NamedFile): Promise<BackedUpFile | undefined> {
  const source = await storage.open(key)
  if (!source) return undefined
  const path = filePathIn(dir, key)
  await mkdir(dirname(path), privateFolderOptions)
  return { key, type, ...(await writeHashed(source, path)) }
}

async function copyPage(options: CopyingOptions, page: readonly NamedFile[], copied: CopiedFiles): Promise<void> {
  const { storage, dir, known, list } = options
  const pairs: { named: NamedFile; earlierCopy: BackedUpFile | undefined }[] = []
  for (const named of page) pairs.push({ named, earlierCopy: await known.find(named.key) })
  const found = new Map<string, BackedUpFile>()
  const folders = new Set<string>()
  await forEachConcurrently(pairs, copiesAtOnce[storage.kind], async ({ named, earlierCopy }) => {
    if (earlierCopy && (await isAlreadyCopied(dir, earlierCopy)))
      return void found.set(named.key, { ...earlierCopy, type: named.type })
    const file = await copyFile(options, named)
    if (!file) return void copied.absent.push(named)
    if (named.bytes !== null && named.bytes !== file.bytes) copied.damaged.push(named.key)
    found.set(named.key, file)
    const folder = dirname(filePathIn(dir, named.key))
    for (const one of [folder, dirname(folder)]) folders.add(one)
    copied.newFiles += 1
    copied.newBytes += file.bytes
  })
  for (const folder of folders) await syncFolder(folder)
  if (copied.absent.length + copied.damaged.length > problemsMax)
    throw new StartupError(
      `More than ${problemsMax} files that the database refers to are missing from the store or have other sizes. Nothing was backed up. Check the store first: is it the right one?`,
    )
  const files = page.flatMap(({ key }) => found.get(key) ?? [])
  await list.add(files)
  copied.files += files.length
  copied.bytes += files.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Copies files that are not in the folder yet, and writes all of them into the list, in the order of their keys. */
export async function copyFiles(
  options: CopyingOptions,
  files: AsyncIterable<NamedFile>,
  total: number,
): Promise<CopiedFiles> {
  const copied = nothingCopied()
  let done = 0
  for await (const page of pagesOf(files, pageSize)) {
    await copyPage(options, page, copied)
    options.progress.count((done += page.length), total)
  }
  return copied
}
