import { statfs } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool, PoolClient } from 'pg'
import type { Db } from '../db/connect.ts'
import { ImageFailure, type RunningJob } from '../../images/sandbox/image-jobs.ts'
import type { ImagePool } from '../../images/sandbox/image-pool.ts'
import type { JobObserver } from '../jobs/worker.ts'
import type { Mail } from '../../ports/mail/mail.ts'
import { type StagedObject, type Storage, StorageDown } from '../../ports/storage/storage.ts'
import { type Metrics, type MetricSource, noMetrics, secondsSince } from './metrics.ts'
import { databaseSource } from './database-source.ts'

const readVersion = (): string => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as {
    version: string
  } // the project's own file
  return version
}

/** Runs a job with its name and id in each line of the log. */
type InLogContext = (job: { job: string; jobId: string }, work: () => Promise<void>) => Promise<void>

/** Collects metrics when there is a token to read them with; otherwise nothing is counted, and prom-client not loaded. */
export async function openMetrics(token: string | undefined): Promise<Instrumentation> {
  if (token === undefined) return createInstrumentation(noMetrics, undefined)
  const { createPrometheusMetrics } = await import('./prometheus.ts')
  const page = createPrometheusMetrics()
  const version = readVersion()
  page.addSource({
    part: 'version',
    names: ['keepsnap_build_info'],
    read: () => [{ name: 'keepsnap_build_info', labels: { version }, value: 1 }],
  })
  return createInstrumentation(page, { ...page, token })
}

/** The metrics of this node, and how `app.ts` connects its parts to them. */
export type Instrumentation = ReturnType<typeof createInstrumentation>

const createInstrumentation = (metrics: Metrics, page: (CollectedMetrics & { token: string }) | undefined) => ({
  metrics,
  /** Undefined when nothing is collected. */
  page,
  storage: (storage: Storage): Storage => measuredStorage(storage, metrics),
  /** `get` starts the image processes at the first use. */
  images: (get: () => Promise<ImagePool>): (() => Promise<ImagePool>) => measureImages(get, metrics),
  /** Database, event bus, disk, outbox and log. */
  parts: (parts: MeasuredParts): void => measureParts(metrics, parts),
  jobs: (inContext: InLogContext): JobObserver => jobObserver(metrics, inContext),
  jobWakeUps: (isListening: () => boolean): void => metrics.addSource(listeningSource('jobs', isListening)),
})

interface MeasuredParts {
  db: Db
  pool: Pool
  /** The event bus, which uses metrics itself. */
  bus: { isListening(): boolean; onMissedEvents(listener: () => void): void }
  mail: Mail
  dataDir: string
  outboxMaxBytes: number
  droppedLines: () => number
}

function measureParts(metrics: Metrics, parts: MeasuredParts): void {
  const { db, pool, bus, mail, dataDir, outboxMaxBytes } = parts
  measurePool(pool, metrics)
  metrics.addSource(databaseSource(db))
  metrics.addSource(diskSource(dataDir))
  metrics.addSource(listeningSource('events', bus.isListening))
  let wasListening = bus.isListening()
  bus.onMissedEvents(() => {
    if (wasListening && !bus.isListening()) metrics.count('keepsnap_bus_gaps_total', {})
    wasListening = bus.isListening()
  })
  metrics.addSource({
    part: 'log',
    names: ['keepsnap_log_lines_dropped_total'],
    read: () => [{ name: 'keepsnap_log_lines_dropped_total', labels: {}, value: parts.droppedLines() }],
  })
  if (!mail.storedBytes) return
  const storedBytes = mail.storedBytes
  metrics.addSource({
    part: 'outbox',
    names: ['keepsnap_outbox_bytes', 'keepsnap_outbox_limit_bytes'],
    read: async () => [
      { name: 'keepsnap_outbox_bytes', labels: {}, value: await storedBytes() },
      { name: 'keepsnap_outbox_limit_bytes', labels: {}, value: outboxMaxBytes },
    ],
  })
}

