import { Array, Boolean, Integer, Literal, Null, Object, Optional, String, Union, type Static } from 'typebox'
import { ById, endpoint, exact, nullable, oneOf, pathId, text } from './endpoint.ts'
import type { FaultCode } from './errors.ts'
import { apiKeyLimits, customerApiLimits, limits, webhookLimits } from './limits.ts'
import { EventFilter, Photo } from './photos.ts'

const keyFields = {
  id: String(),
  name: String(),
  /** In full only in the answer that creates it; otherwise prefix and last four characters, such as `ksnap_...4f9c`. */
  key: String(),
  created_at: String(),
  /** Exact to a minute; null if it was never used. */
  last_used_at: nullable(String()),
  /** From when on it is refused; null if it does not expire. An expired key stays in the list until it is deleted. */
  expires_at: nullable(String()),
  /** The event whose photos alone it reads and adds, or null; only in accounts that have events. It stays when the event is gone. */
  event_id: Optional(nullable(String())),
}

/** A customer's API key. Times are ISO 8601 in UTC. */
export const ApiKey = Object(keyFields)
export type ApiKey = Static<typeof ApiKey>

export const listApiKeys = endpoint({
  method: 'GET',
  path: '/api/keys',
  access: 'user',
  summary: 'List your API keys, newest first.',
  reply: Array(ApiKey),
})
/**
 * 403 `confirm_password` unless the session signed in, or gave the password, within the last 10 minutes; 403 `forbidden` without
 * API access in the plan, and with an unconfirmed address where emails are sent by SMTP; 409 with the most keys that an account may have.
 */
export const createApiKey = endpoint({
  method: 'POST',
  path: '/api/keys',
  access: 'user',
  rate: 'integrations',
  summary: 'Create an API key. This answer is the only one that contains the whole key.',
  body: exact({
    /** Trimmed; `contract/form-rules.ts` checks it. */
    name: String({ maxLength: 1024 }),
    /** Without it the key does not expire. */
    expires_in_days: Optional(Integer({ minimum: 1, maximum: apiKeyLimits.expiryDaysMax })),
    /** An event of the account that is not deleted, which the key is bound to. */
    event_id: Optional(nullable(text(128))),
  }),
  status: 201,
  reply: ApiKey,
})
/** Also without API access in the plan: an owner can always end what a key opens. */
export const deleteApiKey = endpoint({
  method: 'DELETE',
  path: '/api/keys/:id',
  access: 'user',
  rate: 'integrations',
  summary: 'Delete an API key. It stops working within a second.',
  params: ById,
  status: 204,
  reply: Null(),
})
/** Those that do not exist any more are ignored. */
export const deleteApiKeys = endpoint({
  method: 'POST',
  path: '/api/keys/revocation',
  access: 'user',
  rate: 'integrations',
  summary: 'Delete several API keys together.',
  body: exact({ ids: Array(String({ minLength: 8, maxLength: 128 }), { maxItems: apiKeyLimits.keysMax }) }),
  status: 204,
  reply: Null(),
})

// Calls for programs with a customer's API key; `GET /user/me` is among them.

export const uploadPhotoByKey = endpoint({
  method: 'POST',
  path: '/api/upload',
  access: 'key',
  rate: 'photos',
  summary: 'Upload one photo. Responds once the photo is stored durably; processing follows.',
  upload: 'image',
  idempotent: true,
  query: exact({
    /** Seconds to wait for the end of processing before the answer. The answer is the same 201 when it has not ended by then. */
    wait: Optional(Integer({ minimum: 0, maximum: customerApiLimits.waitSecondsMax })),
    /** Without it, the event of the key, or the current event when the request begins. */
    event: Optional(EventFilter),
  }),
  status: 201,
  reply: Photo,
})

/** One page of the photos, and how many there are. */
export const PhotoPage = Object({ photos: Array(Photo), total: Integer(), skip: Integer(), limit: Integer() })
export type PhotoPage = Static<typeof PhotoPage>

export const listPhotosByKey = endpoint({
  method: 'GET',
  path: '/api/photos',
  access: 'key',
  rate: 'photos',
  summary: 'List photos, newest first.',
  query: exact({
    /** How many of the newest to leave out; 0 if not given. */
    skip: Optional(Integer({ minimum: 0, maximum: limits.skipMax })),
    /** Only photos older than the photo with this id. Not together with `skip`. */
    before: Optional(String({ maxLength: 128 })),
    /** 50 if not given. */
    limit: Optional(Integer({ minimum: 1, maximum: customerApiLimits.pageMax })),
    /** Without it, the event of the key, or all photos. */
    event: Optional(EventFilter),
  }),
  reply: PhotoPage,
})

export const latestPhotoByKey = endpoint({
  method: 'GET',
  path: '/api/photos/latest',
  access: 'key',
  rate: 'photos',
  summary: 'Get the newest photo that is not hidden from guests; 404 if there is none.',
  /** Without it, the event of the key, or the current event if there is one. */
  query: Object({ event: Optional(EventFilter) }),
  reply: Photo,
})

