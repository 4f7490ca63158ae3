import { createReadStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream'
import type { Client } from 'pg'
import { forEachConcurrently, pagesOf } from '../lib/concurrency.ts'
import { type Storage, storeStream } from '../ports/storage/storage.ts'
import { StartupError } from '../faults.ts'
import type { Progress } from '../lib/operator-texts.ts'
import {
  backupsIn,
  expectChecksum,
  filePathIn,
  privateFolderOptions,
  syncFolder,
  writeHashed,
} from './backup-folder.ts'
import {
  type BackedUpFile,
  type FileListWriter,
  type FileLookup,
  type Manifest,
  openFileLookup,
  readFileList,
} from './backup-manifest.ts'
import { namedFilesSql } from './backup-tables.ts'

export interface NamedFile {
  key: string
  /** As the row says. */
  bytes: number | null
  type: string
  photoId: string | null
  userId: string | null
}

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

const restoresAtOnce = { disk: 4, s3: 8 } as const

interface RestoringFiles {
  client: Client
  storage: Storage
  dir: string
  manifest: Manifest
  /** Keys of files that are damaged in the backup. */
  damagedKeys: ReadonlySet<string>
  progress: Progress
}

/** The keys that rows still refer to, now that the erasures have been replayed. */
async function stillNamed(client: Client, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await client.query<{ key: string }>(
    `select key from (${namedFilesSql}) named where key = any ($1)`,
    [keys],
  )
  return new Set(rows.map(({ key }) => key))
}

/** Stores a file and compares its checksum on the way; a file that differs is not stored. */
async function storeFile({ storage, dir }: RestoringFiles, file: BackedUpFile): Promise<void> {
  const path = filePathIn(dir, file.key)
  const changed = new StartupError(`${path} changed while it was being restored. Run the restore again.`)
  const checked = expectChecksum(file, changed)
  // Errors reach the store through `checked`.
  pipeline(createReadStream(path, { highWaterMark: 256 * 1024 }), checked, () => {})
  await storeStream(storage, file.key, { source: checked, type: file.type })
}

export interface RestoredFiles {
  files: number
  bytes: number
  /** Files in the backup that no row refers to any more, since their owners have been erased. */
  leftOut: number
  /** Keys that rows name and whose files are damaged in the backup. */
  damaged: string[]
}

/** Copies the files that rows name into the store. Those that are there already, with their size, stay as they are. */
export async function restoreFiles(options: RestoringFiles): Promise<RestoredFiles> {
  const { client, storage, dir, manifest, damagedKeys, progress } = options
  const restored: RestoredFiles = { files: 0, bytes: 0, leftOut: 0, damaged: [] }
  progress.step('files')
  for (const { file: list } of manifest.fileLists) {
    for await (const page of pagesOf(readFileList(join(backupsIn(dir), manifest.name, list)), pageSize)) {
      const named = await stillNamed(
        client,
        page.map(({ key }) => key),
      )
      restored.leftOut += page.length - named.size
      await forEachConcurrently(page, restoresAtOnce[storage.kind], async (file) => {
        if (!named.has(file.key)) return
        if ((await storage.sizeOf(file.key)) !== file.bytes) {
          if (damagedKeys.has(file.key)) return void restored.damaged.push(file.key)
          await storeFile(options, file)
        }
        restored.files += 1
        restored.bytes += file.bytes
      })
      progress.count(restored.files, Math.max(restored.files, manifest.files - restored.leftOut))
    }
  }
  return restored
}

/** Keys that rows name and that were not in the backup: the store did not have them when it was made. */
export async function findMissing({ client, dir, manifest }: RestoringFiles): Promise<string[]> {
  const lists = manifest.fileLists.map(({ file }) => join(backupsIn(dir), manifest.name, file))
  const lookup = await openFileLookup(lists)
  const missing: string[] = []
  await client.query(`begin; declare named cursor for select key from (${namedFilesSql}) named order by key`)
  for (let isLast = false; !isLast;) {
    const { rows } = await client.query<{ key: string }>(`fetch ${pageSize} from named`)
    for (const { key } of rows) if (!(await lookup.find(key))) missing.push(key)
    isLast = rows.length < pageSize
  }
  await client.query('commit')
  await lookup.close()
  return missing
}
