import { readConfig } from '../../config.ts'
import { createLog } from '../../runtime/log.ts'
import type { HttpServer } from '../http-types.ts'
import { createOrigins } from '../origins.ts'
import { createHttpServer } from '../server.ts'

/** The HTTP server without features or a database; tests add their routes. Requests need the Host `photos.test`. */
export function createBareServer(): HttpServer {
  const config = readConfig(
    { PUBLIC_URL: 'http://photos.test', DATA_DIR: 'unused' },
    { lanAddress: undefined, cwd: import.meta.dirname },
  )
  return createHttpServer({ config, origins: createOrigins(config.publicUrl, [], () => 80), log: createLog('silent') })
}

/** The headers of every request that such a server accepts. */
export const bareHeaders = { host: 'photos.test' }
