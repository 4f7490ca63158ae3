import { Webhook as Verifier } from 'standardwebhooks'
import type { Webhook, WebhookDelivery, WebhookWithSecret } from '@keepsnap/contract/integrations.ts'
import { makeJobsDue, type TestServer } from '../../../test/harness.ts'
import type { TestUser } from '../../../test/test-data.ts'
import type { ReceivedWebhook } from '../../../test/webhook-receiver.ts'

export const allEvents = ['photo.ready', 'photo.failed', 'photo.deleted', 'request.created'] as const

/** Calls an endpoint of webhooks; `path` follows `/api/webhooks`. */
export const callWebhooks = (
  server: TestServer,
  { token }: TestUser,
  [method, path, body]: [method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object],
) => server.request({ method, url: `/api/webhooks${path}`, token, ...(body && { body }) })

export async function createWebhook(
  server: TestServer,
  user: TestUser,
  url: string,
  events: readonly string[] = allEvents,
): Promise<WebhookWithSecret> {
  const answer = await callWebhooks(server, user, ['POST', '', { url, events }])
  if (answer.statusCode !== 201) throw new Error(`answered ${answer.statusCode}: ${answer.body}`)
  return answer.json<WebhookWithSecret>()
}

export const fetchWebhooks = async (server: TestServer, user: TestUser): Promise<Webhook[]> =>
  (await callWebhooks(server, user, ['GET', ''])).json<Webhook[]>()

export async function fetchDeliveries(
  server: TestServer,
  user: TestUser,
  { id, query = '' }: { id: string; query?: string },
): Promise<WebhookDelivery[]> {
  const answer = await callWebhooks(server, user, ['GET', `/${id}/deliveries${query}`])
  return answer.json<{ deliveries: WebhookDelivery[] }>().deliveries
}

/** Simulates that time has passed for webhooks: moves their timestamps and the times of their jobs into the past. */
export async function advanceWebhookTime({ app }: TestServer, interval: string): Promise<void> {
  await app.deps.pool.query(
    `update webhook_deliveries set next_attempt_at = next_attempt_at - $1::interval, give_up_at = give_up_at - $1::interval,
      created_at = created_at - $1::interval, finished_at = finished_at - $1::interval`,
    [interval],
  )
  await app.deps.pool.query(
    `update webhooks set failing_since = failing_since - $1::interval, previous_secret_until = previous_secret_until - $1::interval,
      busy_until = busy_until - $1::interval, slow_until = slow_until - $1::interval`,
    [interval],
  )
  await makeJobsDue(app.deps.pool, 'webhook%')
}

/** What a receiver reads with the reference library; throws if the signature is not that of the secret. */
export const verifySignature = (secret: string, { headers, body }: ReceivedWebhook): unknown =>
  new Verifier(secret).verify(body, headers as Record<string, string>) // the three headers are there once
