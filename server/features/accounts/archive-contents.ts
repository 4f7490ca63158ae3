import { sql } from 'kysely'
import { webhookLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { CsvCell, CsvWriter } from '../../lib/csv.ts'
import { cleanFilename, extensionOf, maxArchivedNameBytes, ownerFilename } from '../photos/filenames.ts'

const archiveBatchSize = 500

/** The columns of a photo that its archive needs. */
export interface ArchivedPhoto {
  id: string
  filename: string
  state: string
  created_at: Date
  hidden: boolean
  operator_decision: string | null
  operator_decided_at: Date | null
  operator_message: string | null
  width: number | null
  height: number | null
  full_key: string | null
  full_type: string | null
  unmarked_key: string | null
  unmarked_type: string | null
  original_key: string | null
  event_id: string | null
  source: string
  review: string
  captured_at: Date | null
  consent: unknown
}

/** Every photo of a user, those that are not listed as well, read in pages. */
export async function* archivedPhotosOf(db: Db, userId: string): AsyncGenerator<ArchivedPhoto> {
  for (let after: ArchivedPhoto | undefined; ;) {
    const page: ArchivedPhoto[] = await db
      .selectFrom('photos')
      .select(['id', 'filename', 'state', 'created_at', 'width', 'height', 'full_key', 'full_type', 'unmarked_key'])
      .select(['unmarked_type', 'original_key', sql<boolean>`hidden_at is not null`.as('hidden')])
      .select(['operator_decision', 'operator_decided_at', 'operator_message'])
      .select(['event_id', 'source', 'review', 'captured_at', 'consent'])
      .where('user_id', '=', userId)
      .where('deleted_at', 'is', null)
      .where('state', '!=', 'receiving')
      .where(after ? sql<boolean>`id > ${after.id}` : sql<boolean>`true`)
      .orderBy('id')
      .limit(archiveBatchSize)
      .execute()
    yield* page
    if (page.length < archiveBatchSize) return
    after = page.at(-1)
  }
}

/** A stored file and its name in the archive. */
export interface ArchivedFile {
  key: string
  name: string
}

const namePrefixOf = ({ created_at: at, id }: ArchivedPhoto): string =>
  `${at.toISOString().slice(0, 16).replace('T', '-').replace(':', '')}-${id.slice(0, 8)}`

/**
 * The files of a photo, in a folder for each month: the full-size image, the one without a watermark, and the upload of one that failed. None of a photo that
 * an operator hid.
 */
export function archivedFilesOf(photo: ArchivedPhoto): ArchivedFile[] {
  if (photo.operator_decision === 'hide') return []
  const { full_key: full, unmarked_key: unmarked, original_key: original, filename } = photo
  const photoNamePrefix = namePrefixOf(photo)
  const maxBytes = maxArchivedNameBytes - photoNamePrefix.length - 1
  const month = photoNamePrefix.slice(0, 7)
  const nameFor = (type: string | null): string =>
    `${month}/${photoNamePrefix}-${ownerFilename(filename, type ?? 'image/jpeg', maxBytes)}`
  if (full === null)
    return original === null
      ? []
      : [{ key: original, name: `photos/${month}/${photoNamePrefix}-${cleanFilename(filename, maxBytes)}` }]
  return [
    { key: full, name: `photos/${nameFor(photo.full_type)}` },
    ...(unmarked === null ? [] : [{ key: unmarked, name: `photos/without-watermark/${nameFor(photo.unmarked_type)}` }]),
  ]
}

const photoColumns = [
  'Photo ID',
  'Name',
  'Uploaded (UTC)',
  'State',
  'Hidden from guests',
  'Width',
  'Height',
  'Files',
  'Decision of an operator',
  'Decided (UTC)',
  'Message of the operator',
] as const

/** Only in accounts that have events. */
const eventColumns = ['Event of the photo', 'Added by', 'Review', 'Taken (UTC)', 'Consent'] as const
const sourceNames: Record<string, string> = { owner: 'you', key: 'API key', guest: 'guest' }

/** A table of the photos; adds their ids to `listed`. */
export async function* photosCsv(
  csv: CsvWriter,
  db: Db,
  { userId, events, listed }: { userId: string; events: readonly ArchivedEvent[]; listed: Set<string> },
): AsyncGenerator<string> {
  const names = new Map(events.map(({ id, name }) => [id, name]))
  const eventCells = ({ event_id, source, review, captured_at, consent }: ArchivedPhoto): CsvCell[] => [
    event_id && (names.get(event_id) ?? event_id),
    csv.translate(sourceNames[source] ?? source),
    review === 'none' ? null : csv.translate(review),
    captured_at,
    consent === null ? null : JSON.stringify(consent),
  ]
  const hasEvents = events.length > 0
  yield csv.heading(hasEvents ? [...photoColumns, ...eventColumns] : photoColumns)
  for await (const photo of archivedPhotosOf(db, userId)) {
    const { id, filename, created_at: at, state, hidden, width, height } = photo
    listed.add(id)
    const files = archivedFilesOf(photo).map(({ name }) => name)
    const { operator_decision: decision, operator_decided_at: decidedAt, operator_message: message } = photo
    const photoCells = [id, filename, at, csv.translate(state), hidden, width, height, files.join(' ')]
    const decisionCells = [decision && csv.translate(decision), decidedAt, message]
    yield csv.line([...photoCells, ...decisionCells, ...(hasEvents ? eventCells(photo) : [])])
  }
}

/** Every event with its settings and codes, deleted ones that can be brought back included. */
export const archivedEventsOf = async (db: Db, userId: string) =>
  db
    .selectFrom('events')
    .selectAll('events')
    .select([
      sql<object[]>`coalesce((select json_agg(json_build_object('code', code, 'kind', kind, 'label', label,
        'created_at', event_codes.created_at, 'revoked_at', revoked_at) order by event_codes.created_at, code)
        from event_codes where event_id = events.id), '[]')`.as('codes'),
      sql<object[]>`coalesce((select json_agg(json_build_object('email', email, 'created_at', event_grants.created_at,
        'expires_at', expires_at, 'revoked_at', revoked_at) order by event_grants.created_at, id)
        from event_grants where event_id = events.id), '[]')`.as('links_to_all_photos'),
      sql<
        object[]
      >`coalesce((select json_agg(json_build_object('id', helpers.id, 'name', helpers.name, 'created_at', helpers.created_at,
        'begun_at', begun_at, 'expires_at', expires_at, 'revoked_at', revoked_at) order by helpers.created_at, helpers.id)
        from helpers where event_id = events.id), '[]')`.as('helpers'),
    ])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
type ArchivedEvent = Awaited<ReturnType<typeof archivedEventsOf>>[number]

interface ArchivedRequest {
  id: string
  email: string
  photo_id: string
  filename: string | null
  requested_at: Date
  consent_version: string
  state: string
  sent_at: Date | null
  isDeleted: boolean
}

/** A table of the requests for photos that still exist, as the page has them, and whether their emails were sent. */
export async function* requestsCsv(csv: CsvWriter, db: Db, userId: string): AsyncGenerator<string> {
  yield csv.heading(['Requester', 'Photo', 'Photo ID', 'Requested (UTC)', 'State', 'Sent (UTC)', 'Consent'])
  for (let after: string | undefined = ''; after !== undefined;) {
    // The page first: PostgreSQL would join all of the account's requests for each page.
    const { rows }: { rows: ArchivedRequest[] } = await sql<ArchivedRequest>`
      select request.id, requester_email as email, request.photo_id, filename, requested_at, consent_version, emails.state, sent_at,
        photos.deleted_at is not null as "isDeleted"
      from (
        select * from photo_requests where user_id = ${userId} and id > ${after} order by id limit ${archiveBatchSize}
      ) as request join photos on photos.id = request.photo_id join emails on emails.id = email_id
      order by request.id`.execute(db)
    for (const {
      email,
      photo_id: id,
      filename,
      requested_at: at,
      state,
      sent_at: sent,
      consent_version,
      isDeleted,
    } of rows)
      if (!isDeleted) yield csv.line([email, filename, id, at, csv.translate(state), sent, consent_version])
    after = rows.length < archiveBatchSize ? undefined : rows.at(-1)?.id
  }
}

interface ArchivedActivity {
  photo_id: string
  hour: Date
  scans: number
  views: number
  downloads: number
  requests: number
}

/** A table of guest activity, per photo and quarter of an hour; counts of earlier versions are per hour. */
export async function* insightsCsv(csv: CsvWriter, db: Db, userId: string): AsyncGenerator<string> {
  yield csv.heading(['Photo ID', 'Hour (UTC)', 'Scans', 'Views', 'Downloads', 'Requests'])
  const beforeFirstActivity: ArchivedActivity = {
    photo_id: '',
    hour: new Date(0),
    scans: 0,
    views: 0,
    downloads: 0,
    requests: 0,
  }
  for (let lastActivity: ArchivedActivity | undefined = beforeFirstActivity; lastActivity;) {
    const { rows }: { rows: ArchivedActivity[] } = await sql<ArchivedActivity>`
      select photo_id, hour, scans, views, downloads, requests from photo_activity
      where user_id = ${userId} and (photo_id, hour) > (${lastActivity.photo_id}, ${lastActivity.hour}::timestamptz)
      order by photo_id, hour limit ${archiveBatchSize}`.execute(db)
    for (const { photo_id: id, hour, scans, views, downloads, requests } of rows)
      yield csv.line([id, hour, scans, views, downloads, requests])
    lastActivity = rows.length < archiveBatchSize ? undefined : rows.at(-1)
  }
}

/** Who added the photos of guests, also those that wait or were rejected, with their consent. */
export const archivedGuestPhotosOf = (db: Db, userId: string) =>
  db
    .selectFrom('photos')
    .leftJoin('contributors', 'contributors.id', 'photos.contributor_id')
    .leftJoin('event_codes', 'event_codes.code', 'photos.event_code')
    .select([
      'photos.id as photo_id',
      'photos.event_id',
      'contributors.name as contributor',
      'event_codes.label as table',
    ])
    .select(['review', 'reviewed_at', 'reviewed_by', 'consent'])
    .where('photos.user_id', '=', userId)
    .where('source', '=', 'guest')
    .where('deleted_at', 'is', null)
    .where('state', '!=', 'receiving')
    .orderBy('photos.id')
    .limit(100_000)
    .execute()

/** What guests did with the codes of the account's events, by event and quarter of an hour. */
export const archivedEventActivityOf = (db: Db, userId: string) =>
  db
    .selectFrom('event_activity')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('event_id')
    .orderBy('hour')
    .limit(100_000)
    .execute()

/** The account: every column except the password hash, its sessions, API keys and known clients, and its usage. */
export async function archivedAccountOf(db: Db, userId: string, { hasEvents }: { hasEvents: boolean }) {
  const {
    password_hash: _,
    email_key: __,
    media_epoch: ___,
    current_event_id,
    ...account
  } = await db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
  const sessions = db.selectFrom('sessions').select(['user_agent', 'created_at', 'last_used_at'])
  const keyColumns = ['name', 'last_four', 'created_at', 'last_used_at', 'expires_at'] as const
  const keys = db.selectFrom('api_keys').select(hasEvents ? [...keyColumns, 'event_id'] : keyColumns)
  const clients = db.selectFrom('known_clients').select(['client', 'seen_at'])
  const months = db.selectFrom('usage_months').select(['month', 'uploads'])
  return {
    account: { ...account, ...(hasEvents && { current_event_id }) },
    sessions: await sessions.where('user_id', '=', userId).limit(1_000).execute(),
    api_keys: await keys.where('user_id', '=', userId).orderBy('created_at').limit(1_000).execute(),
    known_clients: await clients.where('user_id', '=', userId).orderBy('seen_at', 'desc').limit(1_000).execute(),
    uploads_by_month: await months.where('user_id', '=', userId).orderBy('month').limit(1_000).execute(),
  }
}

/** Every change of consent, oldest first. */
export const archivedConsentsOf = (db: Db, userId: string) =>
  db
    .selectFrom('consents')
    .select(['kind', 'given', 'version', 'recorded_at as at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .limit(100_000)
    .execute()

/** The guests' reports of the user's photos. */
export const archivedReportsOf = (db: Db, userId: string) =>
  db
    .selectFrom('photo_reports')
    .select(['photo_id', 'reason', 'note', 'reported_at', 'decision', 'decided_at'])
    .where('user_id', '=', userId)
    .orderBy('reported_at')
    .limit(100_000)
    .execute()

/** The messages to support that were sent while signed in. */
export const archivedSupportMessagesOf = (db: Db, userId: string) =>
  db
    .selectFrom('support_messages')
    .select(['name', 'email', 'subject', 'message', 'created_at as sent_at', 'answered_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .limit(10_000)
    .execute()

/** The withdrawals of an account, as they were written, with what followed. */
export const archivedWithdrawalsOf = (db: Db, userId: string) =>
  db
    .selectFrom('withdrawals')
    .select(['made_at', 'name', 'email', 'contract', 'plan', 'concluded_at', 'state', 'amount_cents', 'done_at'])
    .where('user_id', '=', userId)
    .orderBy('made_at')
    .limit(10_000)
    .execute()

/** The logo and the background. */
export async function archivedBrandFilesOf(db: Db, userId: string): Promise<ArchivedFile[]> {
  const brandImages = await db
    .selectFrom('brand_images')
    .select(['kind', 'key', 'type'])
    .where('user_id', '=', userId)
    .execute()
  return brandImages.map(({ kind, key, type }) => ({ key, name: `brand/${kind}.${extensionOf(type)}` }))
}

const batchSize = 500

/** The webhooks, without their secrets. */
export const archivedWebhooksOf = (db: Db, userId: string, { hasEvents }: { hasEvents: boolean }) =>
  db
    .selectFrom('webhooks')
    .select(['id', 'url', 'events', 'disabled_because', 'disabled_at', 'failing_since', 'created_at', 'url_set_at'])
    .$if(hasEvents, (query) => query.select('event_id'))
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .limit(webhookLimits.webhooksMax)
    .execute()

interface ArchivedDelivery {
  id: string
  webhook_id: string
  message_id: string
  is_replay: boolean
  state: string
  attempts: number
  body: string
  created_at: Date
  finished_at: Date | null
  last_status: number | null
  last_error: string | null
}

const cellsOf = (csv: CsvWriter, delivery: ArchivedDelivery): CsvCell[] => [
  delivery.webhook_id,
  delivery.message_id,
  delivery.body,
  delivery.is_replay,
  delivery.created_at,
  csv.translate(delivery.state),
  delivery.finished_at,
  delivery.attempts,
  delivery.last_status,
  delivery.last_error && csv.translate(delivery.last_error),
]

/** A table of the events that were sent, with what the last attempt led to. */
export async function* webhookDeliveriesCsv(csv: CsvWriter, db: Db, userId: string): AsyncGenerator<string> {
  yield csv.heading([
    'Webhook ID',
    'Event ID',
    'Event',
    'Replay',
    'Created (UTC)',
    'State',
    'Finished (UTC)',
    'Attempts',
    'Last answer',
    'Last error',
  ])
  for (let after: string | undefined = ''; after !== undefined;) {
    const { rows }: { rows: ArchivedDelivery[] } = await sql<ArchivedDelivery>`
      select delivery.id, webhook_id, message_id, is_replay, state, attempts, body, delivery.created_at, finished_at,
        last.status as last_status, last.error as last_error
      from webhook_deliveries delivery join webhooks on webhooks.id = webhook_id
        left join webhook_attempts last on last.delivery_id = delivery.id and last.number = attempts
      where user_id = ${userId} and delivery.id > ${after} order by delivery.id limit ${batchSize}`.execute(db)
    for (const row of rows) yield csv.line(cellsOf(csv, row))
    after = rows.length < batchSize ? undefined : rows.at(-1)?.id
  }
}
