import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { webhookLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { DeliveryAttempt } from '../../ports/webhooks/webhook-sender.ts'
import { cancelWaitingDeliveries, enqueueNextDelivery } from './delivery-queue.ts'
import { lockWebhook, type WebhookRow } from './lock.ts'
import { isSuccess, recordAttempt, type ClaimedDelivery } from './record-attempt.ts'
import { signedHeaders } from './signing.ts'

type DeliveryDependencies = Pick<Dependencies, 'db' | 'log' | 'webhooks' | 'metrics'>

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
    if (webhook.disabled_because !== null || !owner.mayDeliver) {
      await cancelWaitingDeliveries(tx, webhookId)
      return undefined
    }
    const delivery = await claimDueDelivery(tx, webhook)
    if (!delivery) await enqueueNextDelivery(tx, webhookId)
    return delivery
  })

/** The secrets that sign now; undefined when they were encrypted with another secret key of the server. */
function signingSecrets({ webhooks }: DeliveryDependencies, webhook: WebhookRow): string[] | undefined {
  const current = webhooks.secrets.decrypt(webhook.encrypted_secret, webhook.id)
  if (current === undefined) return undefined
  const { encrypted_previous_secret: encrypted, previous_secret_until: until } = webhook
  if (!encrypted || !until || until.getTime() <= Date.now()) return [current]
  const previous = webhooks.secrets.decrypt(encrypted, webhook.id)
  return previous === undefined ? [current] : [current, previous]
}

function attemptDelivery(deps: DeliveryDependencies, delivery: ClaimedDelivery): Promise<DeliveryAttempt> {
  const { webhook, messageId, body } = delivery
  const secrets = signingSecrets(deps, webhook)
  if (!secrets) {
    const error = 'The signing secret cannot be read any more. Replace it in Settings.'
    return Promise.resolve({ status: null, response: null, error, durationMs: 0 })
  }
  const headers = signedHeaders({ messageId, timestamp: Math.floor(Date.now() / 1000), body, secrets })
  return deps.webhooks.sender.send({ url: webhook.url, headers, body })
}

async function attemptAndRecord(deps: DeliveryDependencies, delivery: ClaimedDelivery): Promise<void> {
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
export async function deliverToWebhook(deps: DeliveryDependencies, webhookId: string): Promise<void> {
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
