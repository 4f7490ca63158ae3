import type { Db } from '../../db/connect.ts'
import { enqueueAll } from '../../jobs/queue.ts'

/**
 * Enqueues jobs that end everything a deleted or deactivated account could still be charged for. The caller has locked
 * the account. Returns whether the account has ever paid or started a checkout.
 */
export async function closeCustomersOf(tx: Db, userId: string): Promise<boolean> {
  const customers = await tx
    .selectFrom('billing_customers')
    .select('customer_id')
    .where('user_id', '=', userId)
    .execute()
  await enqueueAll(
    tx,
    customers.map(({ customer_id: customerId }) => ({
      name: 'close-customer' as const,
      payload: { customerId },
      key: `close:${customerId}`,
    })),
  )
  return customers.length > 0
}
