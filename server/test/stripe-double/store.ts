import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'
import type {
  Charge,
  CheckoutSession,
  Customer,
  Dispute,
  EventType,
  Invoice,
  Price,
  StripeEvent,
  Subscription,
} from './objects.ts'

/** The version of the API that our side asks for. */
export const apiVersion = '2026-10-28.endive'
export const daySeconds = 24 * 60 * 60

type StripeClock = ReturnType<typeof createStripeClock>

/** A clock in seconds, which a test moves forward. */
export function createStripeClock(start: Date | undefined) {
  const startOffset = start ? start.getTime() - Date.now() : 0
  let offset = startOffset
  let fixed: number | undefined
  return {
    now: (): number => fixed ?? Math.floor((Date.now() + offset) / 1000),
    /** Runs an action as if it were that time. */
    at(seconds: number, action: () => void): void {
      fixed = seconds
      try {
        action()
      } finally {
        fixed = undefined
      }
    },
    moveTo(seconds: number): void {
      offset = Math.max(offset, seconds * 1000 - Date.now())
    },
    /** Back to what it showed at first. */
    reset(): void {
      offset = startOffset
    },
  }
}

export type Store = ReturnType<typeof createStore>

/** Everything that the double knows. The maps keep the order of creation. */
export function createStore(clock: StripeClock, isLive: boolean) {
  // Ids of several doubles differ, and sort by creation.
  const tag = randomBytes(4).toString('hex')
  let count = 0
  return {
    clock,
    isLive,
    customers: new Map<string, Customer>(),
    /** Ids of customers of the other mode, as which Stripe recognizes them. */
    otherMode: new Set<string>(),
    prices: new Map<string, Price>(),
    sessions: new Map<string, CheckoutSession & { priceId: string }>(),
    subscriptions: new Map<string, Subscription>(),
    invoices: new Map<string, Invoice>(),
    charges: new Map<string, Charge>(),
    refunds: new Map<string, Stripe.Refund>(),
    disputes: new Map<string, Dispute>(),
    events: [] as StripeEvent[],
    /** Whether the bank declines payments of a customer: all of them, or the next so many. */
    declines: new Map<string, true | number>(),
    /** Prorations that the next invoice of a subscription will contain. */
    pendingCents: new Map<string, number>(),
    newId(prefix: string): string {
      count += 1
      return `${prefix}_${tag}${String(count).padStart(6, '0')}`
    },
  }
}

/** Forgets everything but the prices. */
export function resetStore(store: Store): void {
  store.clock.reset()
  const { customers, sessions, subscriptions, invoices, charges, refunds, disputes, declines, pendingCents } = store
  for (const map of [customers, sessions, subscriptions, invoices, charges, refunds, disputes, declines, pendingCents])
    map.clear()
  store.otherMode.clear()
  store.events.length = 0
}

/** An object by its id. */
export function get<T>(map: ReadonlyMap<string, T>, named: StripeObjectReference): T {
  const found = map.get(named.id)
  if (found === undefined) throw noSuch(named)
  return found
}

/** A customer by its id; of one of the other mode, Stripe says so. */
export function getCustomer({ customers, otherMode, isLive }: Store, id: string, param?: string): Customer {
  const [other, own] = isLive ? ['test', 'live'] : ['live', 'test']
  const hint = `; a similar object exists in ${other} mode, but a ${own} mode key was used to make this request.`
  if (otherMode.has(id)) throw noSuch({ kind: 'customer', id, param, hint })
  return get(customers, { kind: 'customer', id, param })
}

/** Whether the bank declines the customer's next payment; counts it. */
export function takesDecline({ declines }: Store, customerId: string): boolean {
  const left = declines.get(customerId)
  if (left === undefined) return false
  if (left === 1) declines.delete(customerId)
  else if (left !== true) declines.set(customerId, left - 1)
  return true
}

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
        api_version: apiVersion,
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

/** An error that Stripe answers with. */
export class StripeFault extends Error {
  readonly status: number
  readonly error: { type: string; message: string; code?: string; param?: string; decline_code?: string }
  constructor(status: number, error: StripeFault['error']) {
    super(error.message)
    this.status = status
    this.error = error
  }
}

export const invalidRequest = (message: string, more: { code?: string; param?: string } = {}): StripeFault =>
  new StripeFault(400, { type: 'invalid_request_error', message, ...more })

/** An object that a request names; `param` when its id was a parameter, otherwise it was in the path. */
export interface StripeObjectReference {
  kind: string
  id: string
  param?: string | undefined
}

/** In a path, an unknown id is answered 404; in a parameter, 400. */
export const noSuch = ({ kind, id, param, hint = '' }: StripeObjectReference & { hint?: string }): StripeFault =>
  new StripeFault(param === undefined ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'${hint}`,
    param: param ?? 'id',
  })

export const cardDeclined = (): StripeFault =>
  new StripeFault(402, {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'generic_decline',
    message: 'Your card was declined.',
  })
