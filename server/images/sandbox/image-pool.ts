import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readlinkSync } from 'node:fs'
import type { Logger } from 'pino'
import { type ImageFileName, imageFiles, type WatermarkLayout } from '../protocol.ts'
import { createLauncher, findIsolations, type Isolation } from './launcher.ts'
import { defaultResourceLimits, readProcFile, residentBytes, type ResourceLimits } from './resource-limits.ts'
import {
  claimOutput,
  emptyFolder,
  type FileIdentity,
  makeSlotFolder,
  moveInput,
  reclaimInput,
  removeFiles,
} from './scratch-files.ts'
import { createSlotScheduler, extraSlots, type SlotScheduler } from './slot-scheduler.ts'
import { createSlot, type FinalReply, type GrowthLimits, type Slot } from './slot.ts'
import {
  crashFailure,
  type JobInput,
  type PhotoJob,
  type RenderedImage,
  type RenderedPhoto,
  type RunningJob,
  type SingleImageJob,
  type SingleImageKind,
  type ThumbnailFile,
} from './image-jobs.ts'

/** Sandboxed processes that turn uploads into images; docs/security.md T11 and T12. */
export interface ImagePool {
  /**
   * Starts rendering a photo; quick jobs go before others. Resolves when an image process has the input. Rejects as `writeInput` or `writeLogo` does, with the signal's reason, and when no process can be
   * started.
   */
  renderPhoto(input: JobInput, signal?: AbortSignal): Promise<PhotoJob>
  /** The same, only if a process is idle now; undefined otherwise. */
  renderPhotoIfIdle(input: JobInput): Promise<PhotoJob | undefined>
  /** Starts making a single image; otherwise as `renderPhoto`. */
  renderSingle(kind: SingleImageKind, input: JobInput, signal?: AbortSignal): Promise<SingleImageJob>
  /** Whether a process has nothing to do. */
  hasIdleProcess(): boolean
  /** How these processes are isolated, read from the first one; for the start-up line. */
  isolation: string[]
  /** Ids of the running processes, for measurements. */
  pids(): number[]
  /** Kills the processes; jobs that run or wait reject. */
  close(): Promise<void>
}

const defaultStopIdleAfterMs = 30_000

interface PoolContext {
  schedulers: { longTasks: SlotScheduler; otherTasks: SlotScheduler }
  jobsDir: string
  maxMegapixels: number
  log: Logger
  nextJobNumber(): number
}

/** What a job makes in its slot, and from what. */
interface JobPlan<Result> {
  input: JobInput
  signal?: AbortSignal | undefined
  /** Whether the job takes its slot before its input is written: the slot is idle now, and might not be afterwards. */
  claimsSlotFirst?: boolean
  render(staged: StagedJob): Promise<Result>
}

/** Starts a job; resolves when an image process has its input. */
async function startJob<Result>(
  { schedulers, jobsDir, maxMegapixels, log, nextJobNumber }: PoolContext,
  { input, signal, claimsSlotFirst = false, render }: JobPlan<Result>,
): Promise<RunningJob<Result>> {
  const jobFiles = createJobFiles(jobsDir, { number: nextJobNumber(), input, log })
  if (!claimsSlotFirst) await jobFiles.write()
  const started = Promise.withResolvers<void>()
  const rendered = Promise.withResolvers<Result>()
  rendered.promise.catch(() => {})
  let cpuMs = 0
  const onCpuMs = (ms: number): void => void (cpuMs = ms)
  const runInSlot = async (slot: Slot): Promise<void> => {
    try {
      const staged = await jobFiles.moveInto(slot.dir)
      started.resolve()
      rendered.resolve(await render({ ...staged, slot, pathOf: jobFiles.pathOf, maxMegapixels, signal, onCpuMs }))
    } catch (error) {
      started.reject(error)
      rendered.reject(error)
    } finally {
      await clearSlot(slot, log)
    }
  }
  const { taskClass = 'quick' } = input
  const scheduler = taskClass === 'long' ? schedulers.longTasks : schedulers.otherTasks
  const ended = scheduler.run(runInSlot, taskClass, signal).catch(started.reject)
  const release = async (): Promise<void> => {
    await ended
    await jobFiles.remove()
  }
  try {
    await started.promise
  } catch (error) {
    await release()
    throw error
  }
  return { result: rendered.promise, release, cpuMs: () => cpuMs }
}

