import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { Deps } from '../../deps.ts'
import { hashOf, newId } from '../../domain/ids.ts'
import { forgetObjects, newKey } from '../../domain/objects.ts'
import { writeLetter } from '../../letters/write.ts'
import {
  accountFacts,
  brandFilesOf,
  consentsOf,
  filesOf,
  insightsCsv,
  photosCsv,
  photosOf,
  reportsOf,
  requestsCsv,
  type ArchivedFile,
} from './contents.ts'
import { claimArchive, earlierArchives, finishArchive } from './queries.ts'

type Parts = Pick<Deps, 'db' | 'storage' | 'addresses'>

/** A zip that is being written, one entry after the other, nothing of it in memory. Photos do not shrink: it is stored. */
function openZip() {
  const zip = new ZipFile()
  const out = zip.outputStream as Readable // a PassThrough, as the library says
  const broken = new AbortController()
  zip.on('error', (error: Error) => out.destroy(error))
  return {
    out,
    broken,
    async stream(name: string, source: Readable): Promise<void> {
      zip.addReadStream(source, name, { compress: false })
      try {
        await finished(source, { writable: false, signal: broken.signal })
      } finally {
        source.destroy()
      }
    },
    json: (name: string, value: unknown): void =>
      zip.addBuffer(Buffer.from(`${JSON.stringify(value, null, 2)}\n`), name, { compress: false }),
    text: (name: string, value: string): void => zip.addBuffer(Buffer.from(value), name, { compress: false }),
    end: () => zip.end(),
  }
}
type Zip = ReturnType<typeof openZip>

/** Adds a stored file; false when it is no longer there, as after a photo was deleted meanwhile. */
async function addFile(storage: Parts['storage'], zip: Zip, { key, name }: ArchivedFile): Promise<boolean> {
  const source = await storage.open(key)
  if (source) await zip.stream(name, source)
  return source !== null
}

async function fill({ db, storage }: Parts, zip: Zip, userId: string): Promise<void> {
  zip.json('account.json', await accountFacts(db, userId))
  zip.json('consents.json', await consentsOf(db, userId))
  zip.json('reports.json', await reportsOf(db, userId))
  await zip.stream('requests.csv', Readable.from(requestsCsv(db, userId)))
  await zip.stream('insights.csv', Readable.from(insightsCsv(db, userId)))
  await zip.stream('photos.csv', Readable.from(photosCsv(db, userId)))
  const missing: string[] = []
  for (const file of await brandFilesOf(db, userId)) if (!(await addFile(storage, zip, file))) missing.push(file.name)
  for await (const photo of photosOf(db, userId))
    for (const file of filesOf(photo)) if (!(await addFile(storage, zip, file))) missing.push(file.name)
  if (missing.length)
    zip.text('left-out.txt', `Deleted or replaced while this archive was being made:\n${missing.join('\n')}\n`)
  zip.end()
}

/** Writes the archive into the store as it is put together; its size in bytes. */
async function store(parts: Parts, userId: string, key: string): Promise<number> {
  const zip = openZip()
  const put = parts.storage.put(key, zip.out, { type: 'application/zip' })
  put.catch(() => zip.broken.abort())
  try {
    await fill(parts, zip, userId)
  } catch (error) {
    zip.out.destroy(error instanceof Error ? error : new Error('the archive could not be filled'))
    // When it was the store that gave up, its own words are the better ones.
    await put
    throw error
  }
  return put
}

async function drop({ db, storage }: Parts, keys: readonly string[]): Promise<void> {
  await storage.remove(keys)
  await forgetObjects(db, keys)
}

/** Makes an archive and writes the letter that brings its link. May run twice: the last attempt holds. */
export async function buildArchive(parts: Parts, id: string): Promise<void> {
  const { db, addresses } = parts
  const key = newKey('archive')
  const userId = await claimArchive(db, id, key)
  if (userId === undefined) return
  await drop(parts, await earlierArchives(db, userId, key))
  const bytes = await store(parts, userId, key)
  const isOurs = await db.transaction().execute(async (tx) => {
    const secretHash = hashOf(addresses.accountSecret('archive', id))
    const email = await finishArchive(tx, { id, userId, key, bytes, secretHash })
    if (email === undefined) return false
    const facts = { archiveId: id }
    await writeLetter(tx, { id: newId(), kind: 'archive', userId, email, facts })
    return true
  })
  if (!isOurs) await drop(parts, [key])
}
