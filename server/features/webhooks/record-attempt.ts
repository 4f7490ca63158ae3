import { sql } from 'kysely'
import { webhookLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../db/connect.ts'
import { queueEmail } from '../../emails/queue-email.ts'
import { newId } from '../../lib/ids.ts'
import type { DeliveryAttempt } from '../../ports/webhooks/webhook-sender.ts'
import { cancelWaitingDeliveries, enqueueNextDelivery, slowUntil } from './delivery-queue.ts'
import { lockWebhook, type WebhookOwner, type WebhookRow } from './lock.ts'
import { retryDelaySeconds } from './retries.ts'

/** A delivery that is being attempted. */
export interface ClaimedDelivery {
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
export const isSuccess = ({ status, error }: DeliveryAttempt): boolean =>
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
export async function recordAttempt(tx: Db, delivery: ClaimedDelivery, attempt: DeliveryAttempt): Promise<void> {
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
