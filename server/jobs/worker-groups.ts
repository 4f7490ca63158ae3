import type { JobName } from './jobs.ts'

/** The jobs of a group share its concurrency, so that slow jobs of one group never delay those of another. */
export type WorkerGroupName =
  | 'photos'
  | 'slow-photos'
  | 'long-photos'
  | 'emails'
  | 'customers'
  | 'payments'
  | 'webhook-events'
  | 'webhooks'
  | 'slow-webhooks'
  | 'watermarks'
  | 'archives'
  | 'maintenance'

/** How many jobs of each group run at once on a node. */
export const concurrencyOf: Record<WorkerGroupName, (photoConcurrency: number) => number> = {
  photos: (photoConcurrency) => photoConcurrency,
  'slow-photos': (photoConcurrency) => photoConcurrency,
  // Beside the others, at the lowest priority.
  'long-photos': () => 1,
  // As many as the mail port has connections; sending an email waits for the mail server and needs little CPU.
  emails: () => 5,
  // Few: users' requests have priority over thousands of webhooks. Two, so that one slow job does not block all others.
  customers: () => 2,
  // These wait for the payment provider, some for minutes, and need little CPU.
  payments: () => 3,
  // One at a time, in the order in which they happened; each takes milliseconds.
  'webhook-events': () => 1,
  // An attempt holds a place for half a second at most; a receiver has one at a time. One that was slow or is new is in the other
  // group for ten minutes. Owners take turns.
  webhooks: () => 8,
  'slow-webhooks': () => 4,
  // One at a time: guests wait for new photos, not for these.
  watermarks: () => 1,
  // A large one, of which one is created at a time, and a small one.
  archives: () => 2,
  maintenance: () => 2,
}

/**
 * How long each worker of a group pauses after a job, in milliseconds, so that users' requests have priority. Meanwhile
 * several events of one customer are coalesced into one job.
 */
export const pauseBetweenJobsMs: Partial<Record<WorkerGroupName, number>> = { customers: 100 }

export const groupOf: Record<JobName, WorkerGroupName> = {
  'process-photo': 'photos',
  'process-slow-photo': 'slow-photos',
  'process-long-photo': 'long-photos',
  'send-email': 'emails',
  'send-password-reset': 'emails',
  'sync-customer': 'customers',
  'find-payer': 'customers',
  'tell-of-dispute': 'payments',
  'check-payments': 'payments',
  'close-customer': 'payments',
  'refund-payments': 'payments',
  'end-paid-plan': 'payments',
  'reconcile-payments': 'payments',
  'compare-customers': 'payments',
  'advance-demo-payments': 'payments',
  'record-webhook-event': 'webhook-events',
  'deliver-to-webhook': 'webhooks',
  'deliver-to-slow-webhook': 'slow-webhooks',
  'watermark-next-photo': 'watermarks',
  'measure-logo': 'watermarks',
  'build-archive': 'archives',
  'prepare-archive': 'maintenance',
  'check-plan-storage': 'maintenance',
  'check-kept-photos': 'maintenance',
  'delete-photo': 'maintenance',
  'delete-orphaned-objects': 'maintenance',
  'delete-object': 'maintenance',
  'delete-outbox-emails': 'maintenance',
  'retry-unreachable-emails': 'maintenance',
  'clean-up': 'maintenance',
  'tell-of-request-removals': 'maintenance',
  'compare-storage': 'maintenance',
}

export const workerGroupNames = Object.keys(concurrencyOf) as WorkerGroupName[] // the keys of the record's type

export const jobsOf = (group: WorkerGroupName): JobName[] =>
  (Object.keys(groupOf) as JobName[]).filter((name) => groupOf[name] === group) // the keys of the record's type

/** Whether a text is the name of a group. */
export const isWorkerGroupName = (text: string): text is WorkerGroupName => Object.hasOwn(concurrencyOf, text)

const repeatedJob = (task: JobName, match: string, more: { queueName?: string } = {}) => ({
  task,
  match,
  options: { backfillPeriod: 0, jobKey: task, maxAttempts: 1, ...more },
})

/** Jobs that run by the clock, once per slot over all nodes; the maintenance group adds them. */
export const jobSchedule = [
  repeatedJob('clean-up', '* * * * *'),
  repeatedJob('retry-unreachable-emails', '* * * * *'),
  repeatedJob('advance-demo-payments', '* * * * *'),
  repeatedJob('reconcile-payments', '7 * * * *'),
  repeatedJob('check-payments', '41 * * * *'),
  repeatedJob('check-kept-photos', '23 * * * *'),
  repeatedJob('compare-customers', '37 3 * * *'),
  repeatedJob('tell-of-request-removals', '47 8 * * *'),
  // One at a time, with those that operators start.
  repeatedJob('compare-storage', '17 4 * * *', { queueName: 'compare-storage' }),
]
