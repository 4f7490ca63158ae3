import { join } from 'node:path'
import type { Client } from 'pg'
import { isId } from '../lib/ids.ts'
import type { Storage } from '../ports/storage/storage.ts'
import { copyToFile } from './connection.ts'
import { copyFiles, nothingCopied, readNamedFiles, type CopiedFiles, type NamedFile } from './copy-files.ts'
import { dumpTable } from './dump-tables.ts'
import { fileListNames, openFileLookup, openFileListWriter } from './file-lists.ts'
import type { Manifest, TableFile } from './manifest.ts'
import { namedFilesSql } from './named-files.ts'
import type { Progress } from './progress.ts'

/** If more files than this are missing, they were not deleted during the backup: the store has lost them. */
const changedMax = 10_000
const rounds = 5

interface ChangedOptions {
  client: Client
  storage: Storage
  dir: string
  folder: string
  tables: readonly TableFile[]
  knownLists: readonly string[]
  progress: Progress
}

export interface ChangedRows {
  changed: Manifest['changed']
  copied: CopiedFiles
  /** Files that rows still name and that are not stored. */
  missing: NamedFile[]
}

const inList = (ids: readonly string[]): string => `in (${['', ...ids.filter(isId)].map((id) => `'${id}'`).join()})`

/** The rows of these photos and accounts as they are now, and the files that these name. */
async function dumpChanged(
  { client, folder, tables }: ChangedOptions,
  { photoIds, userIds }: { photoIds: string[]; userIds: string[] },
): Promise<{ dumped: TableFile[]; named: string; count: number }> {
  const [ofPhoto, ofUser] = [inList(photoIds), inList(userIds)]
  const conditions: Record<string, string> = {
    photos: `id ${ofPhoto}`,
    stored_objects: `photo_id ${ofPhoto} or user_id ${ofUser}`,
    brand_images: `user_id ${ofUser}`,
    archives: `user_id ${ofUser}`,
  }
  const dumped: TableFile[] = []
  await client.query('begin isolation level repeatable read read only')
  for (const [name, where] of Object.entries(conditions)) {
    const { columns = [] } = tables.find(({ table }) => table === name) ?? {}
    dumped.push(await dumpTable(client, { name, columns }, { folder, file: `changed-${name}.tsv`, where }))
  }
  const query = `select * from (${namedFilesSql}) named where photo_id ${ofPhoto} or user_id ${ofUser} order by 1`
  const { file, rows } = await copyToFile(client, query, { folder, file: 'changed-named-files.txt' })
  await client.query('commit')
  return { dumped, named: join(folder, file), count: rows }
}

/** Those that the first list does not have. */
async function* notIn(list: string, files: AsyncIterable<NamedFile>): AsyncGenerator<NamedFile> {
  const lookup = await openFileLookup([list])
  for await (const file of files) if (!(await lookup.find(file.key))) yield file
  await lookup.close()
}

const idsOf = (files: readonly NamedFile[], field: 'photoId' | 'userId'): string[] => [
  ...new Set(files.flatMap((file) => file[field] ?? [])),
]
const isSame = (one: readonly NamedFile[], other: readonly NamedFile[]): boolean =>
  one.length === other.length && one.every(({ key }, at) => key === other[at]?.key)

/**
 * Files can be deleted or replaced between the snapshot and their copying: a photo was processed, deleted or got
 * another watermark. Reads the rows of these photos and accounts again and copies the files that they name now, until
 * nothing is missing or the same files are missing twice in a row.
 */
export async function copyChanged(options: ChangedOptions, absent: readonly NamedFile[]): Promise<ChangedRows> {
  const { storage, dir, folder, knownLists, progress } = options
  const considered = absent.slice(0, changedMax)
  const changed = { photoIds: idsOf(considered, 'photoId'), userIds: idsOf(considered, 'userId'), tables: [] }
  const [firstList, listPath] = [join(folder, fileListNames[0]), join(folder, fileListNames[1])]
  let result: ChangedRows = { changed, copied: nothingCopied(), missing: [] }
  await (await openFileListWriter(listPath)).close()
  let before: readonly NamedFile[] = considered
  for (let round = 0; round < rounds && before.length > 0; round++) {
    const { dumped, named, count } = await dumpChanged(options, changed)
    const known = await openFileLookup(knownLists)
    const list = await openFileListWriter(listPath)
    const copied = await copyFiles(
      { storage, dir, known, list, progress },
      notIn(firstList, readNamedFiles(named)),
      count,
    )
    await list.close()
    await known.close()
    const missing = copied.absent
    result = { changed: { ...changed, tables: dumped }, copied, missing }
    if (isSame(before, missing)) break
    before = missing
  }
  return { ...result, missing: [...result.missing, ...absent.slice(changedMax)] }
}
