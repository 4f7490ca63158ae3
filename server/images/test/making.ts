import { mkdtempSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino, { type Logger } from 'pino'
import { afterAll, beforeAll } from 'vitest'
import { ImageFailure } from '../failure.ts'
import type { Made } from '../pictures.ts'
import { createImagePool, type ImagePool, type ImagePoolOptions } from '../pool.ts'

/** What came of one photo, read before it was gone. */
export interface Outcome {
  thumb: Buffer
  full: Buffer
  plain: Buffer | null
  made: Made
}

export interface TestPool {
  pool: ImagePool
  /** Everything the pool has logged. */
  logged: string[]
  scratchDir: string
  make(photo: Buffer, options?: { logo?: Buffer }): Promise<Outcome>
  /** The failure that a photo ends in; rejects when it does not fail. */
  failure(photo: Buffer): Promise<ImageFailure>
  close(): Promise<void>
}

const listening = (logged: string[]): Logger => pino({ level: 'debug' }, { write: (line) => void logged.push(line) })

export async function openPool(options: Partial<ImagePoolOptions> = {}): Promise<TestPool> {
  const dir = mkdtempSync(join(tmpdir(), 'keepsnap-images-'))
  const scratchDir = join(dir, 'scratch')
  const logged: string[] = []
  const pool = await createImagePool({ scratchDir, size: 1, maxMegapixels: 120, log: listening(logged), ...options })
  const make: TestPool['make'] = async (photo, { logo } = {}) => {
    return pool.render({
      place: (to) => writeFile(to, photo),
      ...(logo && { watermark: { place: (to) => writeFile(to, logo).then(() => true) } }),
      take: async (made) => ({
        thumb: await readFile(made.thumbnail.path),
        full: await readFile(made.full.path),
        plain: made.plain && (await readFile(made.plain.path)),
        made,
      }),
    })
  }
  return {
    pool,
    logged,
    scratchDir,
    make,
    async failure(photo) {
      const end = await make(photo).catch((error: unknown) => error)
      if (end instanceof ImageFailure) return end
      throw new Error('the photo did not fail', { cause: end })
    },
    async close() {
      await pool.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** One pool for all tests of a file. */
export function sharedPool(options: Partial<ImagePoolOptions> = {}): () => TestPool {
  let shared: TestPool | undefined
  beforeAll(async () => void (shared = await openPool(options)))
  afterAll(() => shared?.close())
  return () => {
    if (!shared) throw new Error('only inside a test')
    return shared
  }
}

/** Whether the long counts of the record run are asked for. */
export const isRecord = process.env['KEEPSNAP_RECORD'] === '1'
