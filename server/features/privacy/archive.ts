import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { languageOfUser } from '../../domain/email-context.ts'
import { newStorageKey, unregisterKeys } from '../../domain/stored-objects.ts'
import { queueEmail } from '../../emails/queue-email.ts'
import { enqueue } from '../../jobs/queue.ts'
import { createCsvWriter } from '../../lib/csv.ts'
import { hashOf, newId } from '../../lib/ids.ts'
import { publish } from '../../live/bus.ts'
import { storeStream } from '../../ports/storage/storage.ts'
import {
  archivedAccountOf,
  archivedBrandFilesOf,
  archivedConsentsOf,
  type ArchivedFile,
  archivedFilesOf,
  archivedPhotosOf,
  archivedReportsOf,
  archivedSupportMessagesOf,
  insightsCsv,
  photosCsv,
  requestsCsv,
} from './archive-contents.ts'
import { archivedWebhooksOf, webhookDeliveriesCsv } from './archived-webhooks.ts'
import {
  claimArchive,
  deleteExpiredArchiveRows,
  finishArchive,
  hasRecentArchive,
  lockArchiveOwner,
  otherArchiveKeys,
  requestArchive,
  takeBackArchive,
} from './queries.ts'

type ArchiveDependencies = Pick<Dependencies, 'db' | 'storage' | 'tokens' | 'guestRenderer'>
/** What the contents of an archive are read from, and translated with. */
type ArchiveSources = Pick<ArchiveDependencies, 'db' | 'storage' | 'guestRenderer'>

/** Adds a stored file; false when it no longer exists, for example because its photo was deleted meanwhile. */
async function addArchivedFile(
  storage: ArchiveDependencies['storage'],
  zip: ZipStream,
  { key, name }: ArchivedFile,
): Promise<boolean> {
  const source = await storage.open(key)
  if (source) await zip.addStream(name, source)
  return source !== null
}

async function fillArchive(
  { db, storage, guestRenderer }: ArchiveSources,
  zip: ZipStream,
  userId: string,
): Promise<void> {
  const csv = createCsvWriter(await languageOfUser(db, userId), guestRenderer.translateCsv)
  zip.addJson('account.json', await archivedAccountOf(db, userId))
  zip.addJson('consents.json', await archivedConsentsOf(db, userId))
  zip.addJson('billing.json', await archivedBillingOf(db, userId))
  zip.addJson('reports.json', await archivedReportsOf(db, userId))
  zip.addJson('support-messages.json', await archivedSupportMessagesOf(db, userId))
  zip.addJson('webhooks.json', await archivedWebhooksOf(db, userId))
  await zip.addStream('webhook-deliveries.csv', Readable.from(webhookDeliveriesCsv(csv, db, userId)))
  await zip.addStream('requests.csv', Readable.from(requestsCsv(csv, db, userId)))
  await zip.addStream('insights.csv', Readable.from(insightsCsv(csv, db, userId)))
  await zip.addStream('photos.csv', Readable.from(photosCsv(csv, db, userId)))
  const missingFiles: string[] = []
  for (const file of await archivedBrandFilesOf(db, userId))
    if (!(await addArchivedFile(storage, zip, file))) missingFiles.push(file.name)
  for await (const photo of archivedPhotosOf(db, userId))
    for (const file of archivedFilesOf(photo))
      if (!(await addArchivedFile(storage, zip, file))) missingFiles.push(file.name)
  if (missingFiles.length)
    zip.addText(
      'left-out.txt',
      `Deleted or replaced while this archive was being created:\n${missingFiles.join('\n')}\n`,
    )
  zip.end()
}

/** The archive of an account as bytes that are made while they are read, for an operator; nothing of it is stored. */
export function streamArchive(deps: ArchiveSources, userId: string): Readable {
  const zip = createZipStream()
  zip.output.once('close', () => zip.abort())
  fillArchive(deps, zip, userId).catch((error: unknown) =>
    zip.output.destroy(error instanceof Error ? error : new Error('the archive could not be created')),
  )
  return zip.output
}

/** Streams the archive into the store while it is created; its size in bytes. */
async function storeArchive(deps: ArchiveDependencies, userId: string, key: string): Promise<number> {
  const zip = createZipStream()
  const archiveUpload = storeStream(deps.storage, key, { source: zip.output, type: 'application/zip' })
  archiveUpload.catch(() => zip.abort())
  try {
    await fillArchive(deps, zip, userId)
  } catch (error) {
    zip.output.destroy(error instanceof Error ? error : new Error('the archive could not be created'))
    // When the store failed first, its error is the cause.
    await archiveUpload
    throw error
  }
  return archiveUpload
}

async function deleteArchiveObjects(
  { db, storage }: Pick<ArchiveDependencies, 'db' | 'storage'>,
  keys: readonly string[],
): Promise<void> {
  await storage.remove(keys)
  await unregisterKeys(db, keys)
}

