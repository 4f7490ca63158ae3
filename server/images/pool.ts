import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { crashed } from './failure.ts'
import { describeIsolation } from './isolation.ts'
import { createLauncher, type Launcher } from './launch.ts'
import { makePhoto, type At, type Own } from './photo.ts'
import type { ImageJob, Laid, PictureJob } from './pictures.ts'
import { files } from './protocol.ts'
import { emptyFolder, handOver, makeSlotFolder, removeAll, takeOut } from './scratch.ts'
import { createSlot, type Growth, type Slot } from './slot.ts'
import { createTurns, type Turns } from './turns.ts'
import { findWalls, type Walls } from './walls.ts'
import { memoryOf, usualLimits, type Limits } from './watch.ts'

/** Processes that turn uploads into images, apart from this one; promises.md T11 and T12. */
export interface ImagePool {
  /**
   * Makes one photo's images. Waits for a free process, in turn. Rejects with an `ImageFailure` when the photo is at
   * fault, and with whatever `place`, `take` or the signal rejected with.
   */
  render<T>(job: ImageJob<T>): Promise<T>
  /** Makes one picture: a brand's, or one with a logo on it. As `render` otherwise. */
  picture<T>(job: PictureJob<T>): Promise<T>
  /** Whether a process has nothing to do. */
  isFree(): boolean
  /** What stands between these processes and the rest, seen at the first one; for the start line. */
  isolation: string[]
  /** The processes alive, for measurements. */
  pids(): number[]
  /** Kills the processes; what they were at rejects. */
  close(): Promise<void>
}

export interface ImagePoolOptions {
  /** A folder of our own, emptied at start and end. On the same file system as the store, or moving is copying. */
  scratchDir: string
  /** How many processes at the most; one of them is always there. */
  size: number
  maxMegapixels: number
  log: Logger
  limits?: Partial<Limits>
  grown?: Growth
  /** All processes but one end when they had nothing to do for so long. */
  coolAfterMs?: number
  /** The script of an image process; tests bring their own. */
  entry?: string
}

const MB = 1024 * 1024
const usuallyCoolAfterMs = 30_000
const usualGrowth: Growth = { workingBytes: 160 * MB, idleBytes: 12 * MB }

/**
 * Starts an image process, behind the best walls that this machine allows, and resolves once it is warm; the others
 * start when photos wait. Rejects with the reason when it cannot be started at all.
 */
export async function createImagePool(options: ImagePoolOptions): Promise<ImagePool> {
  const { scratchDir, maxMegapixels, log } = options
  const { slots, launcher } = await openSlots(options)
  const jobsDir = join(scratchDir, jobsFolder)
  const turns = takeTurns(slots, options.coolAfterMs ?? usuallyCoolAfterMs)
  let jobs = 0

  async function make<M, T>(
    job: Laid & { signal?: AbortSignal; take(made: M): Promise<T> },
    work: (slot: Slot, at: At) => Promise<M>,
  ): Promise<T> {
    const number = ++jobs
    const own: Own = (name) => join(jobsDir, `${number}-${name}`)
    let left: Promise<void> | undefined
    try {
      await job.place(own(files.input))
      const marks = (await job.watermark?.place(own(files.logo))) ?? false
      if (!turns.isFree()) job.onLaid?.()
      const slot = await turns.next(job.signal)
      const run = async (): Promise<M> => {
        if (marks) await handOver(own(files.logo), join(slot.dir, files.logo))
        const handed = await handOver(own(files.input), join(slot.dir, files.input))
        job.onLaid?.()
        return work(slot, { own, marks, handed })
      }
      const made = await run().finally(() => (left = leave(slot)))
      return await job.take(made)
    } finally {
      await left
      await removeAll(Object.values(files).map(own), log)
    }
  }

  /** Never rejects: what was made is made. */
  async function leave(slot: Slot): Promise<void> {
    try {
      await slot.rest()
      await emptyFolder(slot.dir, log)
    } catch (error) {
      log.warn({ err: error }, 'a slot could not be cleared')
    } finally {
      turns.free(slot)
    }
  }

  const render = <T>(job: ImageJob<T>): Promise<T> =>
    make(job, (slot, at) => makePhoto(slot, { ...at, maxMegapixels }, job))
  const picture = <T>(job: PictureJob<T>): Promise<T> =>
    make(job, async (slot, { own, marks }) => {
      const request = { work: job.work, maxMegapixels, watermark: marks }
      const made = await slot.run(request, { signal: job.signal, thumbnail() {} })
      if (made.tell !== 'picture') throw crashed()
      const { type, width, height } = made
      return { ...(await takeOut(join(slot.dir, files.full), own(files.full))), type, width, height }
    })

  return {
    render,
    picture,
    isFree: turns.isFree,
    isolation: describeIsolation(slots[0]?.pid()),
    pids: () => slots.flatMap((slot) => slot.pid() ?? []),
    async close() {
      turns.close()
      await Promise.all(slots.map((slot) => slot.close()))
      launcher.close()
      await rm(scratchDir, { recursive: true, force: true })
    },
  }
}

