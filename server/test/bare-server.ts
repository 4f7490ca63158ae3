import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Env, readConfig } from '../config.ts'
import { noMetrics } from '../platform/metrics/metrics.ts'
import { createLog } from '../platform/process/log.ts'
import type { HttpServer } from '../platform/http/http-types.ts'
import { loadGuestRenderer } from '../platform/http/pages.ts'
import { createOrigins } from '../platform/http/origins.ts'
import { createHttpServer } from '../platform/http/server.ts'

const guestRenderer = await loadGuestRenderer(join(import.meta.dirname, '../../web/dist-guest/guest.js'))

/** The HTTP server without features or a database; tests add their routes. Requests need the Host `photos.test`. */
export function createBareServer(env: Env = {}, log: Logger = createLog('silent')): HttpServer {
  const config = readConfig(
    { PUBLIC_URL: 'http://photos.test', DATA_DIR: 'unused', ...env },
    { lanAddress: undefined, cwd: import.meta.dirname },
  )
  const origins = createOrigins(config.publicUrl, [], () => 80)
  return createHttpServer({ config, origins, log, metrics: noMetrics, guestRenderer })
}

/** The headers of every request that such a server accepts. */
export const bareHeaders = { host: 'photos.test' }
