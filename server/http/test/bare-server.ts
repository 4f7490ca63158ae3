import { join } from 'node:path'
import type { Logger } from 'pino'
import { readConfig, type Env } from '../../config.ts'
import { noMetrics } from '../../metrics/metrics.ts'
import { createLog } from '../../runtime/log.ts'
import type { HttpServer } from '../http-types.ts'
import { loadGuestRenderer } from '../guest-pages.ts'
import { createOrigins } from '../origins.ts'
import { createHttpServer } from '../server.ts'

const guestRenderer = await loadGuestRenderer(join(import.meta.dirname, '../../../web/dist-guest/guest.js'))

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
