import type { ActivityCounter } from './features/insights/insights.ts'
import type { PhotoReads } from './features/photos/gallery.ts'
import type { SpeculativeProcessing } from './features/photos/process.ts'
import type { ScreenImages } from './features/screen/screen-images.ts'
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
import type { Authenticator, KeyStore, KeyActor } from './platform/http/authenticator.ts'
import type { SecurityLog } from './platform/http/security-log.ts'

/** Hashes passwords and compares them, with bounded concurrency. */
export interface Passwords {
  hash(password: string, whose: HashingParty): Promise<string>
  /** False for an unknown account (`storedHash` undefined), after the same time as for a known one. */
  matches(storedHash: string | undefined, password: string, whose: HashingParty): Promise<boolean>
}

/**
 * Who waits for a password: the client of a stranger, or an account whose session or device cookie came with the call.
 * Accounts and strangers take turns; among strangers /48 networks and IPv4 addresses, in a /48 its /56, in a /56 its /64.
 */
export type HashingParty = { client: string } | { account: string }

/** The API keys of customers. */
export interface CustomerKeys extends KeyStore<KeyActor> {
  /** Removes a key from the cache, before the event of its deletion arrives. */
  invalidateKey(keyId: string): void
}

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