/** What webhooks can be about. */
export const webhookEventTypes = ['photo.ready', 'photo.failed', 'photo.deleted', 'request.created'] as const
export type WebhookEventType = (typeof webhookEventTypes)[number]
/** One of `webhookEventTypes`. */
export const WebhookEventType = oneOf(...webhookEventTypes)

const photo = { photo_id: String(), filename: String() }

/** A photo and its codes are ready. `timestamp`: when it happened, ISO 8601 in UTC, as in every event. */
export const PhotoReadyEvent = Object({
  type: Literal('photo.ready'),
  timestamp: String(),
  data: Object({ ...photo, created_at: String() }),
})
/** A photo could not be processed; why, as a sentence for the owner. */
export const PhotoFailedEvent = Object({
  type: Literal('photo.failed'),
  timestamp: String(),
  data: Object({ ...photo, created_at: String(), error_message: String() }),
})
/** A photo was deleted by its owner or removed after a larger plan ended. */
export const PhotoDeletedEvent = Object({
  type: Literal('photo.deleted'),
  timestamp: String(),
  data: Object(photo),
})
/** A guest requested a photo by email. The address of the guest is not in it. */
export const RequestCreatedEvent = Object({
  type: Literal('request.created'),
  timestamp: String(),
  data: Object({ ...photo, request_id: String(), requested_at: String() }),
})
/** What the test button sends, whatever events the webhook is for. */
export const WebhookTestEvent = Object({
  type: Literal('webhook.test'),
  timestamp: String(),
  data: Object({ webhook_id: String() }),
})

/** The body of a request to a webhook: ids, file name and time; no URLs of images and no tokens. */
export const WebhookEvent = Union([
  PhotoReadyEvent,
  PhotoFailedEvent,
  PhotoDeletedEvent,
  RequestCreatedEvent,
  WebhookTestEvent,
])
export type WebhookEvent = Static<typeof WebhookEvent>

const ByDelivery = Object({ id: pathId, delivery_id: pathId })

const webhookFields = {
  id: String(),
  /** Where the events are sent: https, unless WEBHOOK_ALLOWED_HOSTS names the host. */
  url: String(),
  events: Array(WebhookEventType),
  enabled: Boolean(),
  /** Why it is switched off: by its owner, or because deliveries failed for a day; null while it is enabled. */
  disabled_because: Union([Literal('owner'), Literal('failing'), Null()]),
  /** Since when no delivery has succeeded; null while they do. */
  failing_since: nullable(String()),
  /** When it is switched off if deliveries go on failing; null while none is being attempted again. */
  gives_up_at: nullable(String()),
  /** The secret as lists show it, such as `whsec_...3vd=`. */
  secret_hint: String(),
  /** Until when the previous secret signs too; null without one. */
  previous_secret_until: nullable(String()),
  created_at: String(),
  /** When it was given its present URL. */
  url_set_at: String(),
  /** The last attempt to deliver; null without one in the log. */
  last_used_at: nullable(String()),
  /** Of which event of the account its events are; null: of all. Only in accounts that have events. */
  event_id: Optional(nullable(String())),
  /** Whether that event is deleted, so that nothing is sent. Only with an `event_id`. */
  event_gone: Optional(Boolean()),
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
  status: nullable(Integer()),
  duration_ms: Integer(),
  /** Why there was no answer, or not all of it, as a sentence; null if there was one. A redirect is an answer, and a failure. */
  error: nullable(String()),
  /** The beginning of the answer's body, at most 1 KB. */
  response: nullable(String()),
})
export type WebhookAttempt = Static<typeof WebhookAttempt>

const DeliveryState = oneOf('waiting', 'delivered', 'failed', 'cancelled')
/** One event to one webhook. */
export const WebhookDelivery = Object({
  id: String(),
  /** Sent as `webhook-id`; a replay carries the same, so that receivers can tell it from a new event. */
  message_id: String(),
  type: Union([WebhookEventType, Literal('webhook.test')]),
  /** `cancelled`: the webhook was switched off or the plan ended before it was delivered, or too many deliveries waited. */
  state: DeliveryState,
  is_replay: Boolean(),
  created_at: String(),
  /** While it waits. */
  next_attempt_at: nullable(String()),
  /** The body that is sent, as JSON text. */
  body: String(),
  /** The oldest first; the newest 20 of them. */
  attempts: Array(WebhookAttempt),
})
export type WebhookDelivery = Static<typeof WebhookDelivery>

