import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Db } from './db/connect.ts'
import type { Addresses } from './domain/addresses.ts'
import type { MediaFacts } from './domain/media-facts.ts'
import type { Bus } from './live/bus.ts'
import type { Storage } from './ports/storage/storage.ts'

/** What features are built from. Each names what it uses; `app.ts` makes them all. */
export interface Deps {
  config: Config
  log: Logger
  db: Db
  pool: Pool
  bus: Bus
  storage: Storage
  addresses: Addresses
  media: MediaFacts
}
