import { type RawBuilder, sql } from 'kysely'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  deleteWebhooks,
  listDeliveries,
  listWebhooks,
  replaceWebhookSecret,
  replayDelivery,
  testWebhook,
  type Webhook,
  type WebhookAttempt,
  type WebhookDelivery,
  type WebhookEvent,
  type WebhookEventType,
} from '@keepsnap/contract/integrations.ts'
import { webhookLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requireRecentPassword } from '../accounts/passwords.ts'
import { liveEvent } from '../events/chosen-event.ts'
import { queueEmail } from '../emails/queue-email.ts'
import { Fault, invalidField, noApiAccess, unauthorized } from '../../faults.ts'
import type { SessionActor } from '../../platform/http/authenticator.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { newId } from '../../lib/ids.ts'
import { accountHasEvents } from '../photos/photo-view.ts'
import {
  addDelivery,
  cancelWaitingDeliveries,
  isEventGone,
  isTestDelivery,
  lockOwnWebhook,
  lockWebhookOwner,
  type NewDelivery,
  newSigningSecret,
  secretHint,
  slowUntil,
  type WebhookOwner,
  type WebhookRow,
} from './webhook-deliveries.ts'

const webhookNotFound = (): Fault => new Fault('not_found', 'This webhook does not exist.')

/** The webhooks of an account, and the log of their deliveries. */
export function webhookRoutes(serve: Serve, deps: Dependencies): void {
  const { db } = deps
  serve(listWebhooks, async (_, { actor }) => (await webhooksOf(db, actor.userId)).map(viewOf))
  serve(createWebhook, ({ body }, { actor }) => addWebhook(deps, actor, body))
  serve(changeWebhook, ({ params, body }, { actor }) => updateWebhook(deps, actor, { ...body, id: params.id }))
  serve(deleteWebhook, async ({ params }, { actor }) => {
    await db.transaction().execute(async (tx) => {
      if (!(await lockOwnWebhook(tx, actor.userId, params.id))) throw webhookNotFound()
      await tx.deleteFrom('webhooks').where('id', '=', params.id).execute()
    })
    return null
  })
  serve(deleteWebhooks, async ({ body: { ids } }, { actor: { userId } }) => {
    await db.transaction().execute(async (tx) => {
      // In order, so that two such calls do not wait for each other.
      for (const id of ids.toSorted())
        if (await lockOwnWebhook(tx, userId, id)) await tx.deleteFrom('webhooks').where('id', '=', id).execute()
    })
    return null
  })
  serve(replaceWebhookSecret, ({ params }, { actor }) => replaceSecret(deps, actor, params.id))

  serve(listDeliveries, async ({ params, query }, { actor }) => {
    await oneWebhook(db, actor.userId, params.id)
    const limit = query.limit ?? webhookLimits.deliveriesPageDefault
    const deliveries = await deliveriesOf(db, params.id, { ...query, limit: limit + 1 })
    return { deliveries: deliveries.slice(0, limit), has_more: deliveries.length > limit }
  })
  serve(replayDelivery, async ({ params }, { actor }) => {
    await oneWebhook(db, actor.userId, params.id)
    const [delivery] = await deliveriesOf(db, params.id, { id: params.delivery_id, limit: 1 })
    if (!delivery) throw new Fault('not_found', 'This delivery does not exist any more.')
    if (isTestDelivery(delivery)) throw new Fault('conflict', 'This was a test. Send a new one instead.')
    const { message_id: messageId, type, body } = delivery
    return addOwnDelivery(db, { userId: actor.userId, id: params.id }, { messageId, type, body, isReplay: true })
  })
  serve(testWebhook, async ({ params: { id } }, { actor }) => {
    const event: WebhookEvent = { type: 'webhook.test', timestamp: new Date().toISOString(), data: { webhook_id: id } }
    const delivery = { messageId: `msg_${newId()}`, type: event.type, body: JSON.stringify(event) }
    return addOwnDelivery(db, { userId: actor.userId, id }, delivery)
  })
}

/** A webhook as its owner sees it. */
interface ListedWebhook extends WebhookRow {
  has_events: boolean
  event_gone: boolean
  gives_up_at: Date | null
  last_used_at: Date | null
}

