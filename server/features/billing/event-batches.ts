import { setTimeout as wait } from 'node:timers/promises'
import { isDatabaseDown } from '../../db/connect.ts'
import { Fault } from '../../faults.ts'
import type { PaymentEvent } from '../../ports/payments/payments.ts'

/** The maximum size of a batch. Further events are refused; the provider sends them again later. */
const mostWaiting = 500
/** A batch that has not been stored after this long is not waited for: its connection may be dead. */
const defaultMaxBatchMs = 5_000
/** From this many events on, a batch is followed by a pause. */
const largeBatch = 5
/**
 * The pause after a large batch: more events are collected meanwhile, and calls of users go first. Responses are spread
 * over it, because a provider sends the next events after the responses.
 */
const defaultPauseMs = 60

/** Stores events in one transaction; resolves to the ids of the new ones. */
export type StoreEvents = (events: readonly PaymentEvent[]) => Promise<Set<string>>

interface Batch {
  events: PaymentEvent[]
  newIds: Promise<Set<string>>
}

/**
 * Stores events in batches: those that arrive while a batch is being stored form the next one. Thousands of webhooks at
 * once need one connection and few commits, and leave the other connections to the calls of users. Resolves when the
 * event is stored, to whether it is new. Throws `unavailable` when too many are waiting.
 */
export function createEventBatcher(
  store: StoreEvents,
  { maxBatchMs = defaultMaxBatchMs, pauseMs = defaultPauseMs } = {},
): (event: PaymentEvent) => Promise<boolean> {
  let earlier: Promise<unknown> = Promise.resolve()
  let next: Batch | undefined
  const startBatch = (): Batch => {
    const events: PaymentEvent[] = []
    const newIds = earlier.then(() => {
      next = undefined
      return store(events)
    })
    const isStored = Promise.race([newIds.catch(() => {}), wait(maxBatchMs, undefined, { ref: false })])
    earlier = isStored.then(() => (events.length < largeBatch ? undefined : wait(pauseMs, undefined, { ref: false })))
    return { events, newIds }
  }
  const storeEvent = async (event: PaymentEvent, batch: Batch): Promise<boolean> => {
    // Of two events with the same id in a batch, only one counts as new.
    const takeNew = (newIds: Set<string>): boolean => newIds.delete(event.id)
    try {
      return takeNew(await batch.newIds)
    } catch (error) {
      if (batch.events.length === 1 || isDatabaseDown(error)) throw error
      // One event that cannot be stored must not keep the others out.
      return takeNew(await store([event]))
    }
  }
  return async (event) => {
    const batch = (next ??= startBatch())
    if (batch.events.length >= mostWaiting)
      throw new Fault('unavailable', 'Too many events at once. Please send this one again later.', 60)
    const position = batch.events.push(event) - 1
    const isNew = await storeEvent(event, batch)
    const { length } = batch.events
    if (length >= largeBatch) await wait((pauseMs * position) / length)
    return isNew
  }
}