/** The same image processes, measured; `get` starts them at the first use. */
function measureImages(get: () => Promise<ImagePool>, metrics: Metrics): () => Promise<ImagePool> {
  if (metrics === noMetrics) return get
  const measuredByPool = new WeakMap<ImagePool, ImagePool>()
  return async () => {
    const pool = await get()
    const measured = measuredByPool.get(pool) ?? measuredImages(pool, metrics)
    measuredByPool.set(pool, measured)
    return measured
  }
}

/** Counts and measures the jobs of this node. `inContext` runs each with its name and id in the log. */
export function jobObserver(metrics: Metrics, inContext: InLogContext): JobObserver {
  return {
    async run({ id, name }, work) {
      const startedAtMs = performance.now()
      let outcome: 'done' | 'error' = 'error'
      try {
        await inContext({ job: name, jobId: id }, work)
        outcome = 'done'
      } finally {
        metrics.count('keepsnap_jobs_total', { job_name: name, outcome })
        metrics.observe('keepsnap_job_duration_seconds', { job_name: name }, secondsSince(startedAtMs))
      }
    },
    onUnlocked: (jobs) => metrics.count('keepsnap_jobs_unlocked_total', {}, jobs),
  }
}

/** Measures the images that the processes of this node make. */
function measuredImages(pool: ImagePool, metrics: Metrics): ImagePool {
  let running = 0
  const countFailure = (image: string, error: unknown): void => {
    const reason = error instanceof ImageFailure ? error.kind : 'error'
    metrics.count('keepsnap_image_failures_total', { image, reason })
  }
  const end = (image: string, startedAtMs: number): void => {
    running -= 1
    metrics.observe('keepsnap_image_duration_seconds', { image }, secondsSince(startedAtMs))
  }
  /** Follows a job from its start to its result. */
  const measure = async <J extends RunningJob<unknown> | undefined>(
    image: string,
    starting: Promise<J>,
  ): Promise<J> => {
    const startedAtMs = performance.now()
    running += 1
    try {
      const job = await starting
      if (!job) running -= 1
      else {
        const onEnd = (): void => end(image, startedAtMs)
        job.result.catch((error: unknown) => countFailure(image, error)).then(onEnd, onEnd)
      }
      return job
    } catch (error) {
      running -= 1
      throw error
    }
  }
  metrics.addSource({
    part: 'image processes',
    names: ['keepsnap_image_processes', 'keepsnap_image_jobs_running'],
    read: () => [
      { name: 'keepsnap_image_processes', labels: {}, value: pool.pids().length },
      { name: 'keepsnap_image_jobs_running', labels: {}, value: running },
    ],
  })
  return {
    ...pool,
    renderPhoto: (input, signal) => measure('photo', pool.renderPhoto(input, signal)),
    renderPhotoIfIdle: (input) => measure('photo', pool.renderPhotoIfIdle(input)),
    renderSingle: (kind, input, signal) => measure(kind, pool.renderSingle(kind, input, signal)),
  }
}

/** Calls that read what a client sends: they also fail when the client goes away, or the upload is refused. */
const streamingCalls = ['stage', 'storeLarge']

/** Whether the store failed, or the system that it runs on. */
const isStoreAtFault = (operation: string, error: unknown): boolean =>
  error instanceof StorageDown || !streamingCalls.includes(operation) || (error instanceof Error && 'syscall' in error)