/** When a failing webhook will be disabled: when the first delivery attempted since `failing_since` is given up. */
const givesUpAt: RawBuilder<Date | null> = sql`(
  select min(give_up_at) from webhook_deliveries
  where webhook_id = webhooks.id and state = 'waiting' and attempts > 0 and type <> 'webhook.test'
    and give_up_at - make_interval(hours => ${webhookLimits.retryHours}) >= webhooks.failing_since)`

/** The last attempt, as far as those of the newest deliveries say. */
const lastUsedAt: RawBuilder<Date | null> = sql`(
  select max(at) from webhook_attempts where delivery_id in (
    select id from webhook_deliveries where webhook_id = webhooks.id and attempts > 0
    order by created_at desc, id desc limit 20))`

/** A user's webhooks, oldest first; or the one with this id. */
async function webhooksOf(db: Db, userId: string, id?: string): Promise<ListedWebhook[]> {
  const webhooks = db
    .selectFrom('webhooks')
    .innerJoin('users', 'users.id', 'webhooks.user_id')
    .selectAll('webhooks')
    .select([givesUpAt.as('gives_up_at'), lastUsedAt.as('last_used_at'), accountHasEvents.as('has_events')])
    .select(
      sql<boolean>`not exists (select from events where events.id = webhooks.event_id and events.deleted_at is null)`.as(
        'event_gone',
      ),
    )
    .where('webhooks.user_id', '=', userId)
    .orderBy('webhooks.created_at')
    .orderBy('webhooks.id')
    .limit(webhookLimits.webhooksMax)
  return (id === undefined ? webhooks : webhooks.where('webhooks.id', '=', id)).execute()
}

interface DeliveryRow {
  id: string
  message_id: string
  type: WebhookDelivery['type']
  state: WebhookDelivery['state']
  is_replay: boolean
  created_at: Date
  next_attempt_at: Date | null
  body: string
  attempts: WebhookAttempt[]
}

/** Deliveries of a webhook, newest first, with their newest attempts, oldest first; with `id` that one alone. */
async function deliveriesOf(
  db: Db,
  webhookId: string,
  { id, before, state, limit }: { id?: string; before?: string | undefined; state?: string | undefined; limit: number },
): Promise<WebhookDelivery[]> {
  const isWanted = sql.join(
    [
      sql`webhook_id = ${webhookId}`,
      ...(id === undefined ? [] : [sql`id = ${id}`]),
      ...(state === undefined ? [] : [sql`state = ${state}`]),
      ...(before === undefined
        ? []
        : [sql`(created_at, id) < (select created_at, id from webhook_deliveries where id = ${before})`]),
    ],
    sql` and `,
  )
  const { rows } = await sql<DeliveryRow>`
    select delivery.id, message_id, type, state, is_replay, created_at, next_attempt_at, body, (
      select coalesce(json_agg(json_build_object('at', attempt.at, 'status', status, 'duration_ms', duration_ms,
        'error', error, 'response', response) order by number), '[]')
      from (select * from webhook_attempts where delivery_id = delivery.id order by number desc
        limit ${webhookLimits.attemptsShown}) attempt) as attempts
    from (select * from webhook_deliveries where ${isWanted} order by created_at desc, id desc limit ${limit}) delivery
    order by created_at desc, delivery.id desc`.execute(db)
  return rows.map(({ created_at: createdAt, next_attempt_at: nextAttemptAt, attempts, ...delivery }) => ({
    ...delivery,
    created_at: createdAt.toISOString(),
    next_attempt_at: nextAttemptAt?.toISOString() ?? null,
    attempts: attempts.map((attempt) => ({ ...attempt, at: new Date(attempt.at).toISOString() })),
  }))
}

