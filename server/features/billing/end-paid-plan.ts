import { publish } from '../../live/bus.ts'
import { PaymentsDown } from '../../ports/payments/payments.ts'
import { customerOfUser } from './customers.ts'
import { syncCustomer, type SyncDependencies } from './sync-customer.ts'

/**
 * A paid plan has reached its end: synchronizes with the provider. If the provider is down, the plan has ended
 * nevertheless: open pages are notified, and the job is retried.
 */
export async function endPaidPlan(deps: SyncDependencies, userId: string): Promise<void> {
  const { db, payments } = deps
  if (!payments) return
  const customerId = await customerOfUser(db, userId, payments.kind)
  if (customerId === undefined) return
  try {
    await syncCustomer(deps, customerId)
  } catch (error) {
    if (error instanceof PaymentsDown) await publish(db, { kind: 'plan', user: userId })
    throw error
  }
}
