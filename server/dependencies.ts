import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Db } from './platform/db/connect.ts'
import type { Tokens } from './features/accounts/tokens.ts'
import type { Urls } from './features/photos/urls.ts'
import type { GuestRenderer } from '@keepsnap/contract/rendering.ts'
import type { MediaCache } from './features/photos/photo-access.ts'
import type { Bus } from './platform/live/bus.ts'
import type { Metrics } from './platform/metrics/metrics.ts'
import type { Mail } from './ports/mail/mail.ts'
import type { DemoPayments } from './ports/payments/demo.ts'
import type { Payments } from './ports/payments/payments.ts'
import type { Storage } from './ports/storage/storage.ts'
import type { OutgoingWebhooks } from './ports/webhooks.ts'
import type { SecurityLog } from './platform/http/security-log.ts'

/** What guests do with a photo, as counted for contract/insights.ts. */
export type GuestActivity = 'scans' | 'views' | 'downloads' | 'requests'

/** Counts what guests do. Counting is synchronous and never fails the guest's request. */
export interface GuestActivityCounter {
  add(photo: { photoId: string; userId: string }, ...activities: GuestActivity[]): void
  /** Writes the counts of this node to the database, for a caller that reads them next. Never rejects. */
  flush(): Promise<void>
}

/** What `app.ts` creates and passes to the features; each picks what it uses. */
export interface Dependencies {
  config: Config
  log: Logger
  securityLog: SecurityLog
  metrics: Metrics
  db: Db
  pool: Pool
  bus: Bus
  storage: Storage
  mail: Mail
  /** Undefined where plans are not sold. */
  payments: Payments | undefined
  /** The same as `payments` when these are a demonstration, with what only that has. */
  demoPayments: DemoPayments | undefined
  webhooks: OutgoingWebhooks
  urls: Urls
  tokens: Tokens
  mediaCache: MediaCache
  guestActivity: GuestActivityCounter
  /** Renders guest pages and emails; built from web/guest. */
  guestRenderer: GuestRenderer
}