const webhookBody = {
  url: text(webhookLimits.urlChars, 1),
  events: Array(WebhookEventType, { minItems: 1, maxItems: 4, uniqueItems: true }),
  /** Only what happens to photos of this event; null: of all. Without it, a new webhook is for all, and a changed one keeps its event. */
  event_id: Optional(nullable(text(128))),
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
 * changes but deletion; 404 and 409 for an event that is not there or deleted; 409 with the most webhooks that an account may have;
 * 422 for a URL that is refused.
 */
export const createWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks',
  access: 'user',
  rate: 'integrations',
  summary: 'Create a webhook. This answer contains the whole signing secret.',
  body: exact(webhookBody),
  status: 201,
  reply: WebhookWithSecret,
})
export const changeWebhook = endpoint({
  method: 'PUT',
  path: '/api/webhooks/:id',
  access: 'user',
  rate: 'integrations',
  summary: 'Change a webhook, or switch it on or off.',
  params: ById,
  body: exact({ ...webhookBody, enabled: Boolean() }),
  reply: Webhook,
})
export const deleteWebhook = endpoint({
  method: 'DELETE',
  path: '/api/webhooks/:id',
  access: 'user',
  rate: 'integrations',
  summary: 'Delete a webhook and its log of deliveries.',
  params: ById,
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
  body: exact({ ids: Array(String({ minLength: 8, maxLength: 128 }), { maxItems: webhookLimits.webhooksMax }) }),
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
  params: ById,
  ignoreBody: true,
  reply: WebhookWithSecret,
})
export const listDeliveries = endpoint({
  method: 'GET',
  path: '/api/webhooks/:id/deliveries',
  access: 'user',
  summary: 'List deliveries of the last 30 days, newest first.',
  params: ById,
  query: exact({
    limit: Optional(Integer({ minimum: 1, maximum: webhookLimits.deliveriesPageMax })),
    /** Id of a delivery: only older ones. */
    before: Optional(String({ maxLength: 128 })),
    state: Optional(DeliveryState),
  }),
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
  params: ById,
  ignoreBody: true,
  status: 201,
  reply: WebhookDelivery,
})

/** The OpenAPI document, as JSON of `ApiDocument`. Cached; 304 for an `If-None-Match` that matches. */
export const apiDocument = endpoint({
  method: 'GET',
  path: '/openapi.json',
  access: 'public',
  summary: 'Get the description of the public API in OpenAPI 3.1.',
  reply: 'bytes',
})

/** A JSON Schema (2020-12) as the document has them, or a reference to one of `components.schemas`. */
export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  enum?: (string | number | boolean | null)[]
  const?: string | number | boolean
  format?: string
  description?: string
  default?: number
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  additionalProperties?: boolean
}
interface Reference {
  $ref: string
}
/** A value with a sentence about it; of a refusal, `description` says what to do. */
export interface ApiExample {
  summary: string
  description?: string
  value: unknown
}
/** A parameter of the path or the query, or a header. */
export interface ApiParameter {
  name: string
  in: 'path' | 'query' | 'header'
  description: string
  required?: boolean
  schema: JsonSchema
  example?: unknown
}
interface ApiMedia {
  schema: JsonSchema
  example?: unknown
  examples?: Record<string, ApiExample | Reference>
  encoding?: Record<string, { contentType: string }>
}
/** The body of a request, by media type. */
export interface ApiBody {
  description: string
  required: true
  content: Record<string, ApiMedia>
}
/** A header of responses. */
export interface ApiHeader {
  description: string
  schema: JsonSchema
  example: unknown
}
/** A response with its headers and its body. */
export interface ApiResponse {
  description: string
  headers?: Record<string, Reference | ApiHeader>
  content?: { 'application/json': ApiMedia }
}
/** A piece of a program. */
export interface CodeSample {
  lang: 'Shell' | 'TypeScript'
  label: string
  source: string
}
/** A call, or the request that a webhook receives. */
export interface ApiOperation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  /** Alternatives; none for a public call. */
  security: Record<string, []>[]
  parameters: ApiParameter[]
  requestBody?: ApiBody
  /** By status. */
  responses: Record<string, ApiResponse>
  /** Complete programs, with `servers[0].url` as the address of the API. */
  'x-codeSamples'?: CodeSample[]
}
/** Numbers of the documentation. */
export interface ApiLimits {
  authenticationPerMinute: number
  photosPerMinute: number
  adminPerMinute: number
  /** Of an account, in any `uploadMinutes`. */
  uploads: number
  uploadMinutes: number
  pageMax: number
  idempotencyHours: number
  webhookTimeoutSeconds: number
  webhookRetryHours: number
  webhookSecretOverlapHours: number
}
/** Operations by their method, in lower case. */
export type ApiPath = Partial<Record<'get' | 'post' | 'put' | 'delete', ApiOperation>>

/** The OpenAPI 3.1 document of the public API, with the parts that the page /api-docs shows. */
export interface ApiDocument {
  openapi: string
  info: Record<string, unknown>
  servers: { url: string; description: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, ApiPath>
  /** By type of event. */
  webhooks: Record<string, { post: ApiOperation }>
  /** The limits that people want to know. */
  'x-limits': ApiLimits
  /** How the receiver of a webhook checks its signature. */
  'x-webhookVerification': CodeSample[]
  components: {
    securitySchemes: Record<string, { type: 'apiKey'; in: 'header'; name: string; description: string }>
    /** Those of rate limits. */
    headers: Record<string, ApiHeader>
    schemas: Record<string, JsonSchema>
    /** One for each refusal; the summary says when it happens, the description what to do. */
    examples: Partial<Record<FaultCode, ApiExample>>
  }
}
