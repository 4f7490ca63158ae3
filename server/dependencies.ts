import type { Passwords } from './features/accounts/passwords.ts'
import type { ActivityCounter } from './features/insights/insights.ts'
import type { CustomerKeys } from './features/integrations/api-keys.ts'
import type { PhotoReads } from './features/photos/gallery.ts'
import type { SpeculativeProcessing } from './features/photos/process.ts'
import type { ScreenImages } from './features/screen/screen-images.ts'
import type { Authenticator } from './platform/http/authenticator.ts'
import type { Origins } from './platform/http/origins.ts'
import type { LoadWebPageRenderer } from './platform/http/pages.ts'
import type { ImagePool } from './images/sandbox/image-pool.ts'
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

/** What `app.ts` creates and passes to the features, on every node. */
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
  guestActivity: ActivityCounter
  /** Renders guest pages and emails; built from web/guest. */
  guestRenderer: GuestRenderer
  /** The image processes of this node, which start when they are first asked for. */
  images: () => Promise<ImagePool>
  speculative: SpeculativeProcessing
  photoReads: PhotoReads
  screenImages: ScreenImages
}

/** What nodes that serve HTTP have besides. */
export interface ApiDependencies extends Dependencies {
  passwords: Passwords
  authenticator: Authenticator
  customerKeys: CustomerKeys
  origins: Origins
  /** Aborted when this node is about to stop: waiting requests are then answered at once. */
  shutdown: AbortSignal
  /** The least time in which a guest's request for a photo is answered. */
  minAnswerMs: number
  /** From which duration on results of reads of whole tables are cached. */
  slowReadMs?: number | undefined
  /** The built web app. */
  webDist: string
  loadRenderer: LoadWebPageRenderer
}
