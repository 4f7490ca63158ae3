import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { accountLimits, adminLimits } from '@keepsnap/contract/limits.ts'
import { canonicalTimeZone } from '@keepsnap/contract/languages.ts'
import { exportUser } from '@keepsnap/contract/operators.ts'
import { type Archive, downloadExport, exportState, requestExport } from '@keepsnap/contract/security.ts'
import type { Db } from '../../platform/db/connect.ts'
import { archiveMinDays } from '../plans/over-limit-photos.ts'
import { storedBytes } from '../plans/plans.ts'
import { newStorageKey, registerKeysForUser, unregisterKeys } from '../photos/stored-objects.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import { hashOf, isId, isSecret, newId } from '../../lib/ids.ts'
import type { Dependencies } from '../../dependencies.ts'
import { languageOfUser } from '../emails/compose.ts'
import { cleanFilename } from '../photos/filenames.ts'
import { queueEmail } from '../emails/queue-email.ts'
import { createCsvWriter } from '../../lib/csv.ts'
import { writeZip, type ZipContent } from '../../lib/zip.ts'
import { publish } from '../../platform/live/bus.ts'
import { storeStream } from '../../ports/storage/storage.ts'
import { actAsOperator, userSubject } from '../operators/audit-log.ts'
import { contentDisposition } from '../../lib/headers.ts'
import { Fault } from '../../faults.ts'
import { endWhenWithdrawn, redirectOrSendObject, sendObject } from '../../platform/http/send-object.ts'
import { countRateHit } from '../../platform/http/rate-limits.ts'
import type { Serve } from '../../platform/http/serve.ts'
import {
  archivedAccountOf,
  archivedEventActivityOf,
  archivedGuestPhotosOf,
  archivedBrandFilesOf,
  archivedConsentsOf,
  archivedEventsOf,
  type ArchivedFile,
  archivedFilesOf,
  archivedPhotosOf,
  archivedReportsOf,
  archivedSupportMessagesOf,
  archivedWithdrawalsOf,
  archivedWebhooksOf,
  insightsCsv,
  photosCsv,
  requestsCsv,
  webhookDeliveriesCsv,
} from './archive-contents.ts'

const exportLinkGone = (): Fault =>
  new Fault(
    'not_found',
    'This link has expired or a newer export has replaced it. You can export your data again in Settings.',
  )

/** Everything that an account contains, as one file; docs/security.md P8. */
export function privacyRoutes(
  serve: Serve,
  { db, storage, tokens, urls, mediaCache, guestRenderer }: Dependencies,
): void {
  serve(exportState, async (_, { actor }) => archiveView(await archiveOf(db, actor.userId)))

  serve(requestExport, async (_, { actor: { userId } }) => {
    await countRateHit(db, 'exports', userId)
    await db.transaction().execute((tx) => requestArchive(tx, { userId, isAnnounced: true }))
    return archiveView(await archiveOf(db, userId))
  })

  serve(exportUser, async ({ params: { user_id: userId }, body: { reason } }, { actor: operator }) => {
    const subject = isId(userId) ? await userSubject(db, userId) : undefined
    if (!subject) throw new Fault('not_found', 'There is no such account.')
    const expiresAt = Math.floor(Date.now() / 1000) + adminLimits.exportLinkMinutes * 60
    return actAsOperator(db, { operator, action: 'export account', subject, reason }, async () => ({
      url: urls.archiveDownload(tokens.operatorExports.token(userId, expiresAt)),
      expires_at: new Date(expiresAt * 1000).toISOString(),
    }))
  })

  serve(downloadExport, async ({ params }, { req, reply, client }) => {
    const ofOperator = tokens.operatorExports.read(params.secret)
    if (ofOperator && ofOperator.expiresAt * 1000 > Date.now() && (await userSubject(db, ofOperator.userId))) {
      reply.headers({
        'content-type': 'application/zip',
        'content-disposition': contentDisposition('attachment', archiveName(new Date())),
        'cache-control': 'no-store',
      })
      await reply.send(streamArchive({ db, storage, guestRenderer }, ofOperator.userId))
      return undefined
    }
    const archive = isSecret(params.secret)
      ? await readyArchives(db).where('archives.secret_hash', '=', hashOf(params.secret)).executeTakeFirst()
      : undefined
    if (!archive?.key || archive.bytes === null || archive.ready_at === null) {
      await countRateHit(db, 'unknownCodes', client)
      throw exportLinkGone()
    }
    const { id, key, userId } = archive
    endWhenWithdrawn(reply, {
      watch: (listener) => mediaCache.watch(`user ${userId}`, listener),
      // A taken back archive has another key, or none.
      async isOpen() {
        const current = await db.selectFrom('archives').select('key').where('id', '=', id).executeTakeFirst()
        return current === undefined || current.key === key
      },
    })
    const archiveObject = {
      key,
      bytes: archive.bytes,
      type: 'application/zip',
      cacheControl: 'no-store',
      disposition: contentDisposition('attachment', archiveName(archive.ready_at)),
    }
    // A resumed download (Range) is sent by this server: presigned URLs expire sooner than gigabytes can be downloaded.
    const send = req.headers.range === undefined ? redirectOrSendObject : sendObject
    await send(req, reply, { storage, object: archiveObject })
    return undefined
  })
}

