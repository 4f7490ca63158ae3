import { sql } from 'kysely'
import { webhookLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../db/connect.ts'
import { enqueue } from '../../jobs/queue.ts'
import { newId } from '../../lib/ids.ts'

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
export async function enqueueNextDelivery(tx: Db, id: string): Promise<void> {
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

/** Cancels what waits at a locked webhook. */
export async function cancelWaitingDeliveries(tx: Db, webhookId: string): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ state: 'cancelled', next_attempt_at: null, finished_at: sql<Date>`now()` })
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'waiting')
    .execute()
}
