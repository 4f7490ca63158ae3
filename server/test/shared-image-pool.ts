import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createImagePool, type ImagePool } from '../images/sandbox/image-pool.ts'
import { createLog } from '../runtime/log.ts'

/** Image processes that all servers of this test process use, and the folder that they work in. */
export interface SharedImagePool {
  images: ImagePool
  scratchDir: string
}

/** More time than in production: a busy machine slows processes of low priority down, and few tests are about time. */
export const testImageLimits = { baseMs: 60_000 }

let shared: Promise<SharedImagePool> | undefined

async function start(): Promise<SharedImagePool> {
  const scratchDir = mkdtempSync(join(tmpdir(), 'keepsnap-images-'))
  // The image processes end when their standard input closes, that is with this process.
  process.once('exit', () => rmSync(scratchDir, { recursive: true, force: true }))
  const images = await createImagePool({
    scratchDir,
    size: 2,
    maxMegapixels: 120,
    limits: testImageLimits,
    log: createLog('silent'),
  })
  return { images, scratchDir }
}

/** The folder that they work in; undefined as long as they have not been needed. */
export const sharedScratchDir = async (): Promise<string | undefined> => (await shared)?.scratchDir

/** Starts the image processes when they are first needed. They run until the test process ends. */
export const sharedImagePool = (): Promise<SharedImagePool> => (shared ??= start())