const archiveName = (at: Date): string => `keepsnap-${at.toISOString().slice(0, 10)}.zip`
const isoOrNull = (date: Date | null): string | null => date?.toISOString() ?? null

function archiveView(archive: Awaited<ReturnType<typeof archiveOf>>): Archive {
  if (!archive) return { state: 'none', requested_at: null, ready_at: null, expires_at: null, size_bytes: null }
  return {
    state: archive.state as Archive['state'], // a check of the table allows no other
    requested_at: isoOrNull(archive.requested_at),
    ready_at: isoOrNull(archive.ready_at),
    expires_at: isoOrNull(archive.expires_at),
    size_bytes: archive.bytes,
  }
}

/** The archive that a user requested last, unless its link has expired. */
const archiveOf = (db: Db, userId: string) =>
  db
    .selectFrom('archives')
    .select(['state', 'requested_at', 'ready_at', 'expires_at', 'bytes'])
    .where('user_id', '=', userId)
    .where(sql<boolean>`(expires_at is null or expires_at > now())`)
    .executeTakeFirst()

/** Larger ones are created one after the other, so that a small one never waits for all workers. */
const largeArchiveBytes = 2_000_000_000

/**
 * Requests a new archive with its job; it replaces the old one, whose link stops working. Nothing new while one is being created, which is
 * then announced by email if this one was to be.
 */
async function requestArchive(
  tx: Db,
  { userId, isAnnounced }: { userId: string; isAnnounced: boolean },
): Promise<void> {
  const id = newId()
  const { rows: requestedArchives } = await sql`
    insert into archives (user_id, id, state, is_announced) values (${userId}, ${id}, 'queued', ${isAnnounced})
    on conflict (user_id) do update set id = excluded.id, state = 'queued', secret_hash = null, key = null, bytes = null,
      is_announced = excluded.is_announced, requested_at = now(), ready_at = null, expires_at = null
      where archives.state <> 'queued'
    returning id`.execute(tx)
  if (requestedArchives.length > 0) {
    const { rows } = await sql<{ bytes: string }>`
      select ${storedBytes} as bytes from photos where user_id = ${userId} and deleted_at is null`.execute(tx)
    const sequence = Number(rows[0]?.bytes) > largeArchiveBytes ? 'large-archives' : undefined
    await enqueue(tx, { name: 'build-archive', payload: { archiveId: id }, key: `archive:${id}`, sequence })
  } else if (isAnnounced) await sql`update archives set is_announced = true where user_id = ${userId}`.execute(tx)
}

/**
 * Locks an account against deletion; its email address, or undefined when it is deleted. Called before any row of the
 * account is written: deletion locks them in the same order, which prevents deadlocks.
 */
const lockArchiveOwner = (tx: Db, userId: string) =>
  tx.selectFrom('users').select('email').where('id', '=', userId).forKeyShare().executeTakeFirst()

