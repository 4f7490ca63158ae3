import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Config } from './config.ts'
import type { Deps } from './deps.ts'
import { createImagePool, type ImagePool } from './images/pool.ts'
import { ownFolder } from './own-folder.ts'

/** The image processes of this node, which start with the first who asks: nodes that only serve need them seldom. */
export interface LazyImages {
  get(): Promise<ImagePool>
  /** Ends them if they ever began. */
  close(): Promise<void>
}

/** How many image processes this node may have. */
export const imageProcesses = ({ workers }: Config): number => workers ?? availableParallelism()

export function lazyImages({ config, log }: Pick<Deps, 'config' | 'log'>): LazyImages {
  let pool: Promise<ImagePool> | undefined
  let isClosed = false
  const begin = async (): Promise<ImagePool> =>
    createImagePool({
      scratchDir: await ownFolder(join(config.dataDir, 'scratch')),
      size: imageProcesses(config),
      maxMegapixels: config.maxMegapixels,
      log,
    })
  return {
    get() {
      if (isClosed) return Promise.reject(new Error('closed'))
      if (!pool) {
        const beginning = begin()
        pool = beginning
        // What could not be started is tried again by the next who asks.
        beginning.catch(() => pool === beginning && (pool = undefined))
      }
      return pool
    },
    async close() {
      isClosed = true
      await (await pool?.catch(() => undefined))?.close()
    },
  }
}
