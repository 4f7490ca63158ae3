import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { newId } from '../../lib/ids.ts'
import type { DemoStore } from './demo-store.ts'
import type { PaymentEvent } from './payments.ts'

/** How many events are read at once. */
const eventsPage = 200

/** Stores an event of a customer. */
export async function insertEvent(tx: Db, customerId: string, type: string): Promise<PaymentEvent> {
  const event = await tx
    .insertInto('demo_events')
    .values({
      id: `demo_evt_${newId()}`,
      customer_id: customerId,
      type,
      // Of a whole millisecond, so that the time is the same after it was read.
      created_at: sql`date_trunc('milliseconds', clock_timestamp())`,
    })
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow()
  return { id: event.id, type, createdAt: event.created_at, customerId }
}

/** Events after a time, oldest first. */
export async function* demoEventsSince({ db }: DemoStore, time: Date): AsyncIterable<PaymentEvent> {
  let lastNumber = 0
  for (;;) {
    const rows = await db
      .selectFrom('demo_events')
      .selectAll()
      .where('created_at', '>', time)
      .where('created_at', '>', sql<Date>`now() - interval '30 days'`)
      .where('number', '>', lastNumber)
      .orderBy('number')
      .limit(eventsPage)
      .execute()
    for (const { id, type, created_at: createdAt, customer_id: customerId } of rows)
      yield { id, type, createdAt, customerId }
    if (rows.length < eventsPage) return
    lastNumber = rows.at(-1)?.number ?? lastNumber
  }
}