/** Claims a requested archive for this attempt; its user, or undefined when it was replaced, finished or deleted. */
async function claimArchive(db: Db, id: string, key: string): Promise<string | undefined> {
  return db.transaction().execute(async (tx) => {
    const foundArchive = await tx.selectFrom('archives').select('user_id').where('id', '=', id).executeTakeFirst()
    if (!foundArchive || !(await lockArchiveOwner(tx, foundArchive.user_id))) return undefined
    const claimedArchive = await tx
      .updateTable('archives')
      .set({ key })
      .where('id', '=', id)
      .where('state', '=', 'queued')
      .returning('user_id')
      .executeTakeFirst()
    if (claimedArchive) await registerKeysForUser(tx, claimedArchive.user_id, [key])
    return claimedArchive?.user_id
  })
}

/** Marks an archive as ready; the address to announce it to, null if nobody asked for it. Undefined when this attempt is no longer current. */
async function finishArchive(
  tx: Db,
  archive: { id: string; userId: string; key: string; bytes: number; secretHash: Buffer },
): Promise<string | null | undefined> {
  const user = await lockArchiveOwner(tx, archive.userId)
  const finished = await tx
    .updateTable('archives')
    .set({
      state: 'ready',
      bytes: archive.bytes,
      secret_hash: archive.secretHash,
      ready_at: sql<Date>`now()`,
      expires_at: sql<Date>`now() + make_interval(days => ${accountLimits.exportDays})`,
    })
    .where('id', '=', archive.id)
    .where('key', '=', archive.key)
    .where('state', '=', 'queued')
    .returning('is_announced')
    .executeTakeFirst()
  if (!finished) return undefined
  return finished.is_announced ? user?.email : null
}

const readyArchives = (db: Db) =>
  db
    .selectFrom('archives')
    .innerJoin('users', 'users.id', 'archives.user_id')
    .select([
      'archives.id',
      'archives.user_id as userId',
      'archives.key',
      'archives.bytes',
      'archives.ready_at',
      'archives.expires_at',
      'archives.secret_hash',
    ])
    .where('archives.state', '=', 'ready')
    .where('archives.expires_at', '>', sql<Date>`now()`)
    .where('users.is_active', '=', true)

/** A ready archive, by its id. */
export const archiveById = (db: Db, id: string) => readyArchives(db).where('archives.id', '=', id).executeTakeFirst()

/** What the contents of an archive are read from, and translated with. */
type ArchiveSources = Pick<Dependencies, 'db' | 'storage' | 'guestRenderer'>

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
  const events = await archivedEventsOf(db, userId)
  const hasEvents = events.length > 0
  yield json('account.json', await archivedAccountOf(db, userId, { hasEvents }))
  if (hasEvents) yield json('events.json', events)
  yield json('consents.json', await archivedConsentsOf(db, userId))
  yield json('billing.json', await archivedBillingOf(db, userId))
  yield json('reports.json', await archivedReportsOf(db, userId))
  yield json('support-messages.json', await archivedSupportMessagesOf(db, userId))
  yield json('withdrawals.json', await archivedWithdrawalsOf(db, userId))
  yield json('webhooks.json', await archivedWebhooksOf(db, userId, { hasEvents }))
  yield { name: 'webhook-deliveries.csv', modifiedAt, content: webhookDeliveriesCsv(csv, db, userId) }
  yield { name: 'requests.csv', modifiedAt, content: requestsCsv(csv, db, userId) }
  yield { name: 'insights.csv', modifiedAt, content: insightsCsv(csv, db, userId) }
  const guestPhotos = await archivedGuestPhotosOf(db, userId)
  if (guestPhotos.length > 0) yield json('guest-photos.json', guestPhotos)
  const eventActivity = await archivedEventActivityOf(db, userId)
  if (eventActivity.length > 0) yield json('event-activity.json', eventActivity)
  const listed = new Set<string>()
  yield { name: 'photos.csv', modifiedAt, content: photosCsv(csv, db, { userId, events, listed }) }
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
  { db, storage }: Pick<Dependencies, 'db' | 'storage'>,
  keys: readonly string[],
): Promise<void> {
  await storage.remove(keys)
  await unregisterKeys(db, keys)
}

