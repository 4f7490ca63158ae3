import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { findIsolations, type Isolation } from './isolation.ts'
import { createLauncher, type Launcher } from './launcher.ts'
import { defaultResourceLimits, residentBytes, type ResourceLimits } from './resource-limits.ts'
import { makeSlotFolder } from './scratch-files.ts'
import { extraSlots } from './task-order.ts'
import { createSlot, type GrowthLimits, type Slot } from './slot.ts'

/** The folder of the files of all jobs: one for all, because file systems are slow with thousands of new folders. */
export const jobsFolder = 'jobs'

/** How a pool is set up. */
export interface ImagePoolOptions {
  /** A folder for this pool alone, emptied at start and end. On the file system of the store, so that files can be moved. */
  scratchDir: string
  /** How many jobs run at once, beside one more that is quick and a long one (`task-order.ts`). One process always runs. */
  size: number
  maxMegapixels: number
  log: Logger
  limits?: Partial<ResourceLimits>
  growthLimits?: GrowthLimits
  /** All processes but one are stopped when they have had nothing to do for this long. */
  stopIdleAfterMs?: number
  /** The script of an image process; tests use another one. */
  entry?: string
}

const MB = 1024 * 1024
const defaultGrowthLimits: GrowthLimits = { afterRequestBytes: 160 * MB, whenIdleBytes: 12 * MB }

/** Slots and the launcher of their processes. The last slot is for long tasks. */
export interface OpenedSlots {
  slots: Slot[]
  launcher: Launcher
}

/** Tries one isolation after the other, the strongest first, until a process starts. */
export async function openSlots(options: ImagePoolOptions): Promise<OpenedSlots> {
  const isolations = await findIsolations()
  for (const isolation of isolations.slice(0, -1)) {
    try {
      return await openSlotsWith(isolation, options)
    } catch (error) {
      const reason = error instanceof Error ? error.message.slice(0, 300) : String(error)
      options.log.warn({ reason }, describeFallback(isolation))
    }
  }
  const [weakest] = isolations.slice(-1)
  if (!weakest) throw new Error('there is no way to start image processes')
  return openSlotsWith(weakest, options)
}

const describeFallback = (isolation: Isolation): string =>
  isolation.userIdOf(0) === null
    ? 'Image processes do not start with full isolation. Trying with less.'
    : 'Image processes do not start as a separate user: that user may not read the program. ' +
      'To allow it, make the program readable for others (chmod -R o+rX). Continuing without.'

async function openSlotsWith(isolation: Isolation, options: ImagePoolOptions): Promise<OpenedSlots> {
  const { scratchDir, log, growthLimits = defaultGrowthLimits } = options
  const size = options.size + extraSlots
  const limits = { ...defaultResourceLimits, ...options.limits }
  const entry = options.entry ?? join(import.meta.dirname, '../render/image-process.ts')
  const maxOwnBytes = residentBytes(process.pid) === null ? limits.maxBytes : null
  const launcher = await createLauncher({ isolation, entry, size, maxOwnBytes })
  const slots: Slot[] = []
  try {
    await rm(scratchDir, { recursive: true, force: true })
    await mkdir(scratchDir, { recursive: true, mode: 0o711 })
    await mkdir(join(scratchDir, jobsFolder), { mode: 0o700 })
    for (let index = 0; index < size; index++) {
      const dir = join(scratchDir, `slot-${index}`)
      await makeSlotFolder(dir, isolation.userIdOf(index))
      slots.push(createSlot({ index, dir, launcher, limits, log, growthLimits, isForLongTasks: index === size - 1 }))
    }
    await slots[0]?.start()
    return { slots, launcher }
  } catch (error) {
    await Promise.all(slots.map((slot) => slot.close()))
    launcher.close()
    throw error
  }
}
