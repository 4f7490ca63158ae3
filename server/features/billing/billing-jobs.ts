import type { Dependencies } from '../../dependencies.ts'
import type { Handlers } from '../../jobs/jobs.ts'
import { closeCustomer } from './close-customer.ts'
import { compareCustomers } from './compare-customers.ts'
import { endPaidPlan } from './end-paid-plan.ts'
import { reconcilePayments } from './reconcile.ts'
import { runRefund } from './refunds.ts'
import { syncCustomer } from './sync-customer.ts'

type BillingJobs = Pick<
  Handlers,
  | 'sync-customer'
  | 'close-customer'
  | 'refund-payments'
  | 'end-paid-plan'
  | 'reconcile-payments'
  | 'compare-customers'
  | 'advance-demo-payments'
>

/** The handlers of the jobs about payments. */
export const billingJobs = (deps: Dependencies): BillingJobs => ({
  'sync-customer': async ({ customerId }) => void (await syncCustomer(deps, customerId)),
  'close-customer': ({ customerId }) => closeCustomer(deps, customerId),
  'refund-payments': async ({ refundId }) => void (await runRefund(deps, refundId)),
  'end-paid-plan': ({ userId }) => endPaidPlan(deps, userId),
  'reconcile-payments': () => reconcilePayments(deps),
  'compare-customers': () => compareCustomers(deps),
  'advance-demo-payments': async () => void (await deps.demoPayments?.advance()),
})
