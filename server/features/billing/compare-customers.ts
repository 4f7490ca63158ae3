import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { PaymentRefused } from '../../ports/payments/payments.ts'
import { syncCustomer, type SyncDependencies } from './sync-customer.ts'
import type { Provider } from './sync-queries.ts'

const pageSize = 200
/** Providers limit how many calls they answer; users come first. */
const pauseMs = 50

/** Customers with a plan or a subscription that goes on, and whether an event of theirs waits. */
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

/** Applies the state of every customer who pays. One that differed, although no event of it waits, is a mismatch. */
export async function compareCustomers(deps: SyncDependencies): Promise<void> {
  const { db, log, payments } = deps
  if (!payments) return
  let mismatches = 0
  for (let page = await pageOfPayers(db, payments.kind, ''); page.length > 0;) {
    for (const { customerId, awaitsEvent } of page) {
      const hasChanged = await syncCustomer(deps, customerId).catch((error: unknown) => {
        // One that the provider does not know must not keep the others from being compared.
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
