import { Readable } from 'node:stream'
import { canonicalTimeZone } from '@keepsnap/contract/time-zones.ts'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { languageOfUser } from '../../domain/email-context.ts'
import { cleanFilename } from '../../domain/filenames.ts'
import { newStorageKey, unregisterKeys } from '../../domain/stored-objects.ts'
import { queueEmail } from '../../emails/queue-email.ts'
import { enqueue } from '../../jobs/queue.ts'
import { createCsvWriter } from '../../lib/csv.ts'
import { hashOf, newId } from '../../lib/ids.ts'
import { writeZip, type ZipContent } from '../../lib/zip.ts'
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

/** What an archive contains, as it is added. Photos are those of its table; those that come meanwhile are named. */
async function* archiveContents(
  { db, storage, guestRenderer }: ArchiveSources,
  userId: string,
): AsyncGenerator<ZipContent> {
  const modifiedAt = new Date()
  const json = (name: string, value: unknown): ZipContent => ({
    name,
    modifiedAt,
    content: Buffer.from(`${JSON.stringify(value, null, 2)}\n`),
  })
  const csv = createCsvWriter(await languageOfUser(db, userId), guestRenderer.translateCsv)
  yield json('account.json', await archivedAccountOf(db, userId))
  yield json('consents.json', await archivedConsentsOf(db, userId))
  yield json('billing.json', await archivedBillingOf(db, userId))
  yield json('reports.json', await archivedReportsOf(db, userId))
  yield json('support-messages.json', await archivedSupportMessagesOf(db, userId))
  yield json('webhooks.json', await archivedWebhooksOf(db, userId))
  yield { name: 'webhook-deliveries.csv', modifiedAt, content: webhookDeliveriesCsv(csv, db, userId) }
  yield { name: 'requests.csv', modifiedAt, content: requestsCsv(csv, db, userId) }
  yield { name: 'insights.csv', modifiedAt, content: insightsCsv(csv, db, userId) }
  const listed = new Set<string>()
  yield { name: 'photos.csv', modifiedAt, content: photosCsv(csv, db, userId, listed) }
  const missingFiles: string[] = []
  const open = async ({ key, name }: ArchivedFile, at: Date): Promise<ZipContent[]> => {
    const content = await storage.open(key)
    if (content) return [{ name, modifiedAt: at, content }]
    missingFiles.push(name)
    return []
  }
  for (const file of await archivedBrandFilesOf(db, userId)) yield* await open(file, modifiedAt)
  for await (const photo of archivedPhotosOf(db, userId))
    if (listed.has(photo.id)) for (const file of archivedFilesOf(photo)) yield* await open(file, photo.created_at)
  const newPhotos: string[] = []
  for await (const photo of archivedPhotosOf(db, userId))
    if (!listed.has(photo.id)) newPhotos.push(`${photo.created_at.toISOString()} ${cleanFilename(photo.filename)}`)
  const leftOut = [
    ['Deleted or replaced while this archive was being created:', missingFiles],
    ['Uploaded while this archive was being created:', newPhotos],
  ] as const
  const text = leftOut.flatMap(([title, names]) => (names.length > 0 ? [title, ...names, ''] : [])).join('\n')
  if (text !== '') yield { name: 'left-out.txt', modifiedAt, content: Buffer.from(text) }
}

/** The archive of an account as bytes that are made while they are read; nothing of it is stored. */
export function streamArchive(deps: ArchiveSources, userId: string): Readable {
  async function* bytes(): AsyncGenerator<Buffer> {
    const user = await deps.db.selectFrom('users').select('time_zone').where('id', '=', userId).executeTakeFirst()
    yield* writeZip(archiveContents(deps, userId), { timeZone: canonicalTimeZone(user?.time_zone ?? '') ?? 'UTC' })
  }
  return Readable.from(bytes(), { objectMode: false })
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
  const source = streamArchive(deps, userId)
  const bytes = await storeStream(deps.storage, key, { source, type: 'application/zip' })
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
