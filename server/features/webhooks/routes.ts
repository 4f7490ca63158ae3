import { sql } from 'kysely'
import { webhookLimits } from '@keepsnap/contract/limits.ts'
import type { WebhookEvent, WebhookEventType } from '@keepsnap/contract/webhook-events.ts'
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
  type WebhookDelivery,
} from '@keepsnap/contract/webhooks.ts'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requireRecentPassword } from '../../domain/recent-password.ts'
import { queueEmail } from '../../emails/queue-email.ts'
import { Fault, invalidField, noApiAccess, unauthorized } from '../../faults.ts'
import type { SessionActor } from '../../http/actor.ts'
import type { Serve } from '../../http/serve.ts'
import { newId } from '../../lib/ids.ts'
import { addDelivery, cancelWaitingDeliveries, slowUntil, type NewDelivery } from './delivery-queue.ts'
import { lockOwnWebhook, lockWebhookOwner, type WebhookOwner, type WebhookRow } from './lock.ts'
import { countWebhooks, deliveriesOf, hasReachedDailyLimit, webhooksOf, type ListedWebhook } from './queries.ts'
import { isTestDelivery } from './record-attempt.ts'
import { newSigningSecret, secretHint } from './signing.ts'

type WebhookDependencies = Pick<Dependencies, 'db' | 'webhooks' | 'config'>

const webhookNotFound = (): Fault => new Fault('not_found', 'This webhook does not exist.')
const switchedOff = (): Fault => new Fault('conflict', 'This webhook is switched off. Switch it on first.')

const dailyLimitReached = (): Fault =>
  new Fault(
    'rate_limited',
    `Tests and replays are limited to ${webhookLimits.ownDeliveriesPerDay} a day. Please try again later.`,
    60 * 60,
  )

/** The webhooks of an account, and the log of their deliveries. */
export function webhookRoutes(serve: Serve, deps: WebhookDependencies): void {
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
  serveDeliveries(serve, deps)
}

function serveDeliveries(serve: Serve, { db }: WebhookDependencies): void {
  serve(listDeliveries, async ({ params, query }, { actor }) => {
    await oneWebhook(db, actor.userId, params.id)
    const limit = query.limit ?? webhookLimits.deliveriesPageDefault
    const deliveries = await deliveriesOf(db, params.id, { ...query, limit: limit + 1 })
    return { deliveries: deliveries.slice(0, limit), has_more: deliveries.length > limit }
  })
  serve(replayDelivery, async ({ params }, { actor }) => {
    const [delivery] = await ownDelivery(db, actor.userId, params)
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
  { db, config, webhooks: { sender } }: WebhookDependencies,
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

async function addWebhook(deps: WebhookDependencies, actor: SessionActor, { url: typedUrl, events }: WebhookSettings) {
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
    if ((await countWebhooks(tx, userId)) >= webhookLimits.webhooksMax)
      throw new Fault(
        'conflict',
        `You have ${webhookLimits.webhooksMax} webhooks, the most there can be. Delete one first.`,
      )
    const encrypted = { encrypted_secret: secrets.encrypt(secret, id), secret_last_four: secret.slice(-4) }
    await tx
      .insertInto('webhooks')
      .values({ id, user_id: userId, url, events, ...encrypted })
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
  deps: WebhookDependencies,
  actor: SessionActor,
  { id, url: typedUrl, events, enabled }: WebhookSettings & { id: string; enabled: boolean },
): Promise<Webhook> {
  const { db } = deps
  const { userId } = actor
  const url = normalizedUrl(typedUrl)
  const before = await oneWebhook(db, userId, id)
  const isNew = url !== before.url
  if (isNew || (enabled && !before.enabled)) await checkUrl(deps, actor, { url, isNew })
  return db.transaction().execute(async (tx) => {
    const { webhook, owner } = await lockForChange(tx, userId, id)
    const isOff = webhook.disabled_because !== null
    await tx
      .updateTable('webhooks')
      .set({
        url,
        events,
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
async function replaceSecret(
  { db, config, webhooks: { secrets } }: WebhookDependencies,
  actor: SessionActor,
  id: string,
) {
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

async function ownDelivery(
  db: Db,
  userId: string,
  { id, delivery_id: deliveryId }: { id: string; delivery_id: string },
): Promise<WebhookDelivery[]> {
  await oneWebhook(db, userId, id)
  return deliveriesOf(db, id, { id: deliveryId, limit: 1 })
}

/** Adds a delivery that the owner asked for. */
const addOwnDelivery = (
  db: Db,
  { userId, id }: { userId: string; id: string },
  newDelivery: NewDelivery,
): Promise<WebhookDelivery> =>
  db.transaction().execute(async (tx) => {
    const { webhook } = await lockForChange(tx, userId, id)
    if (webhook.disabled_because !== null) throw switchedOff()
    if (await hasReachedDailyLimit(tx, userId)) throw dailyLimitReached()
    const deliveryId = await addDelivery(tx, id, newDelivery)
    const [delivery] = deliveryId === undefined ? [] : await deliveriesOf(tx, id, { id: deliveryId, limit: 1 })
    if (delivery?.state !== 'waiting')
      throw new Fault('conflict', 'Too many deliveries of this webhook wait already. Please try again later.')
    return delivery
  })
