import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Db } from './db/connect.ts'
import type { Addresses } from './domain/addresses.ts'
import type { GuestRenderer } from '@keepsnap/contract/guest.ts'
import type { Counts } from './domain/counts.ts'
import type { MediaFacts } from './domain/media-facts.ts'
import type { Bus } from './live/bus.ts'
import type { Mail } from './ports/mail/mail.ts'
import type { Storage } from './ports/storage/storage.ts'

/** What features are built from. Each names what it uses; `app.ts` makes them all. */
export interface Deps {
  config: Config
  log: Logger
  db: Db
  pool: Pool
  bus: Bus
  storage: Storage
  mail: Mail
  addresses: Addresses
  media: MediaFacts
  /** Counts what guests do. */
  counts: Counts
  /** Guest pages and letters, built from web/guest. */
  guest: GuestRenderer
}