function viewOf(webhook: ListedWebhook): Webhook {
  const { disabled_because: disabledBecause, previous_secret_until: previousUntil } = webhook
  return {
    id: webhook.id,
    url: webhook.url,
    events: webhook.events as WebhookEventType[], // only what the contract allows is written
    enabled: disabledBecause === null,
    disabled_because: disabledBecause as Webhook['disabled_because'], // the table has a check
    failing_since: webhook.failing_since?.toISOString() ?? null,
    gives_up_at: webhook.gives_up_at?.toISOString() ?? null,
    secret_hint: secretHint(webhook.secret_last_four),
    previous_secret_until: previousUntil && previousUntil.getTime() > Date.now() ? previousUntil.toISOString() : null,
    created_at: webhook.created_at.toISOString(),
    url_set_at: (webhook.url_set_at ?? webhook.created_at).toISOString(),
    last_used_at: webhook.last_used_at?.toISOString() ?? null,
    // A webhook that is bound says so also when the last event of its account is gone.
    ...((webhook.has_events || webhook.event_id !== null) && { event_id: webhook.event_id }),
    ...(webhook.event_id !== null && { event_gone: webhook.event_gone }),
  }
}

async function oneWebhook(db: Db, userId: string, id: string): Promise<Webhook> {
  const [webhook] = await webhooksOf(db, userId, id)
  if (!webhook) throw webhookNotFound()
  return viewOf(webhook)
}

/** The owner; throws unless it exists, is active and has API access. */
function withAccess(owner: WebhookOwner | undefined): WebhookOwner {
  if (!owner) throw unauthorized()
  if (!owner.mayDeliver) throw noApiAccess()
  return owner
}

/**
 * Checks the plan before the URL, so that only who may have webhooks can make the server look up names; and for a new URL
 * whether the password was given.
 */
async function checkUrl(
  { db, config, webhooks: { sender } }: Dependencies,
  actor: SessionActor,
  { url, isNew }: { url: string; isNew: boolean },
): Promise<void> {
  withAccess(await db.transaction().execute((tx) => lockWebhookOwner(tx, actor.userId)))
  if (isNew) await requireRecentPassword(db, actor, config)
  const problem = await sender.problemOf(url)
  if (problem !== undefined) throw invalidField('url', problem)
}

interface WebhookSettings {
  url: string
  events: WebhookEventType[]
  event_id?: string | null | undefined
}

/** A URL in the form in which it is requested, such as with a host in lower case; as it is when it is none. */
const normalizedUrl = (url: string): string => (URL.canParse(url) ? new URL(url).href : url)

/** Tells the owner by email that events of the account go to a host. */
const queueWebhookEmail = (tx: Db, userId: string, { owner, url }: { owner: WebhookOwner; url: string }) =>
  queueEmail(tx, {
    id: newId(),
    kind: 'webhook-created',
    userId,
    recipient: owner.email,
    payload: { at: new Date().toISOString(), name: new URL(url).host },
  })

async function addWebhook(
  deps: Dependencies,
  actor: SessionActor,
  { url: typedUrl, events, event_id = null }: WebhookSettings,
) {
  const {
    db,
    webhooks: { secrets },
  } = deps
  const { userId } = actor
  const url = normalizedUrl(typedUrl)
  await checkUrl(deps, actor, { url, isNew: true })
  const [id, secret] = [newId(), newSigningSecret()]
  return db.transaction().execute(async (tx) => {
    // Serializes additions, so that the count is right.
    await sql`select 1 from users where id = ${userId} for no key update`.execute(tx)
    const owner = withAccess(await lockWebhookOwner(tx, userId))
    const { rows: webhooks } = await sql`select 1 from webhooks where user_id = ${userId}`.execute(tx)
    if (webhooks.length >= webhookLimits.webhooksMax)
      throw new Fault(
        'conflict',
        `You have ${webhookLimits.webhooksMax} webhooks, the most there can be. Delete one first.`,
      )
    if (event_id !== null) await liveEvent(tx, userId, event_id)
    const encrypted = { encrypted_secret: secrets.encrypt(secret, id), secret_last_four: secret.slice(-4) }
    await tx
      .insertInto('webhooks')
      .values({ id, user_id: userId, url, events, event_id, ...encrypted })
      .execute()
    await queueWebhookEmail(tx, userId, { owner, url })
    return { ...(await oneWebhook(tx, userId, id)), secret }
  })
}

/** The locked webhook of a user whose plan has API access. */
async function lockForChange(
  tx: Db,
  userId: string,
  id: string,
): Promise<{ webhook: WebhookRow; owner: WebhookOwner }> {
  const locked = await lockOwnWebhook(tx, userId, id)
  if (!locked) throw webhookNotFound()
  withAccess(locked.owner)
  return locked
}