/** Creates an archive and queues the email with its link. May run twice: the last attempt wins. */
export async function buildArchive(deps: ArchiveDependencies, id: string): Promise<void> {
  const { db, tokens } = deps
  const key = newStorageKey('archive')
  const userId = await claimArchive(db, id, key)
  if (userId === undefined) return
  await deleteArchiveObjects(deps, await otherArchiveKeys(db, userId, key))
  const bytes = await storeArchive(deps, userId, key)
  const isCurrentAttempt = await db.transaction().execute(async (tx) => {
    const secretHash = hashOf(tokens.account('archive', id))
    const email = await finishArchive(tx, { id, userId, key, bytes, secretHash })
    if (email === undefined) return false
    if (email === null) return true
    const payload = { archiveId: id }
    await queueEmail(tx, { id: newId(), kind: 'archive', userId, recipient: email, payload })
    return true
  })
  if (!isCurrentAttempt) await deleteArchiveObjects(deps, [key])
}

/** Deletes expired archives and their bytes. */
export async function deleteExpiredArchives(deps: Pick<ArchiveDependencies, 'db' | 'storage'>): Promise<void> {
  await deleteArchiveObjects(deps, await deleteExpiredArchiveRows(deps.db))
}

const maxRows = 1_000

/**
 * What is known here of what an account paid: subscriptions, checkouts, money refunded and disputes. Cards, and invoices with their
 * addresses, are at the payment provider only.
 */
export async function archivedBillingOf(db: Db, userId: string) {
  const customers = await db
    .selectFrom('billing_customers')
    .select(['customer_id', 'provider', 'created_at', 'first_paid_at'])
    .where('user_id', '=', userId)
    .execute()
  // One that no customer has, because `in` needs at least one value.
  const ids = ['', ...customers.map(({ customer_id: id }) => id)]
  const subscriptions = db
    .selectFrom('subscriptions')
    .select(['id', 'customer_id', 'plan', 'status', 'cancel_at_period_end', 'current_period_start'])
    .select(['current_period_end', 'started_at', 'ended_at'])
    .where('customer_id', 'in', ids)
    .orderBy('started_at')
  const checkouts = db
    .selectFrom('checkouts')
    .select(['id', 'customer_id', 'price_id', 'state', 'created_at'])
    .where('customer_id', 'in', ids)
    .orderBy('created_at')
  const refunds = db
    .selectFrom('refunds')
    .select(['id', 'customer_id', 'reason', 'amount_cents', 'requested_at', 'done_at'])
    .where('customer_id', 'in', ids)
    .orderBy('requested_at')
  const disputes = db
    .selectFrom('disputes')
    .select(['id', 'customer_id', 'state', 'reason', 'amount_cents', 'opened_at'])
    .where('customer_id', 'in', ids)
    .orderBy('opened_at')
  const events = db
    .selectFrom('billing_effects')
    .select(['kind', 'subject', 'happened_at'])
    .where('user_id', '=', userId)
    .orderBy('happened_at')
  return {
    customers,
    subscriptions: await subscriptions.limit(maxRows).execute(),
    checkouts: await checkouts.limit(maxRows).execute(),
    refunds: await refunds.limit(maxRows).execute(),
    disputes: await disputes.limit(maxRows).execute(),
    emails: await events.limit(maxRows).execute(),
  }
}

/** A zip file that is created while it is read, one entry after the other, without buffering them in memory. */
interface ZipStream {
  output: Readable
  /** Resolves when the source was read to its end, and closes it. */
  addStream(name: string, source: Readable): Promise<void>
  addJson(name: string, value: unknown): void
  addText(name: string, text: string): void
  end(): void
  /** Makes `addStream` reject, because nobody reads the output any more. */
  abort(): void
}

/** Photos are compressed already, so entries are stored. */
const uncompressed = { compress: false }

export function createZipStream(): ZipStream {
  const zipFile = new ZipFile()
  const output = zipFile.outputStream as Readable // documented as a PassThrough
  const zipAborted = new AbortController()
  zipFile.on('error', (error: Error) => output.destroy(error))
  return {
    output,
    async addStream(name, source) {
      zipFile.addReadStream(source, name, uncompressed)
      try {
        await finished(source, { writable: false, signal: zipAborted.signal })
      } finally {
        source.destroy()
      }
    },
    addJson: (name, value) => zipFile.addBuffer(Buffer.from(`${JSON.stringify(value, null, 2)}\n`), name, uncompressed),
    addText: (name, text) => zipFile.addBuffer(Buffer.from(text), name, uncompressed),
    end: () => zipFile.end(),
    abort: () => zipAborted.abort(),
  }
}

/** Replaces the archive of an account that may contain a photo which an operator has just hidden. */
export async function replaceArchiveWith(tx: Db, userId: string, photoId: string): Promise<void> {
  const id = await takeBackArchive(tx, userId, photoId)
  if (id === undefined) return
  await enqueue(tx, { name: 'build-archive', payload: { archiveId: id }, key: `archive:${id}` })
  await publish(tx, { kind: 'user', user: userId })
}

/** Queues an archive that the owner did not request; no email announces it. Does nothing if there is a recent one. */
export async function prepareArchive(db: Db, userId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!(await lockArchiveOwner(tx, userId)) || (await hasRecentArchive(tx, userId))) return
    await requestArchive(tx, { userId, isAnnounced: false })
  })
}
