import type { EventType, StripeEvent } from './objects.ts'
import parameters from './parameters.json' with { type: 'json' }
import type { Store } from './store.ts'

/** Stores an event with a copy of its object as it is now, and says that there is one more. */
export interface Events {
  emit(type: EventType, object: { id: string; object: string }): void
}

/**
 * Events are created in real time, whatever time the double's clock shows, as with Stripe's test clocks; no two of them in
 * the order of the list have times in the wrong order.
 */
export function createEvents(store: Store, onEvent: (event: StripeEvent) => void): Events {
  return {
    emit(type, object) {
      const event: StripeEvent = {
        id: store.newId('evt'),
        object: 'event',
        api_version: parameters.apiVersion,
        created: Math.floor(Date.now() / 1000),
        data: { object: structuredClone(object) },
        livemode: store.isLive,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type,
      }
      store.events.push(event)
      onEvent(event)
    },
  }
}
