import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { createImagePool, type ImagePool } from '../images/sandbox/image-pool.ts'
import { createProcessFolder } from './process-folder.ts'

/** The image processes of this node, started at the first use: nodes that only serve HTTP rarely need them. */
export interface LazyImagePool {
  get(): Promise<ImagePool>
  /** Stops the processes if they were started. */
  close(): Promise<void>
}

/** Of the settings of this node. */
export interface ImagePoolSettings {
  dataDir: string
  maxMegapixels: number
  /** Undefined: one image process per core. */
  workers: number | undefined
}

/** The number of image processes of this node. */
export const imageProcessCount = ({ workers }: Pick<ImagePoolSettings, 'workers'>): number =>
  workers ?? availableParallelism()

export function createLazyImagePool({ config, log }: { config: ImagePoolSettings; log: Logger }): LazyImagePool {
  let imagePool: Promise<ImagePool> | undefined
  let isClosed = false
  const startImagePool = async (): Promise<ImagePool> =>
    createImagePool({
      scratchDir: await createProcessFolder(join(config.dataDir, 'scratch')),
      size: imageProcessCount(config),
      maxMegapixels: config.maxMegapixels,
      log,
    })
  return {
    get() {
      if (isClosed) return Promise.reject(new Error('the image processes have been stopped'))
      if (!imagePool) {
        const startingPool = startImagePool()
        imagePool = startingPool
        // After a failure the next call tries again.
        startingPool.catch(() => imagePool === startingPool && (imagePool = undefined))
      }
      return imagePool
    },
    async close() {
      isClosed = true
      await (await imagePool?.catch(() => undefined))?.close()
    },
  }
}
