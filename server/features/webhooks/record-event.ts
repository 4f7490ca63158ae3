import type { Db } from '../../db/connect.ts'
import type { RecordedEvent } from '../../jobs/jobs.ts'
import { addDelivery } from './delivery-queue.ts'
import { lockWebhookOwner } from './lock.ts'

/** Adds a delivery of an event to each webhook of its user that is about such events. May run twice. */
export async function recordWebhookEvent(db: Db, event: RecordedEvent): Promise<void> {
  const { userId, messageId, type, timestamp, data } = event
  await db.transaction().execute(async (tx) => {
    const owner = await lockWebhookOwner(tx, userId)
    if (!owner?.mayDeliver) return
    const webhooks = await tx
      .selectFrom('webhooks')
      .select(['id', 'events'])
      .where('user_id', '=', userId)
      .where('disabled_because', 'is', null)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
    const body = JSON.stringify({ type, timestamp, data })
    for (const webhook of webhooks)
      if (webhook.events.includes(type)) await addDelivery(tx, webhook.id, { messageId, type, body, at: timestamp })
  })
}
