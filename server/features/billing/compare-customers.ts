import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { PaymentRefused } from '../../ports/payments/payments.ts'
import { syncCustomer, type SyncDependencies } from './sync-customer.ts'
import type { Provider } from './sync-queries.ts'

const pageSize = 200
/** Between customers: providers limit the rate of calls, and calls of users come first. */
const pauseMs = 50

/** One page of customers with an open subscription or a paid plan, and whether they have unprocessed events. */
async function pageOfPayers(db: Db, provider: Provider, after: string) {
  const { rows } = await sql<{ customerId: string; awaitsEvent: boolean }>`
    select customer_id as "customerId", exists (
        select from payment_events where payment_events.customer_id = billing_customers.customer_id and processed_at is null
      ) as "awaitsEvent"
    from billing_customers where provider = ${provider} and customer_id > ${after} and (
      exists (select from subscriptions where subscriptions.customer_id = billing_customers.customer_id and status <> 'canceled')
      or exists (select from paid_plans where paid_plans.user_id = billing_customers.user_id and paid_plans.provider = ${provider}))
    order by customer_id limit ${pageSize}`.execute(db)
  return rows
}

/** Synchronizes every paying customer. One that differed without an unprocessed event counts as a mismatch. */
export async function compareCustomers(deps: SyncDependencies): Promise<void> {
  const { db, log, payments } = deps
  if (!payments) return
  let mismatches = 0
  for (let page = await pageOfPayers(db, payments.kind, ''); page.length > 0;) {
    for (const { customerId, awaitsEvent } of page) {
      const hasChanged = await syncCustomer(deps, customerId).catch((error: unknown) => {
        // A customer that the provider does not know must not block the comparison of the others.
        if (!(error instanceof PaymentRefused)) throw error
        log.warn({ err: error, customer: customerId }, 'a customer could not be compared with the payment provider')
        return false
      })
      if (hasChanged && !awaitsEvent) {
        mismatches += 1
        log.warn({ customer: customerId }, 'a customer differed from the payment provider and was corrected')
      }
      await wait(pauseMs)
    }
    page = await pageOfPayers(db, payments.kind, page.at(-1)?.customerId ?? '')
  }
  await sql`update payment_settings set compared_at = now(), mismatches = ${mismatches}`.execute(db)
}
