import { Readable } from 'node:stream'
import type { Dependencies } from '../../dependencies.ts'
import { newStorageKey, unregisterKeys } from '../../domain/stored-objects.ts'
import { queueEmail } from '../../emails/queue-email.ts'
import { hashOf, newId } from '../../lib/ids.ts'
import { storeStream } from '../../ports/storage/storage.ts'
import {
  accountOf,
  brandFilesOf,
  consentsOf,
  filesOf,
  insightsCsv,
  photosCsv,
  photosOf,
  reportsOf,
  requestsCsv,
  type ArchivedFile,
} from './archive-contents.ts'
import { claimArchive, finishArchive, otherArchiveKeys } from './queries.ts'
import { createZipStream, type ZipStream } from './zip-stream.ts'

type ArchiveDependencies = Pick<Dependencies, 'db' | 'storage' | 'tokens'>

/** Adds a stored file; false when it no longer exists, for example because its photo was deleted meanwhile. */
async function addFile(
  storage: ArchiveDependencies['storage'],
  zip: ZipStream,
  { key, name }: ArchivedFile,
): Promise<boolean> {
  const source = await storage.open(key)
  if (source) await zip.addStream(name, source)
  return source !== null
}

async function fillArchive({ db, storage }: ArchiveDependencies, zip: ZipStream, userId: string): Promise<void> {
  zip.addJson('account.json', await accountOf(db, userId))
  zip.addJson('consents.json', await consentsOf(db, userId))
  zip.addJson('reports.json', await reportsOf(db, userId))
  await zip.addStream('requests.csv', Readable.from(requestsCsv(db, userId)))
  await zip.addStream('insights.csv', Readable.from(insightsCsv(db, userId)))
  await zip.addStream('photos.csv', Readable.from(photosCsv(db, userId)))
  const missing: string[] = []
  for (const file of await brandFilesOf(db, userId)) if (!(await addFile(storage, zip, file))) missing.push(file.name)
  for await (const photo of photosOf(db, userId))
    for (const file of filesOf(photo)) if (!(await addFile(storage, zip, file))) missing.push(file.name)
  if (missing.length)
    zip.addText('left-out.txt', `Deleted or replaced while this archive was being created:\n${missing.join('\n')}\n`)
  zip.end()
}

/** Streams the archive into the store while it is created; its size in bytes. */
async function storeArchive(deps: ArchiveDependencies, userId: string, key: string): Promise<number> {
  const zip = createZipStream()
  const stored = storeStream(deps.storage, key, { source: zip.output, type: 'application/zip' })
  stored.catch(() => zip.abort())
  try {
    await fillArchive(deps, zip, userId)
  } catch (error) {
    zip.output.destroy(error instanceof Error ? error : new Error('the archive could not be created'))
    // When the store failed first, its error is the cause.
    await stored
    throw error
  }
  return stored
}

async function deleteObjects({ db, storage }: ArchiveDependencies, keys: readonly string[]): Promise<void> {
  await storage.remove(keys)
  await unregisterKeys(db, keys)
}

/** Creates an archive and queues the email with its link. May run twice: the last attempt wins. */
export async function buildArchive(deps: ArchiveDependencies, id: string): Promise<void> {
  const { db, tokens } = deps
  const key = newStorageKey('archive')
  const userId = await claimArchive(db, id, key)
  if (userId === undefined) return
  await deleteObjects(deps, await otherArchiveKeys(db, userId, key))
  const bytes = await storeArchive(deps, userId, key)
  const isCurrent = await db.transaction().execute(async (tx) => {
    const secretHash = hashOf(tokens.account('archive', id))
    const email = await finishArchive(tx, { id, userId, key, bytes, secretHash })
    if (email === undefined) return false
    const payload = { archiveId: id }
    await queueEmail(tx, { id: newId(), kind: 'archive', userId, recipient: email, payload })
    return true
  })
  if (!isCurrent) await deleteObjects(deps, [key])
}
