import { mkdtempSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import type { Logger } from 'pino'
import { beforeAll } from 'vitest'
import { ImageFailure, type JobInput, type RenderedPhoto } from '../sandbox/image-jobs.ts'
import { createImagePool, type ImagePool, type ImagePoolOptions } from '../sandbox/image-pool.ts'
import type { WatermarkLayout } from '../protocol.ts'

/** A rendered photo and the content of its files, which no longer exist. */
export interface RenderOutcome {
  thumb: Buffer
  full: Buffer
  unmarked: Buffer | null
  photo: RenderedPhoto
}

export interface TestPool {
  pool: ImagePool
  /** All lines that the pool has logged. */
  logged: string[]
  scratchDir: string
  render(photo: Buffer, options?: { logo?: Buffer }): Promise<RenderOutcome>
  /** The failure with which rendering a photo ends; rejects when it does not fail. */
  failure(photo: Buffer): Promise<ImageFailure>
  close(): Promise<void>
}

const collectLog = (lines: string[]): Logger => pino({ level: 'debug' }, { write: (line) => void lines.push(line) })

const smallLayout: WatermarkLayout = { size: 'small', corner: 'bottom-right', strength: 'medium' }

export const jobInput = (photo: Buffer, logo?: Buffer, layout = smallLayout): JobInput => ({
  writeInput: (path) => writeFile(path, photo),
  ...(logo && { watermark: { layout, writeLogo: (path) => writeFile(path, logo).then(() => true) } }),
})

/** More time than in production: a busy machine slows processes of low priority down, and few tests are about time. */
const limits = { baseMs: 60_000 }

export async function openTestPool(options: Partial<ImagePoolOptions> = {}): Promise<TestPool> {
  const dir = mkdtempSync(join(tmpdir(), 'keepsnap-images-'))
  const scratchDir = join(dir, 'scratch')
  const removeDir = (): void => rmSync(dir, { recursive: true, force: true })
  process.once('exit', removeDir)
  const logged: string[] = []
  const pool = await createImagePool({
    scratchDir,
    size: 1,
    maxMegapixels: 120,
    log: collectLog(logged),
    limits,
    ...options,
  })
  const render: TestPool['render'] = async (file, { logo } = {}) => {
    const job = await pool.renderPhoto(jobInput(file, logo))
    try {
      const photo = await job.result
      return {
        thumb: await readFile(photo.thumbnail.path),
        full: await readFile(photo.full.path),
        unmarked: photo.unmarked && (await readFile(photo.unmarked.path)),
        photo,
      }
    } finally {
      await job.release()
    }
  }
  return {
    pool,
    logged,
    scratchDir,
    render,
    async failure(photo) {
      const outcome = await render(photo).catch((error: unknown) => error)
      if (outcome instanceof ImageFailure) return outcome
      throw new Error('the photo did not fail', { cause: outcome })
    },
    async close() {
      await pool.close()
      process.off('exit', removeDir)
      removeDir()
    },
  }
}

/** The script of image processes that inject the fault that `poison` names. */
export const poisonProcess = join(import.meta.dirname, 'poison-process.ts')

const pools = new Map<string, Promise<TestPool>>()

/** The pool that all files of this test process share that need the same options; its processes end with this process. */
export function sharedTestPool(options: Partial<ImagePoolOptions> = {}): () => TestPool {
  const key = JSON.stringify(options)
  let shared: TestPool | undefined
  beforeAll(async () => {
    const opening = pools.get(key) ?? openTestPool(options)
    pools.set(key, opening)
    shared = await opening
  })
  return () => {
    if (!shared) throw new Error('the pool is only open during tests')
    return shared
  }
}