/** The files of all jobs: a file system likes no thousands of new folders. */
const jobsFolder = 'jobs'
/** The first slot stays warm. Each of the others is warmed when a photo has to wait, and cooled after a quiet while. */
function takeTurns([first, ...others]: Slot[], coolAfterMs: number): Turns<Slot> {
  const cold = [...others]
  const quiet = new Map<Slot, NodeJS.Timeout>()
  const warmOneMore = (): void => {
    const slot = cold.pop()
    if (!slot) return
    // Whoever waits has the first slot to wait for; the next one to wait tries again.
    slot.warm().then(
      () => free(slot),
      () => cold.push(slot),
    )
  }
  const turns = createTurns(first ? [first] : [], warmOneMore)
  const free = (slot: Slot): void => {
    turns.free(slot)
    if (slot === first) return
    clearTimeout(quiet.get(slot))
    const timer = setTimeout(() => {
      if (!turns.withdraw(slot)) return
      slot.cool()
      cold.push(slot)
    }, coolAfterMs)
    quiet.set(slot, timer.unref())
  }
  return {
    ...turns,
    free,
    close() {
      for (const timer of quiet.values()) clearTimeout(timer)
      turns.close()
    },
  }
}

interface Ground {
  slots: Slot[]
  launcher: Launcher
}

/** Tries one set of walls after the other until processes start behind them. */
async function openSlots(options: ImagePoolOptions): Promise<Ground> {
  const candidates = await findWalls()
  for (const walls of candidates.slice(0, -1)) {
    try {
      return await openBehind(walls, options)
    } catch (error) {
      const why = error instanceof Error ? error.message.slice(0, 300) : String(error)
      options.log.warn({ why }, lowered(walls))
    }
  }
  return openBehind(candidates.at(-1)!, options)
}

const lowered = (walls: Walls): string =>
  walls.userOf(0) === null
    ? 'Image processes do not start as they should; trying with less around them.'
    : 'Image processes do not start with a user of their own: it may not read the program. ' +
      'To let it, make the program readable to others (chmod -R o+rX). Going on without.'

async function openBehind(walls: Walls, options: ImagePoolOptions): Promise<Ground> {
  const { scratchDir, size, log, grown = usualGrowth } = options
  const limits = { ...usualLimits, ...options.limits }
  const entry = options.entry ?? join(import.meta.dirname, 'child.ts')
  const selfWatchBytes = memoryOf(process.pid) === null ? limits.maxBytes : null
  const launcher = await createLauncher({ walls, entry, size, selfWatchBytes })
  const slots: Slot[] = []
  try {
    await rm(scratchDir, { recursive: true, force: true })
    await mkdir(scratchDir, { recursive: true, mode: 0o711 })
    await mkdir(join(scratchDir, jobsFolder), { mode: 0o700 })
    for (let index = 0; index < size; index++) {
      const dir = join(scratchDir, `slot-${index}`)
      await makeSlotFolder(dir, walls.userOf(index))
      slots.push(createSlot({ index, dir, launcher, limits, log, grown }))
    }
    await slots[0]?.warm()
    return { slots, launcher }
  } catch (error) {
    await Promise.all(slots.map((slot) => slot.close()))
    launcher.close()
    throw error
  }
}
