import { sql, type RawBuilder } from 'kysely'
import type { WebhookAttempt, WebhookDelivery } from '@keepsnap/contract/webhooks.ts'
import { webhookLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../db/connect.ts'
import type { WebhookRow } from './lock.ts'

/** A webhook as its owner sees it. */
export interface ListedWebhook extends WebhookRow {
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
export async function webhooksOf(db: Db, userId: string, id?: string): Promise<ListedWebhook[]> {
  const webhooks = db
    .selectFrom('webhooks')
    .selectAll()
    .select([givesUpAt.as('gives_up_at'), lastUsedAt.as('last_used_at')])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(webhookLimits.webhooksMax)
  return (id === undefined ? webhooks : webhooks.where('id', '=', id)).execute()
}

/** The number of webhooks of an account. */
export async function countWebhooks(tx: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ webhooks: number }>`
    select count(*)::int as webhooks from webhooks where user_id = ${userId}`.execute(tx)
  return rows[0]?.webhooks ?? 0
}

/** Whether an account has asked for as many tests and replays within a day as it may. */
export async function hasReachedDailyLimit(tx: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from webhooks join webhook_deliveries delivery on delivery.webhook_id = webhooks.id
    where user_id = ${userId} and delivery.created_at > now() - interval '1 day'
      and (is_replay or type = 'webhook.test')
    offset ${webhookLimits.ownDeliveriesPerDay - 1} limit 1`.execute(tx)
  return rows.length > 0
}

/** Which deliveries a list has. */
export interface DeliveryQuery {
  /** One delivery, whatever the rest says. */
  id?: string
  before?: string | undefined
  state?: string | undefined
  limit: number
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

/** Deliveries of a webhook, newest first, with their newest attempts, oldest first. */
export async function deliveriesOf(
  db: Db,
  webhookId: string,
  { id, before, state, limit }: DeliveryQuery,
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
