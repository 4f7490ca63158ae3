import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { Provider } from './sync-queries.ts'

const batchSize = 500

/** Converts billing time to the time of the database, which is that of jobs. */
const databaseTime = (billingTime: Date) => sql<Date>`now() + (${billingTime}::timestamptz - billing_now())`

/** Enqueues the job that checks a paid plan at its end; it replaces the job enqueued before. */
export async function schedulePlanEnd(tx: Db, userId: string, until: Date): Promise<void> {
  await enqueue(tx, { name: 'end-paid-plan', payload: { userId }, key: `end-plan:${userId}`, at: databaseTime(until) })
}

/** Reschedules the ends of all paid plans after the demo clock was moved; jobs that are due run at once. */
export async function reschedulePlanEnds(db: Db): Promise<void> {
  for (let after = ''; ;) {
    const plans = await db
      .selectFrom('paid_plans')
      .innerJoin('payment_settings', 'payment_settings.provider', 'paid_plans.provider')
      .select(['user_id', 'until'])
      .where('user_id', '>', after)
      .orderBy('user_id')
      .limit(batchSize)
      .execute()
    for (const { user_id: userId, until } of plans) await schedulePlanEnd(db, userId, until)
    const last = plans.at(-1)
    if (!last || plans.length < batchSize) return
    after = last.user_id
  }
}

/** Enqueues overdue ends of plans, whose jobs were lost or have given up; least recently tried first. */
export async function enqueueDuePlanEnds(db: Db, limit: number): Promise<void> {
  const plans = await db
    .selectFrom('paid_plans')
    .innerJoin('payment_settings', 'payment_settings.provider', 'paid_plans.provider')
    .innerJoin('billing_customers', (join) =>
      join
        .onRef('billing_customers.user_id', '=', 'paid_plans.user_id')
        .onRef('billing_customers.provider', '=', 'paid_plans.provider')
        .on('replaced_at', 'is', null),
    )
    .select(['paid_plans.user_id', 'until'])
    .where('until', '<=', sql<Date>`billing_now()`)
    .orderBy('sync_tried_at', (order) => order.asc().nullsFirst())
    .orderBy('until')
    .limit(limit)
    .execute()
  for (const { user_id: userId, until } of plans) await schedulePlanEnd(db, userId, until)
}

/** Deletes ended plans that belong to no customer. They grant nothing any more. */
export async function deletePlansWithoutCustomer(db: Db, provider: Provider): Promise<void> {
  await sql`
    delete from paid_plans where provider = ${provider} and until < billing_now() - interval '1 hour'
      and not exists (select from billing_customers
        where billing_customers.user_id = paid_plans.user_id and billing_customers.provider = paid_plans.provider)`.execute(
    db,
  )
}
