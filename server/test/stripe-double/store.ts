import { randomBytes } from 'node:crypto'
import type { Charge, Customer, Invoice, Price, Refund, CheckoutSession, StripeEvent, Subscription } from './objects.ts'
import { noSuch, type StripeObjectReference } from './stripe-fault.ts'

export const daySeconds = 24 * 60 * 60

/** A clock in seconds, which a test moves forward. */
export interface StripeClock {
  now(): number
  /** Runs an action as if it were that time. */
  at(seconds: number, action: () => void): void
  moveTo(seconds: number): void
  /** Back to what it showed at first. */
  reset(): void
}

export function createStripeClock(start: Date | undefined): StripeClock {
  const startOffset = start ? start.getTime() - Date.now() : 0
  let offset = startOffset
  let fixed: number | undefined
  return {
    now: () => fixed ?? Math.floor((Date.now() + offset) / 1000),
    at(seconds, action) {
      fixed = seconds
      try {
        action()
      } finally {
        fixed = undefined
      }
    },
    moveTo(seconds) {
      offset = Math.max(offset, seconds * 1000 - Date.now())
    },
    reset() {
      offset = startOffset
    },
  }
}

/** Whether the bank declines payments of a customer: all of them, or the next so many. */
export type Declines = true | number

/** Everything that the double knows. The maps keep the order of creation. */
export interface Store {
  clock: StripeClock
  isLive: boolean
  customers: Map<string, Customer>
  /** Ids of customers of the other mode, as which Stripe recognizes them. */
  otherMode: Set<string>
  prices: Map<string, Price>
  sessions: Map<string, CheckoutSession & { priceId: string }>
  subscriptions: Map<string, Subscription>
  invoices: Map<string, Invoice & { subscriptionId: string }>
  charges: Map<string, Charge>
  refunds: Map<string, Refund>
  events: StripeEvent[]
  declines: Map<string, Declines>
  /** Prorations that the next invoice of a subscription will contain. */
  pendingCents: Map<string, number>
  newId(prefix: string): string
}

export function createStore(clock: StripeClock, isLive: boolean): Store {
  // Ids of several doubles differ, and sort by creation.
  const tag = randomBytes(4).toString('hex')
  let count = 0
  return {
    clock,
    isLive,
    customers: new Map(),
    otherMode: new Set(),
    prices: new Map(),
    sessions: new Map(),
    subscriptions: new Map(),
    invoices: new Map(),
    charges: new Map(),
    refunds: new Map(),
    events: [],
    declines: new Map(),
    pendingCents: new Map(),
    newId(prefix) {
      count += 1
      return `${prefix}_${tag}${String(count).padStart(6, '0')}`
    },
  }
}

/** Forgets everything but the prices. */
export function resetStore(store: Store): void {
  store.clock.reset()
  const { customers, sessions, subscriptions, invoices, charges, refunds, declines, pendingCents } = store
  for (const map of [customers, sessions, subscriptions, invoices, charges, refunds, declines, pendingCents])
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