async function startPhoto(context: PoolContext, plan: Omit<JobPlan<RenderedPhoto>, 'render'>): Promise<PhotoJob> {
  const thumbnail = Promise.withResolvers<ThumbnailFile>()
  thumbnail.promise.catch(() => {})
  const render = (staged: StagedJob): Promise<RenderedPhoto> => runPhotoJob(staged, thumbnail.resolve)
  const job = await startJob(context, { ...plan, render })
  job.result.catch(thumbnail.reject)
  return { ...job, thumbnail: thumbnail.promise }
}

/**
 * Starts an image process in the strongest sandbox that this machine allows, and resolves once it is ready; more processes
 * start when photos wait. Rejects with the reason when none can be started.
 */
export async function createImagePool(options: ImagePoolOptions): Promise<ImagePool> {
  const { scratchDir, maxMegapixels, log, stopIdleAfterMs = defaultStopIdleAfterMs } = options
  const { slots, launcher } = await openSlots(options)
  const otherTasks = createSlotScheduler(slots.slice(0, -1), { concurrency: options.size, stopIdleAfterMs })
  const longTasks = createSlotScheduler(slots.slice(-1), { concurrency: 1, stopIdleAfterMs, keepsProcess: false })
  let jobs = 0
  const jobsDir = join(scratchDir, jobsFolder)
  const schedulers = { longTasks, otherTasks }
  const context: PoolContext = { schedulers, jobsDir, maxMegapixels, log, nextJobNumber: () => ++jobs }
  return {
    renderPhoto: (input, signal) => startPhoto(context, { input, signal }),
    renderPhotoIfIdle: async (input) =>
      otherTasks.hasIdleProcess() ? startPhoto(context, { input, claimsSlotFirst: true }) : undefined,
    renderSingle: (kind, input, signal) =>
      startJob(context, { input, signal, render: (staged) => runSingleImageJob(staged, kind) }),
    hasIdleProcess: otherTasks.hasIdleProcess,
    isolation: describeIsolation(slots[0]?.pid()),
    pids: () => slots.flatMap((slot) => slot.pid() ?? []),
    async close() {
      otherTasks.close()
      longTasks.close()
      await Promise.all(slots.map((slot) => slot.close()))
      launcher.close()
      await rm(scratchDir, { recursive: true, force: true })
    },
  }
}

/** Cleans the folder of a slot for the next job. Never rejects: the files of the last one have been moved out. */
async function clearSlot(slot: Slot, log: Logger): Promise<void> {
  try {
    await slot.finishRequest()
    await emptyFolder(slot.dir, log)
  } catch (error) {
    log.warn({ err: error }, 'a slot could not be cleared')
  }
}

/** What isolates an image process, as the kernel reports it now; phrases for the start-up line. */
function describeIsolation(pid: number | undefined): string[] {
  const measures = ['own processes', 'empty environment', 'allow-listed decoders', 'scripts confined to their folder']
  if (pid === undefined || process.platform !== 'linux') return measures
  const [status, ownStatus] = [readStatus(pid), readStatus('self')]
  const user = userOf(status)
  const hasOwnUser = user !== undefined && user !== userOf(ownStatus)
  if (hasOwnUser) measures.push(`own user ${user}`)
  if (['CapPrm', 'CapEff', 'CapBnd'].every((set) => /^0+$/.test(status.get(set) ?? '')))
    measures.push('no capabilities')
  if (status.get('NoNewPrivs') === '1') measures.push('no new privileges')
  const network = networkNamespaceOf(pid)
  if (network && network !== networkNamespaceOf('self')) measures.push('no network')
  const maxProcesses = /^Max processes\s+(\d+)/m.exec(readProcFile(`/proc/${pid}/limits`))?.[1]
  if (maxProcesses !== undefined && hasOwnUser) measures.push(`at most ${maxProcesses} threads`)
  measures.push('memory and time watched', 'low priority')
  return measures
}

const userOf = (status: Map<string, string>): string | undefined => status.get('Uid')?.split(/\s+/)[0]

function readStatus(pid: number | 'self'): Map<string, string> {
  const lines = readProcFile(`/proc/${pid}/status`).split('\n')
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]))
}

