import { sql } from 'kysely'
import { webhookLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../db/connect.ts'
import { newSigningSecret } from '../features/webhooks/signing.ts'
import { newId } from '../lib/ids.ts'
import type { DemoAccount } from './accounts.ts'
import { callApi, type FillContext } from './fill-context.ts'
import type { DemoPhoto } from './photos.ts'

/** Creates two API keys, one of them used five hours ago. Their full values are discarded. */
async function addKeys(context: FillContext, { id, token }: DemoAccount): Promise<void> {
  for (const body of [{ name: 'Booth 1 (barn)' }, { name: 'Booth 2 (rental)', expires_in_days: 90 }])
    await callApi(context, token, { method: 'POST', url: '/api/keys', body })
  await sql`
    update api_keys set created_at = now() - interval '40 days',
      last_used_at = case when expires_at is null then now() - interval '5 hours' end
    where user_id = ${id}`.execute(context.deps.db)
}

/** Adds a finished webhook delivery and its only attempt. */
async function addDelivery(tx: Db, webhookId: string, photo: DemoPhoto): Promise<void> {
  const [id, messageId] = [newId(), `msg_${newId()}`]
  const isFailed = photo.filename.endsWith('7.jpg')
  const data = { photo_id: photo.id, filename: photo.filename, created_at: photo.takenAt.toISOString() }
  const body = JSON.stringify({ type: 'photo.ready', timestamp: photo.takenAt.toISOString(), data })
  await sql`
    insert into webhook_deliveries (id, webhook_id, message_id, type, body, state, attempts, created_at, give_up_at, finished_at)
    values (${id}, ${webhookId}, ${messageId}, 'photo.ready', ${body}, ${isFailed ? 'failed' : 'delivered'}, 1, ${photo.takenAt},
      ${photo.takenAt}::timestamptz + make_interval(hours => ${webhookLimits.retryHours}), ${photo.takenAt}::timestamptz + interval '1 second')`.execute(
    tx,
  )
  await sql`
    insert into webhook_attempts (delivery_id, number, at, status, duration_ms, response)
    values (${id}, 1, ${photo.takenAt}, ${isFailed ? 503 : 200}, ${isFailed ? 1_240 : 86}, ${isFailed ? 'Service Unavailable' : '{"ok":true}'})`.execute(
    tx,
  )
}

/**
 * Inserts a webhook with a delivery log. It is disabled and its host does not exist, so nothing is ever sent to it. Not
 * created through the API, which would resolve the host.
 */
async function addWebhook({ deps }: FillContext, userId: string, photos: readonly DemoPhoto[]): Promise<void> {
  const [id, secret] = [newId(), newSigningSecret()]
  await deps.db.transaction().execute(async (tx) => {
    await sql`
      insert into webhooks (id, user_id, url, events, encrypted_secret, secret_last_four, disabled_because, disabled_at, created_at)
      values (${id}, ${userId}, 'https://hooks.lumen-booths.example/keepsnap', '{photo.ready,request.created}',
        ${deps.webhooks.secrets.encrypt(secret, id)}, ${secret.slice(-4)}, 'owner', now() - interval '2 days', now() - interval '50 days')`.execute(
      tx,
    )
    for (const photo of photos.filter(({ owner }) => owner === 'studio')) await addDelivery(tx, id, photo)
  })
}

/** What a customer with API access has: keys, and a webhook with a log of deliveries. */
export async function addIntegrations(
  context: FillContext,
  account: DemoAccount,
  photos: readonly DemoPhoto[],
): Promise<void> {
  await addKeys(context, account)
  await addWebhook(context, account.id, photos)
}
