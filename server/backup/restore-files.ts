import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import type { Client } from 'pg'
import { forEachConcurrently } from '../lib/for-each-concurrently.ts'
import { storeStream, type Storage } from '../ports/storage/storage.ts'
import { StartupError } from '../runtime/startup-error.ts'
import { backupsIn, filePathIn } from './backup-folder.ts'
import { openFileLookup, pagesOf, readFileList, type BackedUpFile } from './file-lists.ts'
import { expectChecksum } from './hashed-files.ts'
import type { Manifest } from './manifest.ts'
import { namedFilesSql } from './named-files.ts'
import type { Progress } from './progress.ts'

const pageSize = 256
const copiesAtOnce = { disk: 4, s3: 8 } as const

export interface RestoringFiles {
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

/** The result of restoring files. */
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
      await forEachConcurrently(page, copiesAtOnce[storage.kind], async (file) => {
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
