import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { Provider } from './sync-queries.ts'

const batchSize = 500

/** Converts billing time to the time of the database, which is that of jobs. */
const databaseTime = (billingTime: Date) => sql<Date>`now() + (${billingTime}::timestamptz - billing_now())`

/** Enqueues the job that looks again when a paid plan ends unless there is news; it replaces the earlier one. */
export async function schedulePlanEnd(tx: Db, userId: string, until: Date): Promise<void> {
  await enqueue(tx, { name: 'end-paid-plan', payload: { userId }, key: `end-plan:${userId}`, at: databaseTime(until) })
}

/** Schedules the ends of paid plans again: those that are due run at once. Called when the clock of demo payments was moved. */
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

/** Enqueues the ends that are due and were not looked at, because their job was lost or has given up; first those asked for longest ago. */
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

/** Deletes plans that have ended and of which no customer tells anything. They grant nothing any more. */
export async function deletePlansOfNobody(db: Db, provider: Provider): Promise<void> {
  await sql`
    delete from paid_plans where provider = ${provider} and until < billing_now() - interval '1 hour'
      and not exists (select from billing_customers
        where billing_customers.user_id = paid_plans.user_id and billing_customers.provider = paid_plans.provider)`.execute(
    db,
  )
}
