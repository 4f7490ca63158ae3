import { Literal, Object, String, Union, type Static } from 'typebox'

/** What webhooks can be about. */
export const webhookEventTypes = ['photo.ready', 'photo.failed', 'photo.deleted', 'request.created'] as const
export type WebhookEventType = (typeof webhookEventTypes)[number]
/** One of `webhookEventTypes`. */
export const WebhookEventType = Union([
  Literal('photo.ready'),
  Literal('photo.failed'),
  Literal('photo.deleted'),
  Literal('request.created'),
])

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

/** An email to an owner whose webhook was switched off, because its receiver did not accept anything for a day. */
export interface WebhookEmail {
  kind: 'webhook-disabled'
  /** Of the receiver: the rest of its URL may contain a secret. */
  host: string
  /** Since when nothing was accepted, ISO 8601 in UTC. */
  failingSince: string
  /** URL of the settings. */
  url: string
}