async function updateWebhook(
  deps: Dependencies,
  actor: SessionActor,
  { id, url: typedUrl, events, event_id, enabled }: WebhookSettings & { id: string; enabled: boolean },
): Promise<Webhook> {
  const { db } = deps
  const { userId } = actor
  const url = normalizedUrl(typedUrl)
  const before = await oneWebhook(db, userId, id)
  const isNew = url !== before.url
  if (isNew || (enabled && !before.enabled)) await checkUrl(deps, actor, { url, isNew })
  return db.transaction().execute(async (tx) => {
    const { webhook, owner } = await lockForChange(tx, userId, id)
    if (event_id != null && event_id !== webhook.event_id) await liveEvent(tx, userId, event_id)
    const isOff = webhook.disabled_because !== null
    await tx
      .updateTable('webhooks')
      .set({
        url,
        events,
        ...(event_id !== undefined && { event_id }),
        ...(enabled && { disabled_because: null, disabled_at: null }),
        ...(!enabled && !isOff && { disabled_because: 'owner', disabled_at: sql<Date>`now()` }),
        // A new start.
        ...((url !== webhook.url || enabled === isOff) && { failing_since: null }),
        ...(url !== webhook.url && { slow_until: slowUntil, url_set_at: sql<Date>`now()` }),
      })
      .where('id', '=', id)
      .execute()
    if (url !== webhook.url) await queueWebhookEmail(tx, userId, { owner, url })
    if (!enabled) await cancelWaitingDeliveries(tx, id)
    return oneWebhook(tx, userId, id)
  })
}

/**
 * Replaces the secret; the previous one signs too for a day. One that was replaced before that ends at once. Who reads it can send the
 * owner's server forged events, so the password must have been given.
 */
async function replaceSecret({ db, config, webhooks: { secrets } }: Dependencies, actor: SessionActor, id: string) {
  const secret = newSigningSecret()
  return db.transaction().execute(async (tx) => {
    const { webhook } = await lockForChange(tx, actor.userId, id)
    await requireRecentPassword(tx, actor, config)
    await tx
      .updateTable('webhooks')
      .set({
        encrypted_secret: secrets.encrypt(secret, id),
        secret_last_four: secret.slice(-4),
        encrypted_previous_secret: webhook.encrypted_secret,
        previous_secret_until: sql<Date>`now() + make_interval(hours => ${webhookLimits.secretOverlapHours})`,
      })
      .where('id', '=', id)
      .execute()
    return { ...(await oneWebhook(tx, actor.userId, id)), secret }
  })
}

/** Adds a delivery that the owner asked for. */
const addOwnDelivery = (
  db: Db,
  { userId, id }: { userId: string; id: string },
  newDelivery: NewDelivery,
): Promise<WebhookDelivery> =>
  db.transaction().execute(async (tx) => {
    const { webhook } = await lockForChange(tx, userId, id)
    if (webhook.disabled_because !== null)
      throw new Fault('conflict', 'This webhook is switched off. Switch it on first.')
    if (await isEventGone(tx, webhook.event_id))
      throw new Fault('conflict', 'The event of this webhook was deleted. Bring it back, or choose another event.')
    const { rows: last } = await sql`
      select 1 from webhooks join webhook_deliveries delivery on delivery.webhook_id = webhooks.id
      where user_id = ${userId} and delivery.created_at > now() - interval '1 day'
        and (is_replay or type = 'webhook.test')
      offset ${webhookLimits.ownDeliveriesPerDay - 1} limit 1`.execute(tx)
    if (last.length > 0)
      throw new Fault(
        'rate_limited',
        `Tests and replays are limited to ${webhookLimits.ownDeliveriesPerDay} a day. Please try again later.`,
        60 * 60,
      )
    const deliveryId = await addDelivery(tx, id, newDelivery)
    const [delivery] = deliveryId === undefined ? [] : await deliveriesOf(tx, id, { id: deliveryId, limit: 1 })
    if (delivery?.state !== 'waiting')
      throw new Fault('conflict', 'Too many deliveries of this webhook wait already. Please try again later.')
    return delivery
  })
