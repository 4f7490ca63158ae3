import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from 'pg'
import type { Db } from '../db/connect.ts'
import type { ImagePool } from '../images/sandbox/image-pool.ts'
import type { JobObserver } from '../jobs/worker.ts'
import type { Mail } from '../ports/mail/mail.ts'
import type { Storage } from '../ports/storage/storage.ts'
import { databaseSource } from './database-source.ts'
import { measuredImages } from './measured-images.ts'
import { noMetrics, secondsSince, type Metrics } from './metrics.ts'
import { measuredStorage } from './measured-storage.ts'
import { diskSource, listeningSource, measurePool } from './process-sources.ts'
import type { CollectedMetrics } from './prometheus.ts'

const readVersion = (): string => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    version: string
  } // the project's own file
  return version
}

/** The metrics of this node, and how `app.ts` connects its parts to them. */
export interface Instrumentation {
  metrics: Metrics
  /** Undefined when nothing is collected. */
  page: (CollectedMetrics & { token: string }) | undefined
  storage(storage: Storage): Storage
  /** `get` starts the image processes at the first use. */
  images(get: () => Promise<ImagePool>): () => Promise<ImagePool>
  /** Database, event bus, disk, outbox and log. */
  parts(parts: MeasuredParts): void
  jobs(inContext: InLogContext): JobObserver
  jobWakeUps(isListening: () => boolean): void
}

/** Runs a job with its name and id in each line of the log. */
export type InLogContext = (job: { job: string; jobId: string }, work: () => Promise<void>) => Promise<void>

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

const createInstrumentation = (metrics: Metrics, page: Instrumentation['page']): Instrumentation => ({
  metrics,
  page,
  storage: (storage) => measuredStorage(storage, metrics),
  images: (get) => measureImages(get, metrics),
  parts: (parts) => measureParts(metrics, parts),
  jobs: (inContext) => jobObserver(metrics, inContext),
  jobWakeUps: (isListening) => metrics.addSource(listeningSource('jobs', isListening)),
})

/** What is measured of the event bus of `live/`, which uses metrics itself. */
export interface MeasuredBus {
  isListening(): boolean
  onMissedEvents(listener: () => void): void
}

/** The parts of the program that every node has. */
export interface MeasuredParts {
  db: Db
  pool: Pool
  bus: MeasuredBus
  mail: Mail
  dataDir: string
  outboxMaxBytes: number
  droppedLines: () => number
}

/** Measures database, event bus, disk, outbox and log. */
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
