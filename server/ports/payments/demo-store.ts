import type { Db } from '../../db/connect.ts'
import type { PaymentEvent } from './payments.ts'

/** Where demo payments are stored, and a callback for their events, called in the transaction of each. */
export interface DemoStore {
  db: Db
  onEvent: (tx: Db, event: PaymentEvent) => Promise<void>
}

/** A customer whose row is locked until the end of the transaction. */
export interface LockedDemoCustomer {
  tx: Db
  id: string
  /** By the billing clock. */
  now: Date
  /** Whether payments succeed. */
  cardPays: boolean
  /** Stores an event of this customer. */
  record(type: string): Promise<void>
}

/** How many periods began, and how many subscriptions ended. */
export interface Renewals {
  renewed: number
  ended: number
}
