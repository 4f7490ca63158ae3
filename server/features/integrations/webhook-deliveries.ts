import { createHmac, randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { webhookLimits } from '@keepsnap/contract/limits.ts'
import type { WebhookEventType } from '@keepsnap/contract/integrations.ts'
import type { Db } from '../../platform/db/connect.ts'
import { addJobExpression, enqueue, wakeUpExpression } from '../../platform/jobs/queue.ts'
import { newId } from '../../lib/ids.ts'
import type { Webhooks as WebhooksTable } from '../../platform/db/schema.ts'
import { currentPlan, type PlanColumn, planOf } from '../plans/plans.ts'
import type { Dependencies } from '../../dependencies.ts'
import { queueEmail } from '../emails/queue-email.ts'
import type { DeliveryAttempt } from '../../ports/webhooks.ts'
import type { RecordedEvent } from '../../platform/jobs/jobs.ts'

/** One event to one webhook, to be added. */
export interface NewDelivery {
  messageId: string
  type: string
  body: string
  isReplay?: boolean
  /** When the event happened; otherwise now. Deliveries of a webhook are made in this order. */
  at?: string
}

/** Until when a new or slow receiver stays in the group of slow webhooks, even if it is fast meanwhile. */
export const slowUntil = sql<Date>`now() + interval '10 minutes'`

/**
 * Enqueues the job for the next waiting delivery of a locked webhook, if any, after the end of a current attempt. Owners take turns: it
 * runs after those of owners with fewer webhooks for which deliveries wait.
 */
async function enqueueNextDelivery(tx: Db, id: string): Promise<void> {
  const { rows } = await sql<{ at: Date; isDue: boolean; isSlow: boolean; others: number }>`
    select at, at <= now() as "isDue", "isSlow", (
      select count(*)::int from webhooks other where other.user_id = owner and other.id <> ${id} and exists (
        select from webhook_deliveries where webhook_id = other.id and state = 'waiting')) as others
    from (
      select greatest(min(next_attempt_at), max(busy_until)) as at, bool_or(slow_until > now()) as "isSlow", min(user_id) as owner
      from webhook_deliveries join webhooks on webhooks.id = webhook_id
      where webhook_id = ${id} and state = 'waiting' having count(*) > 0) next`.execute(tx)
  const [next] = rows
  if (!next) return
  const name = next.isSlow ? 'deliver-to-slow-webhook' : 'deliver-to-webhook'
  const job = { name, payload: { webhookId: id }, key: `webhook:${id}`, priorityOffset: next.others } as const
  await enqueue(tx, { ...job, ...(!next.isDue && { at: next.at }) })
}

async function isFull(tx: Db, webhookId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from webhook_deliveries where webhook_id = ${webhookId} and state = 'waiting'
    offset ${webhookLimits.waitingMax - 1} limit 1`.execute(tx)
  return rows.length > 0
}

/**
 * Adds a delivery to a locked webhook and the job that makes it. When too many wait already, it is added as cancelled.
 * The delivery's id; undefined when this event has been added before.
 */
export async function addDelivery(
  tx: Db,
  webhookId: string,
  { messageId, type, body, isReplay = false, at }: NewDelivery,
): Promise<string | undefined> {
  const isWaiting = !(await isFull(tx, webhookId))
  const added = await tx
    .insertInto('webhook_deliveries')
    .values({
      id: newId(),
      webhook_id: webhookId,
      message_id: messageId,
      type,
      body,
      is_replay: isReplay,
      created_at: at ?? sql<Date>`clock_timestamp()`,
      state: isWaiting ? 'waiting' : 'cancelled',
      next_attempt_at: isWaiting ? sql<Date>`now()` : null,
      finished_at: isWaiting ? null : sql<Date>`now()`,
      // Set at the first attempt.
      give_up_at: sql<Date>`now()`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added) await enqueueNextDelivery(tx, webhookId)
  return added?.id
}

/** Whether a webhook is bound to an event that is deleted: then it sends nothing. */
export async function isEventGone(tx: Db, eventId: string | null): Promise<boolean> {
  if (eventId === null) return false
  const event = tx.selectFrom('events').select('id').where('id', '=', eventId).where('deleted_at', 'is', null)
  return (await event.executeTakeFirst()) === undefined
}

/** Cancels what waits at a locked webhook. */
export async function cancelWaitingDeliveries(tx: Db, webhookId: string): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ state: 'cancelled', next_attempt_at: null, finished_at: sql<Date>`now()` })
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'waiting')
    .execute()
}

/** A row of the table webhooks. */
export type WebhookRow = Selectable<WebhooksTable>

/** The owner of webhooks, as far as it counts for them. */
export interface WebhookOwner {
  email: string
  /** Whether the account is active and its plan has API access. */
  mayDeliver: boolean
}

/** Locks an account against deletion; undefined when it is deleted. Before any of its rows is written. */
export async function lockWebhookOwner(tx: Db, userId: string): Promise<WebhookOwner | undefined> {
  const { rows } = await sql<PlanColumn & { email: string; is_active: boolean }>`
    select email, is_active, ${currentPlan} as plan from users where id = ${userId} for key share`.execute(tx)
  const [owner] = rows
  return owner && { email: owner.email, mayDeliver: owner.is_active && planOf(owner).features.api_access }
}

/**
 * Locks a webhook, after its owner. All code that adds, finishes or cancels deliveries holds this lock: this prevents a
 * race in which the next job is enqueued with an outdated time.
 */
async function lockWebhook(
  tx: Db,
  webhookId: string,
): Promise<{ webhook: WebhookRow; owner: WebhookOwner } | undefined> {
  const found = await tx.selectFrom('webhooks').select('user_id').where('id', '=', webhookId).executeTakeFirst()
  const owner = found && (await lockWebhookOwner(tx, found.user_id))
  if (!owner) return undefined
  const webhook = await tx
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', webhookId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return webhook && { webhook, owner }
}

/** The same of a user's own webhook; undefined when there is none. */
export async function lockOwnWebhook(
  tx: Db,
  userId: string,
  webhookId: string,
): Promise<{ webhook: WebhookRow; owner: WebhookOwner } | undefined> {
  const locked = await lockWebhook(tx, webhookId)
  return locked?.webhook.user_id === userId ? locked : undefined
}

/** What one run of the clean-up job does at most. */
const maxWebhooks = 200
const maxDeliveries = 10_000

/** Enqueues deliveries whose time has passed although no job made them, as when a job failed too often. */
async function enqueueOverdueDeliveries(db: Db): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select distinct webhook_id as id from webhook_deliveries
    where state = 'waiting' and next_attempt_at < now() - interval '1 minute' limit ${maxWebhooks}`.execute(db)
  for (const { id } of rows)
    await db.transaction().execute(async (tx) => {
      const locked = await lockWebhook(tx, id)
      if (locked) await enqueueNextDelivery(tx, id)
    })
}

/**
 * After the secret key was replaced, encrypts signing secrets with the new one, while the former one is still accepted. A
 * secret that its owner replaces meanwhile is left out.
 */
async function renewSecrets({ db, webhooks: { secrets } }: Dependencies): Promise<void> {
  let after = ''
  for (;;) {
    const page = await db
      .selectFrom('webhooks')
      .select(['id', 'encrypted_secret', 'encrypted_previous_secret'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(maxWebhooks)
      .execute()
    for (const { id, encrypted_secret: current, encrypted_previous_secret: previous } of page) {
      const renewed = secrets.renew(current, id)
      const renewedPrevious = previous && secrets.renew(previous, id)
      if (!renewed && !renewedPrevious) continue
      await db
        .updateTable('webhooks')
        .set({
          ...(renewed && { encrypted_secret: renewed }),
          ...(renewedPrevious && { encrypted_previous_secret: renewedPrevious }),
        })
        .where('id', '=', id)
        .where('encrypted_secret', '=', current)
        .execute()
    }
    const last = page.at(-1)
    if (!last || page.length < maxWebhooks) return
    after = last.id
  }
}

/** Removes old deliveries and expired secrets, and enqueues what was missed. Leaves out what is locked. */
export async function cleanUpWebhooks(deps: Dependencies): Promise<void> {
  const { db } = deps
  if (deps.webhooks.isKeyReplaced) await renewSecrets(deps)
  await enqueueOverdueDeliveries(db)
  await sql`delete from webhook_deliveries where id in (
    select id from webhook_deliveries where finished_at < now() - make_interval(days => ${webhookLimits.keepDays})
    limit ${maxDeliveries} for update skip locked)`.execute(db)
  await sql`update webhooks set encrypted_previous_secret = null, previous_secret_until = null where id in (
    select id from webhooks where previous_secret_until < now() limit ${maxWebhooks} for update skip locked)`.execute(
    db,
  )
}

const [second, minute, hour] = [1, 60, 3_600]
/** After the first failed attempt, the second, and so on; then always the last of them. */
const delays = [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 4 * hour]
const jitter = 0.2

/**
 * How many seconds after the n-th failed attempt the next one is made: with up to 20 % less or more, so that deliveries
 * that failed together are not attempted together again. `random` is from 0 to 1.
 */
function retryDelaySeconds(attempts: number, random: number): number {
  const delay = delays[Math.min(attempts, delays.length) - 1] ?? delays[0] ?? 0
  return Math.round(delay * (1 - jitter + 2 * jitter * random))
}

/** A delivery that is being attempted. */
interface ClaimedDelivery {
  id: string
  /** As it was when the attempt began. */
  webhook: WebhookRow
  messageId: string
  type: string
  body: string
  /** With this one. */
  attempts: number
}

/** What the payload of the email about a webhook that was switched off has. */
export interface WebhookDisabledPayload {
  [field: string]: string
  webhookId: string
  /** Of the receiver; the whole URL may contain a secret. */
  host: string
  failingSince: string
}

/** Receivers that take longer are moved to the group of slow webhooks for some time. */
const slowMs = 2_000

export const isTestDelivery = ({ type }: { type: string }): boolean => type === 'webhook.test'

/** Whether the receiver accepted the delivery. */
const isSuccess = ({ status, error }: DeliveryAttempt): boolean =>
  error === null && status !== null && status >= 200 && status < 300

async function addAttempt(tx: Db, { id, attempts }: ClaimedDelivery, attempt: DeliveryAttempt): Promise<void> {
  const { status, durationMs, error, response } = attempt
  await tx
    .insertInto('webhook_attempts')
    .values({ delivery_id: id, number: attempts, status, duration_ms: durationMs, error, response })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Ends or postpones the delivery. False when this attempt is not the current one, or the delivery was cancelled. */
async function updateDelivery(tx: Db, delivery: ClaimedDelivery, succeeded: boolean): Promise<boolean> {
  const delay = retryDelaySeconds(delivery.attempts, Math.random())
  const { rows } = await sql`
    with outcome as (
      select id, case when ${succeeded} then 'delivered' when give_up_at <= now() + interval '1 second' then 'failed'
        else 'waiting' end as state
      from webhook_deliveries where id = ${delivery.id}
    )
    update webhook_deliveries set state = outcome.state,
      next_attempt_at = case when outcome.state = 'waiting' then least(now() + make_interval(secs => ${delay}), give_up_at) end,
      finished_at = case when outcome.state <> 'waiting' then now() end
    from outcome
    where webhook_deliveries.id = outcome.id and webhook_deliveries.state = 'waiting' and attempts = ${delivery.attempts}
    returning 1`.execute(tx)
  return rows.length > 0
}

interface WebhookHealth {
  failingSince: Date | null
  /** Whether a delivery was given up, and none has succeeded since its first attempt. */
  isGivenUp: boolean
}

/** Records what an attempt says about the receiver. That a test fails says nothing: its sender sees it. */
async function updateWebhook(tx: Db, delivery: ClaimedDelivery, attempt: DeliveryAttempt): Promise<WebhookHealth> {
  const sinceFirstAttempt = sql`delivery.give_up_at - make_interval(hours => ${webhookLimits.retryHours})`
  const { rows } = await sql<WebhookHealth>`
    update webhooks set busy_until = null,
      slow_until = case when ${attempt.durationMs > slowMs} then ${slowUntil} else slow_until end,
      failing_since = case when ${isSuccess(attempt)} then null when ${isTestDelivery(delivery)} then failing_since
        else coalesce(failing_since, case when delivery.attempts = 1 then ${sinceFirstAttempt} else now() end) end
    from webhook_deliveries delivery where webhooks.id = ${delivery.webhook.id} and delivery.id = ${delivery.id}
    returning failing_since as "failingSince",
      delivery.state = 'failed' and not ${isTestDelivery(delivery)} and coalesce(failing_since <= ${sinceFirstAttempt}, false) as "isGivenUp"`.execute(
    tx,
  )
  return rows[0] ?? { failingSince: null, isGivenUp: false }
}

/** Switches a locked webhook off, cancels what waits, and queues the email about it. */
async function disableWebhook(
  tx: Db,
  { id, url, user_id: userId }: WebhookRow,
  { owner, failingSince }: { owner: WebhookOwner; failingSince: Date },
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('webhooks')
    .set({ disabled_because: 'failing', disabled_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('disabled_because', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return
  await cancelWaitingDeliveries(tx, id)
  const { host } = new URL(url)
  const payload: WebhookDisabledPayload = { webhookId: id, host, failingSince: failingSince.toISOString() }
  await queueEmail(tx, { id: newId(), kind: 'webhook-disabled', userId, recipient: owner.email, payload })
}

/** Frees a webhook for the next attempt, whatever the last one said. */
async function endAttempt(tx: Db, webhook: WebhookRow): Promise<void> {
  await tx.updateTable('webhooks').set({ busy_until: null }).where('id', '=', webhook.id).execute()
  await enqueueNextDelivery(tx, webhook.id)
}

/** Records an attempt and what follows from it, and enqueues the job for the next delivery. */
async function recordAttempt(tx: Db, delivery: ClaimedDelivery, attempt: DeliveryAttempt): Promise<void> {
  const locked = await lockWebhook(tx, delivery.webhook.id)
  if (!locked) return
  const { webhook, owner } = locked
  if (await updateDelivery(tx, delivery, isSuccess(attempt))) await addAttempt(tx, delivery, attempt)
  // What the receiver at an earlier URL did says nothing about the one at the current URL.
  if (webhook.url !== delivery.webhook.url) return endAttempt(tx, webhook)
  const { failingSince, isGivenUp } = await updateWebhook(tx, delivery, attempt)
  if (isGivenUp && failingSince) await disableWebhook(tx, webhook, { owner, failingSince })
  else await enqueueNextDelivery(tx, webhook.id)
}

/** Secrets and signatures after the Standard Webhooks specification, https://www.standardwebhooks.com. */
const prefix = 'whsec_'
const secretBytes = 32

/** A new signing secret: 256 random bits. */
export const newSigningSecret = (): string => prefix + randomBytes(secretBytes).toString('base64')

/** What lists show of a secret. */
export const secretHint = (lastFour: string): string => `${prefix}...${lastFour}`

export interface SignedMessage {
  messageId: string
  /** Seconds since 1970. */
  timestamp: number
  body: string
  /** The current secret, and the previous one while that signs too. */
  secrets: readonly string[]
}

const signatureBy = (secret: string, content: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
    .update(content)
    .digest('base64')}`

/** The headers of a signed request. */
function signedHeaders({ messageId, timestamp, body, secrets }: SignedMessage): Record<string, string> {
  const content = `${messageId}.${timestamp}.${body}`
  return {
    'content-type': 'application/json',
    'user-agent': 'Keepsnap',
    'webhook-id': messageId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => signatureBy(secret, content)).join(' '),
  }
}

/** Longer than any attempt takes: if this program dies meanwhile, the delivery is attempted again after it. */
const leaseSeconds = 30
/** How long an attempt holds its worker. Later it goes on without one, so that a receiver that answers slowly does not delay others. */
const holdsWorkerMs = 500
/** Attempts that go on without a worker; each holds a connection. More keep their workers. */
const withoutWorkerMax = 200

/** The oldest delivery of a locked webhook that is due, for one attempt; undefined if none is, or another is under way. */
async function claimDueDelivery(tx: Db, webhook: WebhookRow): Promise<ClaimedDelivery | undefined> {
  const { rows } = await sql<Omit<ClaimedDelivery, 'webhook'>>`
    with due as (
      -- Job times have milliseconds, row times have microseconds.
      select id from webhook_deliveries
      where webhook_id = ${webhook.id} and state = 'waiting' and next_attempt_at <= now() + interval '100 milliseconds'
        and not exists (select 1 from webhooks where id = ${webhook.id} and busy_until > now() + interval '100 milliseconds')
      order by created_at, id limit 1
    ), busy as (
      update webhooks set busy_until = now() + make_interval(secs => ${leaseSeconds}) from due where webhooks.id = ${webhook.id}
    )
    update webhook_deliveries set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => ${leaseSeconds}),
      give_up_at = case when attempts = 0 and type <> 'webhook.test'
        then now() + make_interval(hours => ${webhookLimits.retryHours}) else give_up_at end
    from due where webhook_deliveries.id = due.id
    returning webhook_deliveries.id, message_id as "messageId", type, body, attempts`.execute(tx)
  return rows[0] && { ...rows[0], webhook }
}

/** Claims a delivery; cancels them all when the webhook or the plan has ended. */
const claimDelivery = (db: Db, webhookId: string): Promise<ClaimedDelivery | undefined> =>
  db.transaction().execute(async (tx) => {
    const locked = await lockWebhook(tx, webhookId)
    if (!locked) return undefined
    const { webhook, owner } = locked
    if (webhook.disabled_because !== null || !owner.mayDeliver || (await isEventGone(tx, webhook.event_id))) {
      await cancelWaitingDeliveries(tx, webhookId)
      return undefined
    }
    const delivery = await claimDueDelivery(tx, webhook)
    if (!delivery) await enqueueNextDelivery(tx, webhookId)
    return delivery
  })

/** The secrets that sign now; undefined when they were encrypted with another secret key of the server. */
function signingSecrets({ webhooks }: Dependencies, webhook: WebhookRow): string[] | undefined {
  const current = webhooks.secrets.decrypt(webhook.encrypted_secret, webhook.id)
  if (current === undefined) return undefined
  const { encrypted_previous_secret: encrypted, previous_secret_until: until } = webhook
  if (!encrypted || !until || until.getTime() <= Date.now()) return [current]
  const previous = webhooks.secrets.decrypt(encrypted, webhook.id)
  return previous === undefined ? [current] : [current, previous]
}

function attemptDelivery(deps: Dependencies, delivery: ClaimedDelivery): Promise<DeliveryAttempt> {
  const { webhook, messageId, body } = delivery
  const secrets = signingSecrets(deps, webhook)
  if (!secrets) {
    const error = 'The signing secret cannot be read any more. Replace it in Settings.'
    return Promise.resolve({ status: null, response: null, error, durationMs: 0 })
  }
  const headers = signedHeaders({ messageId, timestamp: Math.floor(Date.now() / 1000), body, secrets })
  return deps.webhooks.sender.send({ url: webhook.url, headers, body })
}

async function attemptAndRecord(deps: Dependencies, delivery: ClaimedDelivery): Promise<void> {
  const attempt = await attemptDelivery(deps, delivery)
  const outcome = isSuccess(attempt) ? 'accepted' : attempt.status === null ? 'unreachable' : 'refused'
  deps.metrics.count('keepsnap_webhook_attempts_total', { outcome })
  await deps.db.transaction().execute((tx) => recordAttempt(tx, delivery, attempt))
}

/**
 * Makes one attempt at the oldest delivery of a webhook that is due, and enqueues the job for the next one. A webhook gets
 * one at a time. May run twice: nothing is attempted while another attempt is under way. Resolves while the receiver has not
 * answered yet if it is slow; `webhooks.unfinished` contains the rest.
 */
export async function deliverToWebhook(deps: Dependencies, webhookId: string): Promise<void> {
  const { db, log, webhooks } = deps
  const delivery = await claimDelivery(db, webhookId)
  if (!delivery) return
  const recorded = attemptAndRecord(deps, delivery)
  const isSlow = await Promise.race([recorded.then(() => false), wait(holdsWorkerMs, true, { ref: false })])
  if (!isSlow) return
  if (webhooks.unfinished.size >= withoutWorkerMax) return recorded
  const rest = recorded
    .catch((error: unknown) => log.warn({ err: error, webhookId }, 'an attempt at a webhook could not be recorded'))
    .finally(() => webhooks.unfinished.delete(rest))
  webhooks.unfinished.add(rest)
  // For the end of the lease, if the attempt is never recorded.
  await db.transaction().execute(async (tx) => {
    if (await lockWebhook(tx, webhookId)) await enqueueNextDelivery(tx, webhookId)
  })
}

/** Adds a delivery of an event to each webhook of its user that is about such events and such photos. May run twice. */
export async function recordWebhookEvent(db: Db, event: RecordedEvent): Promise<void> {
  const { userId, messageId, type, eventId = null, timestamp, data } = event
  await db.transaction().execute(async (tx) => {
    const owner = await lockWebhookOwner(tx, userId)
    if (!owner?.mayDeliver) return
    const webhooks = await tx
      .selectFrom('webhooks')
      .select(['id', 'events'])
      .where('user_id', '=', userId)
      .where('disabled_because', 'is', null)
      .where(isBoundTo(sql`${eventId}::text`))
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
    const body = JSON.stringify({ type, timestamp, data })
    for (const webhook of webhooks)
      if (webhook.events.includes(type)) await addDelivery(tx, webhook.id, { messageId, type, body, at: timestamp })
  })
}

/** Whether a webhook is about photos of an event, or of none if that is null: one that is bound, about those of its own, until that is deleted. */
const isBoundTo = (
  eventId: RawBuilder<unknown>,
) => sql<boolean>`(webhooks.event_id is null or webhooks.event_id = ${eventId}
  and exists (select from events where events.id = webhooks.event_id and events.deleted_at is null))`

/** A time as ISO 8601 in UTC. */
const isoTime = (time: RawBuilder<Date>): RawBuilder<string> =>
  sql`to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The event fields of `row`: a row of `photos`, or of a common table expression with the same columns. */
const photoFields = (row: string): RawBuilder<unknown> =>
  sql`'photo_id', ${sql.ref(`${row}.id`)}, 'filename', ${sql.ref(`${row}.filename`)}`
const createdAt = (row: string): RawBuilder<unknown> => sql`'created_at', ${isoTime(sql.ref(`${row}.created_at`))}`

interface EventExpression {
  type: WebhookEventType
  userId: string
  /** The table of the photos: with their event_id. */
  row: string
  /** Whether the photo is one that the account's programs know; that it is listed, unless given. */
  isKnown?: RawBuilder<boolean>
  /** The names and values of `data`, as arguments of `json_build_object`. */
  data: RawBuilder<unknown>
}

/**
 * An SQL expression that enqueues an event for each row of its statement, if and only if the transaction commits and
 * the user has an enabled webhook for events of this type and this photo. Events are recorded in the order in which their statements
 * ran.
 */
function eventExpression({
  type,
  userId,
  row,
  isKnown = sql`${sql.ref(`${row}.is_listed`)}`,
  data,
}: EventExpression): RawBuilder<unknown> {
  // Not `now()`, the start of the transaction: it may have waited for a lock since, so events would be out of order.
  const at = sql<Date>`clock_timestamp()`
  const payload = sql<RecordedEvent>`json_build_object('userId', ${userId}::text, 'type', ${type}::text, 'eventId', ${sql.ref(`${row}.event_id`)},
    'messageId', 'msg_' || replace(gen_random_uuid()::text, '-', ''), 'timestamp', ${isoTime(at)}, 'data', json_build_object(${data}))`
  const job = addJobExpression({ name: 'record-webhook-event', payload, at })
  return sql`case when ${isKnown} and exists (
    select 1 from webhooks where webhooks.user_id = ${userId} and disabled_because is null and ${type} = any(events)
      and ${isBoundTo(sql.ref(`${row}.event_id`))}
  ) then (select ${wakeUpExpression('record-webhook-event')}::text from ${job}) end`
}

/**
 * Enqueues `photo.ready`, unless the photo waits for its review or its event is deleted. For a statement whose row `row` has the id,
 * filename, created_at, event_id and is_listed of a photo, such as the one that approves it.
 */
export const photoReadyExpression = (userId: string, row: string): RawBuilder<unknown> =>
  eventExpression({ type: 'photo.ready', userId, row, data: sql`${photoFields(row)}, ${createdAt(row)}` })

/** Enqueues `photo.failed`, like `photoReadyExpression`. */
export const photoFailedExpression = (userId: string, row: string, errorMessage: string): RawBuilder<unknown> =>
  eventExpression({
    type: 'photo.failed',
    userId,
    row,
    data: sql`${photoFields(row)}, ${createdAt(row)}, 'error_message', ${errorMessage}::text`,
  })

/**
 * Enqueues `photo.deleted` of each photo, in the transaction that deletes them: also of those that go with their event, but not of a
 * guest's photo that was not approved, of which nobody was told.
 */
export async function addPhotoDeletedEvents(tx: Db, userId: string, photoIds: readonly string[]): Promise<void> {
  const isKnown = sql<boolean>`photos.review in ('none', 'approved')`
  const event = eventExpression({
    type: 'photo.deleted',
    userId,
    row: 'photos',
    isKnown,
    data: photoFields('photos'),
  })
  await sql`select ${event} from photos where id = any(${photoIds}::text[]) and user_id = ${userId}`.execute(tx)
}

/** Enqueues `request.created`, in the transaction that stores the request. */
export async function addRequestCreatedEvent(tx: Db, userId: string, requestId: string): Promise<void> {
  const data = sql`${photoFields('photos')}, 'request_id', photo_requests.id, 'requested_at', ${isoTime(sql.ref('requested_at'))}`
  const event = eventExpression({ type: 'request.created', userId, row: 'photos', data })
  await sql`select ${event} from photo_requests join photos on photos.id = photo_requests.photo_id
    where photo_requests.id = ${requestId}`.execute(tx)
}
