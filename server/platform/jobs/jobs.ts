import type { WebhookEvent, WebhookEventType } from '@keepsnap/contract/integrations.ts'

/** An event for the webhooks of an account, recorded when it happened, because the rows may change afterwards. */
export interface RecordedEvent {
  userId: string
  /** The same, however often the job runs. */
  messageId: string
  type: WebhookEventType
  /** The event of the account that the photo belonged to then; versions before events did not write it. */
  eventId?: string | null
  /** ISO 8601 in UTC, as every time of `data`. */
  timestamp: string
  data: WebhookEvent['data']
}

/** Every job and its payload: ids, keys or what a user typed. Handlers read the rows they need. */
export interface Jobs {
  /** Makes the images of the accepted upload whose turn it is. It was added with the photo that it names. */
  'process-photo': { photoId: string }
  /** The same, of one that is not a plain JPEG. */
  'process-slow-photo': { photoId: string }
  /** The same, of one that takes long. */
  'process-long-photo': { photoId: string }
  /** Removes the bytes of a deleted photo, and its emails in the outbox folder; then its row. */
  'delete-photo': { photoId: string }
  /** Adds a user's watermark to one more of their photos, or removes it. */
  'watermark-next-photo': { userId: string }
  /** Measures on which ground a logo of an earlier version can be seen. */
  'measure-logo': { key: string }
  /** Removes the bytes under a key that no row names any more. */
  'delete-object': { key: string }
  /** Removes the bytes of deleted accounts. */
  'delete-orphaned-objects': Record<string, never>
  /** Writes the email that resets a password, if the email address has an account. */
  'send-password-reset': { email: string }
  /** Builds the archive of an account's data. */
  'build-archive': { archiveId: string }
  /** Builds an archive for the email that announces a removal, unless there is a recent one. */
  'prepare-archive': { userId: string }
  /** Notices that a user's plan has less storage than before or enough again, and queues emails that are due. */
  'check-plan-storage': { userId: string }
  /** Does that for every user, and removes photos whose time has come; also after the billing clock was moved. */
  'check-kept-photos': Record<string, never>
  /** Asks the payment provider for the state of a customer and applies it. */
  'sync-customer': { customerId: string }
  /** Asks the payment provider whose payment an event is about. */
  'find-payer': { eventId: string }
  /** Emails the operators about a payment that is disputed. */
  'tell-of-dispute': { disputeId: string }
  /** Checks that plans can be sold: the key of the payment provider, its permissions and the prices. */
  'check-payments': Record<string, never>
  /** Makes sure that nothing more is charged to a customer whose account is deleted or deactivated. */
  'close-customer': { customerId: string }
  /** Gives money back. */
  'refund-payments': { refundId: string }
  /** Writes the invoices of a business, and credit notes for what was refunded. */
  'write-invoices': { customerId: string }
  /** Sets the business of a user at the payment provider. */
  'push-business': { userId: string }
  /** Looks for the contract of a withdrawal and sends its receipt, or ends the plan and gives the money back. */
  'process-withdrawal': { withdrawalId: string }
  /** A paid plan ends now unless the payment provider has news. */
  'end-paid-plan': { userId: string }
  /** Reads the events of the payment provider that did not arrive, and retries what is unfinished. */
  'reconcile-payments': Record<string, never>
  /** Compares every customer who pays with the payment provider. */
  'compare-customers': Record<string, never>
  /** Renews and ends subscriptions of demo payments that are due. */
  'advance-demo-payments': Record<string, never>
  /** Writes the deliveries of an event to the webhooks that are about it. */
  'record-webhook-event': RecordedEvent
  /** Makes one attempt at the oldest delivery of a webhook that is due. */
  'deliver-to-webhook': { webhookId: string }
  /** The same, of a receiver that was slow the last time. */
  'deliver-to-slow-webhook': { webhookId: string }
  /** Makes one attempt to send an email. */
  'send-email': { emailId: string }
  /** Removes emails whose rows are deleted from the outbox folder. */
  'delete-outbox-emails': { emailIds: readonly string[] }
  /** Checks whether an unreachable mail server is back, and if so sends the emails that wait for it. */
  'retry-unreachable-emails': Record<string, never>
  /** Removes expired uploads, orphaned bytes, old sessions and counters. */
  'clean-up': Record<string, never>
  /** Removes events that were deleted days ago, with their photos. */
  'purge-events': Record<string, never>
  /** Emails owners from whose lists many addresses of guests will be removed soon. */
  'tell-of-request-removals': Record<string, never>
  /** Checks rows, stored files, counts and work, and removes bytes that no row names. */
  'compare-storage': { by?: 'operator' }
}
/** Names of the jobs. */
export type JobName = keyof Jobs

