import { availabilityTarget } from '@keepsnap/contract/legal.ts'
import { operatorHealth, type OperatorHealth } from '@keepsnap/contract/operator.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Serve } from '../../http/serve.ts'
import { queueStates } from '../../jobs/queue-states.ts'
import { isPrivateUrl } from '../../lib/private-url.ts'
import { isMailOff, sampleSettings } from '../../ports/mail/mail-settings.ts'
import {
  availability,
  countPastDue,
  emailHealth,
  newestStorageCheck,
  lastBackup,
  processingHealth,
} from './health-queries.ts'
import { cacheSlowReads } from './cache-slow-reads.ts'

/** How payments are doing, from the feature that knows. */
export interface PaymentsHealth {
  refusedBecause: string | null
  checkWarning: string | null
  unreachableBecause: string | null
  openDisputes: number
  lastWebhookAt: Date | null
  unprocessedEvents: number
  comparedAt: Date | null
  mismatches: number | null
  unfinishedRefunds: number
}

type HealthDependencies = Pick<Dependencies, 'config' | 'db' | 'mail' | 'payments'> & {
  paymentsHealth: () => Promise<PaymentsHealth>
  removalsHealth: () => Promise<OperatorHealth['removals']>
  slowReadMs?: number | undefined
}

/** The state of queues, emails, payments, the store and backups, for operators. */
export function operatorHealthRoutes(serve: Serve, deps: HealthDependencies): void {
  const health = cacheSlowReads(() => readHealth(deps), deps.slowReadMs)
  serve(operatorHealth, async () => health())
}

async function readHealth({
  config,
  db,
  mail,
  payments,
  paymentsHealth,
  removalsHealth,
}: HealthDependencies): Promise<OperatorHealth> {
  const asOf = new Date().toISOString()
  const [queues, processing, email, billing, pastDue, store, backup, removals, uptime] = await Promise.all([
    queueStates(db),
    processingHealth(db),
    emailHealth(db),
    paymentsHealth(),
    countPastDue(db),
    newestStorageCheck(db),
    lastBackup(db),
    removalsHealth(),
    availability(db, availabilityTarget.percent),
  ])
  return {
    as_of: asOf,
    queues: queues.map(({ oldestWaitingSeconds, ...queue }) => ({
      ...queue,
      oldest_waiting_seconds: oldestWaitingSeconds,
    })),
    processing,
    email: { kind: isMailOff(config) ? 'off' : mail.kind, ...email },
    billing: {
      payments: payments?.kind ?? 'off',
      refused_because: billing.refusedBecause,
      check_warning: billing.checkWarning,
      unreachable_because: billing.unreachableBecause,
      open_disputes: billing.openDisputes,
      compared_at: billing.comparedAt?.toISOString() ?? null,
      mismatches: billing.mismatches,
      last_webhook_at: billing.lastWebhookAt?.toISOString() ?? null,
      unprocessed_events: billing.unprocessedEvents,
      past_due: pastDue,
      open_refunds: billing.unfinishedRefunds,
    },
    integrity: store,
    backup,
    removals,
    operator: { sample_settings: sampleSettings(config), is_public: !isPrivateUrl(config.publicUrl) },
    availability: uptime,
  }
}