/** Measures the calls of a store, and counts those that fail. */
function measuredStorage(storage: Storage, metrics: Metrics): Storage {
  if (metrics === noMetrics) return storage
  const measure = async <T>(operation: string, call: Promise<T>): Promise<T> => {
    const startedAtMs = performance.now()
    try {
      return await call
    } catch (error) {
      if (isStoreAtFault(operation, error)) {
        const reason = error instanceof StorageDown ? 'down' : 'other'
        metrics.count('keepsnap_storage_errors_total', { operation, reason })
      }
      throw error
    } finally {
      metrics.observe('keepsnap_storage_operation_seconds', { operation }, secondsSince(startedAtMs))
    }
  }
  const measuredStage = (staged: StagedObject): StagedObject => ({
    bytes: staged.bytes,
    linkTo: (path) => staged.linkTo(path),
    commit: (key, options) => measure('commit', staged.commit(key, options)),
    discard: () => staged.discard(),
  })
  const { openFile, storeLarge, removeUnfinished } = storage
  return {
    ...storage,
    stage: (source, options) => measure('stage', storage.stage(source, options)).then(measuredStage),
    moveIn: (key, path, options) => measure('moveIn', storage.moveIn(key, path, options)),
    linkTo: (key, path) => measure('linkTo', storage.linkTo(key, path)),
    open: (key, span) => measure('open', storage.open(key, span)),
    ...(openFile && { openFile: (key: string) => measure('open', openFile(key)) }),
    ...(storeLarge && {
      storeLarge: (key: string, upload: Parameters<typeof storeLarge>[1]) =>
        measure('storeLarge', storeLarge(key, upload)),
    }),
    ...(removeUnfinished && {
      removeUnfinished: (before: Date) => measure('removeUnfinished', removeUnfinished(before)),
    }),
    sizeOf: (key) => measure('sizeOf', storage.sizeOf(key)),
    remove: (keys) => measure('remove', storage.remove(keys)),
    presign: (key, response) => measure('presign', storage.presign(key, response)),
    check: () => measure('check', storage.check()),
  }
}

/** Connections of the pool, and what the database refuses. */
function measurePool(pool: Pool, metrics: Metrics): void {
  const watch = (client: PoolClient & { connection?: NodeJS.EventEmitter }): void => {
    // pg's connection emits each error of the server once, whatever code sent the query; its types leave it out for pools.
    client.connection?.on('errorMessage', ({ code }: { code?: unknown }) => {
      const sqlState = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code.slice(0, 2) : 'none'
      metrics.count('keepsnap_database_errors_total', { class: sqlState })
    })
    client.on('error', () => metrics.count('keepsnap_database_connections_lost_total', {}))
  }
  pool.on('connect', watch)
  metrics.addSource({
    part: 'database connections',
    names: ['keepsnap_database_connections', 'keepsnap_database_connections_limit', 'keepsnap_database_waiting'],
    read: () => [
      {
        name: 'keepsnap_database_connections',
        labels: { state: 'used' },
        value: pool.totalCount - pool.idleCount,
      },
      { name: 'keepsnap_database_connections', labels: { state: 'idle' }, value: pool.idleCount },
      { name: 'keepsnap_database_connections_limit', labels: {}, value: pool.options.max },
      { name: 'keepsnap_database_waiting', labels: {}, value: pool.waitingCount },
    ],
  })
}

/** The disk of the data folder. */
const diskSource = (dataDir: string): MetricSource => ({
  part: 'disk',
  names: ['keepsnap_disk_free_bytes', 'keepsnap_disk_size_bytes'],
  async read() {
    const { bavail, blocks, bsize } = await statfs(dataDir)
    return [
      { name: 'keepsnap_disk_free_bytes', labels: {}, value: bavail * bsize },
      { name: 'keepsnap_disk_size_bytes', labels: {}, value: blocks * bsize },
    ]
  },
})

/** Whether this node listens to a notification channel of the database. */
const listeningSource = (channel: 'events' | 'jobs', isListening: () => boolean): MetricSource => ({
  part: `channel of ${channel}`,
  names: [],
  read: () => [{ name: 'keepsnap_bus_listening', labels: { channel }, value: Number(isListening()) }],
})

export interface CollectedMetrics extends Metrics {
  /** All metrics as text in Prometheus' format 0.0.4. At most one is made per second; callers share it. Never rejects. */
  render(): Promise<string>
  readonly contentType: string
}