/** For each job, its group, the number of attempts and the priority; a lower number runs first. */
export const jobRules: Record<JobName, { group: WorkerGroupName; maxAttempts: number; priority: number }> = {
  'process-photo': { group: 'photos', maxAttempts: 25, priority: 0 },
  'process-slow-photo': { group: 'slow-photos', maxAttempts: 25, priority: 0 },
  'process-long-photo': { group: 'long-photos', maxAttempts: 25, priority: 0 },
  'delete-photo': { group: 'maintenance', maxAttempts: 25, priority: 50 },
  'watermark-next-photo': { group: 'watermarks', maxAttempts: 25, priority: 20 },
  'measure-logo': { group: 'watermarks', maxAttempts: 10, priority: 30 },
  'delete-object': { group: 'maintenance', maxAttempts: 25, priority: 50 },
  'delete-orphaned-objects': { group: 'maintenance', maxAttempts: 25, priority: 50 },
  'send-password-reset': { group: 'emails', maxAttempts: 10, priority: 0 },
  'build-archive': { group: 'archives', maxAttempts: 10, priority: 30 },
  'prepare-archive': { group: 'maintenance', maxAttempts: 10, priority: 30 },
  'check-plan-storage': { group: 'maintenance', maxAttempts: 10, priority: 20 },
  'check-kept-photos': { group: 'maintenance', maxAttempts: 1, priority: 45 },
  'sync-customer': { group: 'customers', maxAttempts: 25, priority: 0 },
  'find-payer': { group: 'customers', maxAttempts: 25, priority: 0 },
  'tell-of-dispute': { group: 'payments', maxAttempts: 25, priority: 5 },
  'check-payments': { group: 'payments', maxAttempts: 1, priority: 10 },
  'close-customer': { group: 'payments', maxAttempts: 25, priority: 10 },
  'refund-payments': { group: 'payments', maxAttempts: 25, priority: 5 },
  'write-invoices': { group: 'payments', maxAttempts: 25, priority: 30 },
  'push-business': { group: 'payments', maxAttempts: 25, priority: 5 },
  'process-withdrawal': { group: 'payments', maxAttempts: 25, priority: 5 },
  'end-paid-plan': { group: 'payments', maxAttempts: 25, priority: 5 },
  'reconcile-payments': { group: 'payments', maxAttempts: 1, priority: 40 },
  'compare-customers': { group: 'payments', maxAttempts: 1, priority: 70 },
  'advance-demo-payments': { group: 'payments', maxAttempts: 1, priority: 40 },
  'record-webhook-event': { group: 'webhook-events', maxAttempts: 25, priority: 0 },
  'deliver-to-webhook': { group: 'webhooks', maxAttempts: 25, priority: 5 },
  'deliver-to-slow-webhook': { group: 'slow-webhooks', maxAttempts: 25, priority: 5 },
  'send-email': { group: 'emails', maxAttempts: 25, priority: 0 },
  'delete-outbox-emails': { group: 'maintenance', maxAttempts: 25, priority: 50 },
  'retry-unreachable-emails': { group: 'maintenance', maxAttempts: 1, priority: 40 },
  'clean-up': { group: 'maintenance', maxAttempts: 1, priority: 60 },
  'purge-events': { group: 'maintenance', maxAttempts: 1, priority: 60 },
  'tell-of-request-removals': { group: 'maintenance', maxAttempts: 1, priority: 60 },
  'compare-storage': { group: 'maintenance', maxAttempts: 1, priority: 70 },
}

/** The functions that run the jobs. A job may run twice, so handlers are idempotent: their updates check the expected state. */
export type Handlers = { [Name in JobName]: (payload: Jobs[Name], jobId: string) => Promise<void> }

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

export const workerGroupNames = Object.keys(concurrencyOf) as WorkerGroupName[] // the keys of the record's type

export const jobsOf = (group: WorkerGroupName): JobName[] =>
  (Object.keys(jobRules) as JobName[]).filter((name) => jobRules[name].group === group) // the keys of the record's type

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
  repeatedJob('purge-events', '53 * * * *'),
  repeatedJob('compare-customers', '37 3 * * *'),
  repeatedJob('tell-of-request-removals', '47 8 * * *'),
  // One at a time, with those that operators start.
  repeatedJob('compare-storage', '17 4 * * *', { queueName: 'compare-storage' }),
]
