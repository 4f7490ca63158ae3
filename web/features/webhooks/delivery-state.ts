import type { WebhookAttempt, WebhookDelivery } from '@keepsnap/contract/webhooks.ts'

/** What a delivery looks like: accepted, failed for now or for good, not attempted yet, or never sent. */
export type DeliveryDisplayState = 'delivered' | 'failed' | 'retrying' | 'waiting' | 'cancelled'

export function displayStateOf({ state, attempts }: Pick<WebhookDelivery, 'state' | 'attempts'>): DeliveryDisplayState {
  if (state === 'waiting') return attempts.length > 0 ? 'retrying' : 'waiting'
  return state
}

/** Not tests, which can be sent anew, nor waiting deliveries, which are sent anyway. */
export const isReplayable = ({ state, type }: Pick<WebhookDelivery, 'state' | 'type'>): boolean =>
  type !== 'webhook.test' && state !== 'waiting'

export const isRedirect = ({ status }: Pick<WebhookAttempt, 'status'>): boolean =>
  status !== null && status >= 300 && status < 400

/** The body as indented JSON; unchanged when it is not JSON. */
export function readableBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
