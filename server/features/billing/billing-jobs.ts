import type { Dependencies } from '../../dependencies.ts'
import type { Handlers } from '../../jobs/jobs.ts'

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
export const billingJobs = ({ demoPayments }: Pick<Dependencies, 'demoPayments'>): BillingJobs => ({
  'sync-customer': async () => {},
  'close-customer': async () => {},
  'refund-payments': async () => {},
  'end-paid-plan': async () => {},
  'reconcile-payments': async () => {},
  'compare-customers': async () => {},
  'advance-demo-payments': async () => void (await demoPayments?.advance()),
})