/** Creates an archive and queues the email with its link. May run twice: the last attempt wins. */
export async function buildArchive(deps: Dependencies, id: string): Promise<void> {
  const { db, tokens } = deps
  const key = newStorageKey('archive')
  const userId = await claimArchive(db, id, key)
  if (userId === undefined) return
  const others = await db
    .selectFrom('stored_objects')
    .select('key')
    .where('user_id', '=', userId)
    .where('key', 'like', 'archive/%')
    .where('key', '<>', key)
    .execute()
  await deleteArchiveObjects(
    deps,
    others.map((other) => other.key),
  )
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

/** Deletes expired archives and their bytes, and marks archives that have lost their job as failed. */
export async function deleteExpiredArchives({ db, storage }: Pick<Dependencies, 'db' | 'storage'>): Promise<void> {
  await sql`
    update archives set state = 'failed', key = null where state = 'queued' and requested_at < now() - interval '5 minutes'
      and not exists (select 1 from graphile_worker.jobs where jobs.key = 'archive:' || archives.id and jobs.attempts < jobs.max_attempts)`.execute(
    db,
  )
  const deleted = await db
    .deleteFrom('archives')
    .where('expires_at', '<', sql<Date>`now()`)
    .returning('key')
    .execute()
  await deleteArchiveObjects(
    { db, storage },
    deleted.flatMap(({ key }) => key ?? []),
  )
}

const maxRows = 1_000

/**
 * What is known here of what an account paid: subscriptions, checkouts, money refunded, disputes, and the business with its
 * invoices. Cards, and invoices of persons, are at the payment provider only.
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
  const invoices = db
    .selectFrom('business_invoices')
    .select(['kind', 'number', 'issued_at', 'currency', 'total_cents', 'eur_rate', 'document'])
    .where('customer_id', 'in', ids)
    .orderBy('issued_at')
  const events = db
    .selectFrom('billing_effects')
    .select(['kind', 'subject', 'happened_at'])
    .where('user_id', '=', userId)
    .orderBy('happened_at')
  const business = db
    .selectFrom('businesses')
    .select(['name', 'vat_number', 'street', 'postal_code', 'city', 'country', 'updated_at'])
    .where('user_id', '=', userId)
  return {
    customers,
    business: (await business.executeTakeFirst()) ?? null,
    subscriptions: await subscriptions.limit(maxRows).execute(),
    checkouts: await checkouts.limit(maxRows).execute(),
    refunds: await refunds.limit(maxRows).execute(),
    disputes: await disputes.limit(maxRows).execute(),
    business_invoices: await invoices.limit(maxRows).execute(),
    emails: await events.limit(maxRows).execute(),
  }
}

/**
 * Replaces the archive of an account, if it may contain a photo which an operator has just hidden: its bytes are no longer
 * sent, and it is made again under the same link. One that was announced is not announced again.
 */
export async function replaceArchiveWith(tx: Db, userId: string, photoId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update archives set state = 'queued', key = null, bytes = null, secret_hash = null, ready_at = null, expires_at = null,
      is_announced = is_announced and state = 'queued'
    where user_id = ${userId} and (state = 'ready' and expires_at > now() or state = 'queued' and key is not null)
      and (ready_at is null or ready_at > (select created_at from photos where id = ${photoId}))
    returning id`.execute(tx)
  const id = rows[0]?.id
  if (id === undefined) return
  await enqueue(tx, { name: 'build-archive', payload: { archiveId: id }, key: `archive:${id}` })
  await publish(tx, { kind: 'user', user: userId })
}

/** Queues an archive that the owner did not request; no email announces it. Does nothing if there is a recent one. */
export async function prepareArchive(db: Db, userId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!(await lockArchiveOwner(tx, userId))) return
    // One that an email can still link to, or that is being created.
    const { rows: recent } = await sql`
      select 1 from archives where user_id = ${userId}
        and (state = 'queued' or (state = 'ready' and expires_at > now() + make_interval(days => ${archiveMinDays})))`.execute(
      tx,
    )
    if (recent.length === 0) await requestArchive(tx, { userId, isAnnounced: false })
  })
}
