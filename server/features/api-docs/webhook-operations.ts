import type { ApiDocument, ApiOperation, ApiParameter } from '@keepsnap/contract/api-docs.ts'
import { webhookLimits } from '@keepsnap/contract/limits.ts'
import type { WebhookEvent } from '@keepsnap/contract/webhook-events.ts'
import { eventExamples } from './examples.ts'

const seconds = webhookLimits.timeoutMs / 1000

const events: Record<WebhookEvent['type'], { id: string; schema: string; summary: string; description?: string }> = {
  'photo.ready': {
    id: 'photoReady',
    schema: 'PhotoReadyEvent',
    summary: 'A photo is ready.',
    description: 'Its image, its thumbnail and both QR codes exist. GET /api/photos has their URLs.',
  },
  'photo.failed': { id: 'photoFailed', schema: 'PhotoFailedEvent', summary: 'A photo could not be processed.' },
  'photo.deleted': {
    id: 'photoDeleted',
    schema: 'PhotoDeletedEvent',
    summary: 'A photo was deleted.',
    description: 'By its owner, or because a larger plan has ended.',
  },
  'request.created': {
    id: 'requestCreated',
    schema: 'RequestCreatedEvent',
    summary: 'A guest requested a photo by email.',
    description: 'The guest’s email address is not part of it.',
  },
  'webhook.test': {
    id: 'webhookTest',
    schema: 'WebhookTestEvent',
    summary: 'Somebody pressed the test button in Settings.',
    description: 'Sent whatever events the webhook is for.',
  },
}

const signedHeaders: ApiParameter[] = [
  {
    name: 'webhook-id',
    in: 'header',
    description: 'The id of the event. Every attempt and replay has the same one: ignore ids that you have seen.',
    required: true,
    schema: { type: 'string' },
    example: 'msg_Pq4mXz8TnB2vKd6WcRy1Lf',
  },
  {
    name: 'webhook-timestamp',
    in: 'header',
    description: 'When this attempt was sent, in seconds since 1970. Refuse what is older than five minutes.',
    required: true,
    schema: { type: 'string' },
    example: '1794692468',
  },
  {
    name: 'webhook-signature',
    in: 'header',
    description:
      'v1 and the HMAC-SHA256 of id, timestamp and body in base64. While a replaced secret still counts, two signatures with a space between them.',
    required: true,
    schema: { type: 'string' },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
]

const eventOperation = (type: WebhookEvent['type']): ApiOperation => {
  const { id, schema, summary, description } = events[type]
  return {
    operationId: id,
    tags: ['Webhooks'],
    summary,
    ...(description && { description }),
    security: [],
    parameters: signedHeaders,
    requestBody: {
      description: 'What happened.',
      required: true,
      content: {
        'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, example: eventExamples[type] },
      },
    },
    responses: {
      '2XX': { description: `Received. The answer has to come within ${seconds} seconds; its body does not matter.` },
      default: {
        description: `Not received, also with a redirect. The event is sent again, after a growing pause, for ${webhookLimits.retryHours} hours; then the webhook is switched off, and its owner gets an email.`,
      },
    },
  }
}

/** The `webhooks` of the OpenAPI document. */
export const webhookOperations = (): ApiDocument['webhooks'] =>
  Object.fromEntries(
    (Object.keys(events) as WebhookEvent['type'][]) // the type of the object above
      .map((type) => [type, { post: eventOperation(type) }]),
  )
