import type { Dependencies } from '../../dependencies.ts'
import type { Handlers } from '../../jobs/jobs.ts'
import { checkPayments } from './check-payments.ts'
import { closeCustomer } from './close-customer.ts'
import { compareCustomers } from './compare-customers.ts'
import { tellOfDispute } from './dispute-emails.ts'
import { endPaidPlan } from './end-paid-plan.ts'
import { findPayer } from './find-payer.ts'
import { reconcilePayments } from './reconcile.ts'
import { runRefund } from './refunds.ts'
import { syncCustomer } from './sync-customer.ts'

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