function networkNamespaceOf(pid: number | 'self'): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`)
  } catch {
    return ''
  }
}

/** The files of one job outside the folders of image processes: its input until it starts, its output when it is done. */
function createJobFiles(jobsDir: string, { number, input, log }: { number: number; input: JobInput; log: Logger }) {
  const pathOf = (name: ImageFileName): string => join(jobsDir, `${number}-${name}`)
  const remove = (): Promise<void> => removeFiles(Object.values(imageFiles).map(pathOf), log)
  let written: Promise<{ watermark: WatermarkLayout | null }> | undefined
  const writeOnce = async (): Promise<{ watermark: WatermarkLayout | null }> => {
    try {
      await input.writeInput(pathOf(imageFiles.input))
      const { watermark } = input
      const hasLogo = await watermark?.writeLogo(pathOf(imageFiles.logo))
      return { watermark: hasLogo && watermark ? watermark.layout : null }
    } catch (error) {
      await remove()
      throw error
    }
  }
  /** Writes the input, and the logo if there is one; once, however often it is called. */
  const write = () => (written ??= writeOnce())
  return {
    pathOf,
    write,
    /** Moves the input into the folder of a slot, written first if it is not yet. */
    async moveInto(slotDir: string) {
      const { watermark } = await write()
      if (watermark) await moveInput(pathOf(imageFiles.logo), join(slotDir, imageFiles.logo))
      return { watermark, input: await moveInput(pathOf(imageFiles.input), join(slotDir, imageFiles.input)) }
    },
    /** Removes whatever is left. Never rejects. */
    remove,
  }
}

/** The folder of the files of all jobs: one for all, because file systems are slow with thousands of new folders. */
const jobsFolder = 'jobs'

export interface ImagePoolOptions {
  /** A folder for this pool alone, emptied at start and end. On the file system of the store, so that files can be moved. */
  scratchDir: string
  /** How many jobs run at once, beside one more that is quick and a long one (`slot-scheduler.ts`). One process always runs. */
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

/**
 * Slots, the last of them for long tasks, and the launcher of their processes. Tries one isolation after the other, the strongest
 * first, until a process starts.
 */
async function openSlots(options: ImagePoolOptions) {
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

async function openSlotsWith(isolation: Isolation, options: ImagePoolOptions) {
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

/** A job whose input is in the folder of its slot. */
interface StagedJob {
  slot: Slot
  pathOf(name: ImageFileName): string
  input: FileIdentity
  /** Null without a logo. */
  watermark: WatermarkLayout | null
  maxMegapixels: number
  signal: AbortSignal | undefined
  onCpuMs(ms: number): void
}

const claim = ({ slot, pathOf }: StagedJob, name: ImageFileName) => claimOutput(join(slot.dir, name), pathOf(name))

/** Renders a photo and moves its files out of the slot's folder. `onThumbnail` is called before the full image exists. */
async function runPhotoJob(
  job: StagedJob,
  onThumbnail: (thumbnail: Promise<ThumbnailFile>) => void,
): Promise<RenderedPhoto> {
  const { slot, watermark, maxMegapixels, signal, onCpuMs } = job
  let thumbnail: Promise<ThumbnailFile> | undefined
  try {
    const reply = await slot.run(
      { work: 'photo', maxMegapixels, watermark },
      {
        signal,
        onCpuMs,
        onThumbnail({ width, height, thumbhash }) {
          if (thumbnail) return
          thumbnail = claim(job, imageFiles.thumbnail).then((file) => ({ ...file, width, height, thumbhash }))
          onThumbnail(thumbnail)
        },
      },
    )
    // A process that skips the thumbnail does not follow the protocol.
    if (!thumbnail || reply.type !== 'full') throw crashFailure()
    return { ...(await claimFullImages(job, reply)), thumbnail: await thumbnail }
  } finally {
    await thumbnail?.catch(() => {})
  }
}

async function claimFullImages(
  job: StagedJob,
  { contentType, lossless, watermarked, inputUnchanged, capturedAt }: Extract<FinalReply, { type: 'full' }>,
): Promise<Omit<RenderedPhoto, 'thumbnail'>> {
  const claimUnmarked = async (name: ImageFileName) => {
    const input = join(job.slot.dir, imageFiles.input)
    const file = await (inputUnchanged ? reclaimInput(input, job.pathOf(name), job.input) : claim(job, name))
    return { ...file, inputUnchanged }
  }
  const claimMarked = async () => ({ ...(await claim(job, imageFiles.full)), inputUnchanged: false })
  const unmarked = watermarked ? await claimUnmarked(imageFiles.unmarked) : null
  const full = await (watermarked ? claimMarked() : claimUnmarked(imageFiles.full))
  return { full: { ...full, contentType, lossless }, unmarked, capturedAt }
}

/** Renders a single image and moves its file out of the slot's folder. */
async function runSingleImageJob(job: StagedJob, work: SingleImageKind): Promise<RenderedImage> {
  const { slot, watermark, maxMegapixels, signal, onCpuMs } = job
  const reply = await slot.run({ work, maxMegapixels, watermark }, { signal, onCpuMs })
  if (reply.type !== 'image') throw crashFailure()
  const { contentType, width, height, lowContrast } = reply
  return { ...(await claim(job, imageFiles.full)), contentType, width, height, lowContrast }
}
