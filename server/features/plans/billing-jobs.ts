import type { Dependencies } from '../../dependencies.ts'
import type { Handlers } from '../../platform/jobs/jobs.ts'
import { checkPayments } from './prices.ts'
import { closeCustomer } from './close-customer.ts'
import { compareCustomers, reconcilePayments } from './reconcile.ts'
import { tellOfDispute } from './emails.ts'
import { endPaidPlan, syncCustomer } from './sync-customer.ts'
import { findPayer } from './payment-events.ts'
import { runRefund } from './refunds.ts'

type BillingJobs = Pick<
  Handlers,
  | 'sync-customer'
  | 'find-payer'
  | 'tell-of-dispute'
  | 'check-payments'
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
  'find-payer': ({ eventId }) => findPayer(deps, eventId),
  'tell-of-dispute': ({ disputeId }) => tellOfDispute(deps, disputeId),
  'check-payments': () => checkPayments(deps),
  'close-customer': ({ customerId }) => closeCustomer(deps, customerId),
  'refund-payments': async ({ refundId }) => void (await runRefund(deps, refundId)),
  'end-paid-plan': ({ userId }) => endPaidPlan(deps, userId),
  'reconcile-payments': () => reconcilePayments(deps),
  'compare-customers': () => compareCustomers(deps),
  'advance-demo-payments': async () => void (await deps.demoPayments?.advance()),
})
