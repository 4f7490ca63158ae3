import type { Db } from '../../db/connect.ts'
import { enqueueAll } from '../../jobs/queue.ts'

/**
 * Ends what an account that is deleted or deactivated could be charged for, when the transaction commits. The caller holds
 * the lock of the account. Whether it has ever paid or begun to.
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
