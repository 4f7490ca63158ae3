import { Array, Boolean, Integer, Literal, Null, Object, Optional, String, Union, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'
import { webhookLimits } from './limits.ts'
import { WebhookEventType } from './webhook-events.ts'

const ByWebhookId = Object({ id: String({ maxLength: 128 }) })
const ByDelivery = Object({ id: String({ maxLength: 128 }), delivery_id: String({ maxLength: 128 }) })

const webhookFields = {
  id: String(),
  /** Where the events are sent: https, unless WEBHOOK_ALLOWED_HOSTS names the host. */
  url: String(),
  events: Array(WebhookEventType),
  enabled: Boolean(),
  /** Why it is switched off: by its owner, or because deliveries failed for a day; null while it is enabled. */
  disabled_because: Union([Literal('owner'), Literal('failing'), Null()]),
  /** Since when no delivery has succeeded; null while they do. */
  failing_since: Union([String(), Null()]),
  /** When it is switched off if deliveries go on failing; null while none is being attempted again. */
  gives_up_at: Union([String(), Null()]),
  /** The secret as lists show it, such as `whsec_...3vd=`. */
  secret_hint: String(),
  /** Until when the previous secret signs too; null without one. */
  previous_secret_until: Union([String(), Null()]),
  created_at: String(),
  /** When it was given its present URL. */
  url_set_at: String(),
  /** The last attempt to deliver; null without one in the log. */
  last_used_at: Union([String(), Null()]),
}

/** A receiver of events. Times are ISO 8601 in UTC. */
export const Webhook = Object(webhookFields)
export type Webhook = Static<typeof Webhook>

/** A webhook with its whole signing secret. */
export const WebhookWithSecret = Object({ ...webhookFields, secret: String() })
export type WebhookWithSecret = Static<typeof WebhookWithSecret>

/** One attempt to deliver. */
export const WebhookAttempt = Object({
  at: String(),
  /** Of the answer; null if there was none. */
  status: Union([Integer(), Null()]),
  duration_ms: Integer(),
  /** Why there was no answer, or not all of it, as a sentence; null if there was one. A redirect is an answer, and a failure. */
  error: Union([String(), Null()]),
  /** The beginning of the answer's body, at most 1 KB. */
  response: Union([String(), Null()]),
})
export type WebhookAttempt = Static<typeof WebhookAttempt>

/** One event to one webhook. */
export const WebhookDelivery = Object({
  id: String(),
  /** Sent as `webhook-id`; a replay carries the same, so that receivers can tell it from a new event. */
  message_id: String(),
  type: Union([WebhookEventType, Literal('webhook.test')]),
  /** `cancelled`: the webhook was switched off or the plan ended before it was delivered, or too many deliveries waited. */
  state: Union([Literal('waiting'), Literal('delivered'), Literal('failed'), Literal('cancelled')]),
  is_replay: Boolean(),
  created_at: String(),
  /** While it waits. */
  next_attempt_at: Union([String(), Null()]),
  /** The body that is sent, as JSON text. */
  body: String(),
  /** The oldest first; the newest 20 of them. */
  attempts: Array(WebhookAttempt),
})
export type WebhookDelivery = Static<typeof WebhookDelivery>

const webhookBody = {
  url: String({ minLength: 1, maxLength: webhookLimits.urlChars, pattern: '^[^\\0]*$' }),
  events: Array(WebhookEventType, { minItems: 1, maxItems: 4, uniqueItems: true }),
}

export const listWebhooks = endpoint({
  method: 'GET',
  path: '/api/webhooks',
  access: 'user',
  summary: 'List your webhooks, oldest first.',
  reply: Array(Webhook),
})
/**
 * 403 `confirm_password` as for an API key, also when the URL is changed or the secret replaced; 403 `forbidden` without API access in the plan, as all
 * changes but deletion; 409 with the most webhooks that an account may have; 422 for a URL that is refused.
 */
export const createWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks',
  access: 'user',
  rate: 'integrations',
  summary: 'Create a webhook. This answer contains the whole signing secret.',
  body: Object(webhookBody, { additionalProperties: false }),
  status: 201,
  reply: WebhookWithSecret,
})
export const changeWebhook = endpoint({
  method: 'PUT',
  path: '/api/webhooks/:id',
  access: 'user',
  rate: 'integrations',
  summary: 'Change a webhook, or switch it on or off.',
  params: ByWebhookId,
  body: Object({ ...webhookBody, enabled: Boolean() }, { additionalProperties: false }),
  reply: Webhook,
})
export const deleteWebhook = endpoint({
  method: 'DELETE',
  path: '/api/webhooks/:id',
  access: 'user',
  rate: 'integrations',
  summary: 'Delete a webhook and its log of deliveries.',
  params: ByWebhookId,
  status: 204,
  reply: Null(),
})
/** Those that do not exist any more are ignored. */
export const deleteWebhooks = endpoint({
  method: 'POST',
  path: '/api/webhooks/revocation',
  access: 'user',
  rate: 'integrations',
  summary: 'Delete several webhooks together.',
  body: Object(
    { ids: Array(String({ minLength: 8, maxLength: 128 }), { maxItems: webhookLimits.webhooksMax }) },
    { additionalProperties: false },
  ),
  status: 204,
  reply: Null(),
})
/** The previous secret signs too for a day, so that a receiver can change over without losing an event. */
export const replaceWebhookSecret = endpoint({
  method: 'POST',
  path: '/api/webhooks/:id/secret',
  access: 'user',
  rate: 'integrations',
  summary: 'Replace the signing secret. This answer contains the new one.',
  params: ByWebhookId,
  ignoreBody: true,
  reply: WebhookWithSecret,
})
export const listDeliveries = endpoint({
  method: 'GET',
  path: '/api/webhooks/:id/deliveries',
  access: 'user',
  summary: 'List deliveries of the last 30 days, newest first.',
  params: ByWebhookId,
  query: Object(
    {
      limit: Optional(Integer({ minimum: 1, maximum: webhookLimits.deliveriesPageMax })),
      /** Id of a delivery: only older ones. */
      before: Optional(String({ maxLength: 128 })),
      state: Optional(Union([Literal('waiting'), Literal('delivered'), Literal('failed'), Literal('cancelled')])),
    },
    { additionalProperties: false },
  ),
  reply: Object({ deliveries: Array(WebhookDelivery), has_more: Boolean() }),
})
/** Also of a delivery that succeeded; not of a test. 409 while the webhook is switched off. */
export const replayDelivery = endpoint({
  method: 'POST',
  path: '/api/webhooks/:id/deliveries/:delivery_id/replay',
  access: 'user',
  rate: 'integrations',
  summary: 'Send the event of a delivery again.',
  params: ByDelivery,
  ignoreBody: true,
  status: 201,
  reply: WebhookDelivery,
})
/** Attempted once. 409 while the webhook is switched off. */
export const testWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks/:id/test',
  access: 'user',
  rate: 'integrations',
  summary: 'Send a test event to a webhook.',
  params: ByWebhookId,
  ignoreBody: true,
  status: 201,
  reply: WebhookDelivery,
})
