import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { createImagePool, type ImagePool } from '../images/sandbox/image-pool.ts'
import { createProcessFolder } from './process-folder.ts'

/** The image processes of this node, started at the first use: nodes that only serve HTTP rarely need them. */
export interface LazyImagePool {
  get(): Promise<ImagePool>
  /** Stops the processes if they were started. */
  close(): Promise<void>
}

/** The number of image processes of this node. */
export const imageProcessCount = ({ workers }: Config): number => workers ?? availableParallelism()

export function createLazyImagePool({ config, log }: { config: Config; log: Logger }): LazyImagePool {
  let pool: Promise<ImagePool> | undefined
  let isClosed = false
  const start = async (): Promise<ImagePool> =>
    createImagePool({
      scratchDir: await createProcessFolder(join(config.dataDir, 'scratch')),
      size: imageProcessCount(config),
      maxMegapixels: config.maxMegapixels,
      log,
    })
  return {
    get() {
      if (isClosed) return Promise.reject(new Error('the image processes have been stopped'))
      if (!pool) {
        const starting = start()
        pool = starting
        // After a failure the next call tries again.
        starting.catch(() => pool === starting && (pool = undefined))
      }
      return pool
    },
    async close() {
      isClosed = true
      await (await pool?.catch(() => undefined))?.close()
    },
  }
}
