import { findingKinds } from '@keepsnap/contract/operators.ts'

/** One value, read when the metrics are asked for. */
export type MetricSample = { [N in CounterName | GaugeName]: { name: N; labels: LabelsOf<N>; value: number } }[
  | CounterName
  | GaugeName]

/** A part of the program whose values are read when the metrics are asked for. */
export interface MetricSource {
  /** Names the part in the count of failures. */
  part: string
  /** Rejects when it cannot be read; its metrics are then absent. */
  read(): MetricSample[] | Promise<MetricSample[]>
  /** What it reads; removed when reading fails. */
  names: readonly (CounterName | GaugeName)[]
}

/**
 * What the program counts and measures for its operators. Without METRICS_TOKEN nothing is collected. Only `prometheus.ts`
 * knows the package behind it; `catalogue` lists every metric.
 */
export interface Metrics {
  count<N extends CounterName>(name: N, labels: LabelsOf<N>, by?: number): void
  /** Adds a duration to a histogram. */
  observe<N extends HistogramName>(name: N, labels: LabelsOf<N>, seconds: number): void
  addSource(source: MetricSource): void
}

export const noMetrics: Metrics = { count() {}, observe() {}, addSource() {} }

export const secondsSince = (startedAtMs: number): number => (performance.now() - startedAtMs) / 1000

/** A label's possible values; null when the code that counts decides, from a fixed list of its own such as the routes. */
type LabelValues = readonly string[] | null

/** One metric as Prometheus reads it. Names end with their unit, counters with `_total`. */
export interface MetricDescription {
  kind: 'counter' | 'gauge' | 'histogram'
  help: string
  labels: Readonly<Record<string, LabelValues>>
  /** Upper bounds in seconds, of a histogram. */
  buckets?: readonly number[]
}

const noLabels = {} as const
type Labels = Readonly<Record<string, LabelValues>>
type Described<K, L> = Readonly<{ kind: K; help: string; labels: L }>

const counter = <const L extends Labels = typeof noLabels>(help: string, labels?: L): Described<'counter', L> =>
  // Without labels, L is the default.
  ({ kind: 'counter', help, labels: labels ?? (noLabels as L) })
const gauge = <const L extends Labels = typeof noLabels>(help: string, labels?: L): Described<'gauge', L> =>
  // Without labels, L is the default.
  ({ kind: 'gauge', help, labels: labels ?? (noLabels as L) })
const histogram = <const L extends Record<string, LabelValues>>(help: string, labels: L, buckets: readonly number[]) =>
  ({ kind: 'histogram', help, labels, buckets }) as const

/** A call: from a cached answer to an upload over a slow connection. */
const callSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]
/** Work on one image, and what waits for it. */
const workSeconds = [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300]
const storeSeconds = [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10, 30]

/**
 * Every metric, besides those of the Node process that prom-client adds. A label never holds an id, an address or anything
 * that users type: the number of series stays bounded, and nothing personal is in them. `job` and `instance` are labels of
 * Prometheus itself.
 */
export const catalogue = {
  keepsnap_build_info: gauge('1, with the version of the program.', { version: null }),

  keepsnap_http_requests_total: counter('Answered requests.', { method: null, route: null, status: null }),
  keepsnap_http_request_duration_seconds: histogram(
    'From the head of a request to the end of its answer, the time of a slow client included.',
    { method: null, route: null },
    callSeconds,
  ),
  keepsnap_http_connections: gauge('Open connections to the HTTP server, WebSockets included.'),
  keepsnap_rate_limit_refusals_total: counter('Requests over a rate limit.', { rate: null }),
  keepsnap_sign_ins_total: counter('Attempts to sign in.', { outcome: ['accepted', 'refused'] }),

  keepsnap_uploads_total: counter(
    'Uploads of photos, by outcome, and the code of the refusal, or what failed: store, database or bug.',
    {
      outcome: ['accepted', 'refused', 'failed'],
      code: null,
    },
  ),
  keepsnap_upload_bytes_total: counter('Bytes of accepted uploads.'),
  keepsnap_uploads_lost_total: counter(
    'Uploads that ended with their program or connection; their reservations were released.',
  ),
  keepsnap_photos_finished_total: counter('Photos that became ready, or failed for good.', {
    kind: ['quick', 'slow'],
    outcome: ['ready', 'refused', 'timeout', 'memory', 'crashed', 'gave up'],
  }),
  keepsnap_photo_ready_seconds: histogram(
    'From the beginning of an upload until the photo is ready to be shown.',
    { kind: ['quick', 'slow'] },
    workSeconds,
  ),
  keepsnap_photos_unfinished: gauge('Accepted photos that are neither ready nor failed.'),
  keepsnap_photos_unfinished_oldest_seconds: gauge('Age of the oldest of these.'),

  keepsnap_image_processes: gauge('Running image processes.'),
  keepsnap_image_jobs_running: gauge('Images that are made now or wait for an image process.'),
  keepsnap_image_duration_seconds: histogram(
    'From the input being ready to the image being made, the wait for an image process included.',
    { image: null },
    workSeconds,
  ),
  keepsnap_image_failures_total: counter('Images that could not be made.', {
    image: null,
    reason: ['refused', 'timeout', 'memory', 'crashed', 'error'],
  }),

  keepsnap_job_duration_seconds: histogram('Duration of jobs.', { job_name: null }, workSeconds),
  keepsnap_jobs_total: counter('Attempts at jobs.', { job_name: null, outcome: ['done', 'error'] }),
  keepsnap_jobs_unlocked_total: counter('Jobs taken from workers that stopped responding.'),
  keepsnap_queue_jobs: gauge('Jobs in the queue, over all nodes. failed: no attempts left.', {
    job_name: null,
    state: ['waiting', 'running', 'failed'],
  }),
  keepsnap_queue_oldest_seconds: gauge('How long the oldest job that is due has waited, over all nodes.', {
    job_name: null,
  }),
  keepsnap_worker_nodes: gauge('Nodes that run jobs, by their heartbeats.'),

  keepsnap_emails_total: counter('Attempts at emails. failed: refused; expired: given up after its time.', {
    kind: null,
    outcome: ['sent', 'retry', 'failed', 'expired', 'obsolete'],
  }),
  keepsnap_emails_waiting: gauge('Emails that are due or have failed before, over all nodes.'),
  keepsnap_emails_oldest_waiting_seconds: gauge('Age of the oldest of these.'),
  keepsnap_emails_held: gauge("Emails that wait until their owner's address is confirmed."),
  keepsnap_outbox_bytes: gauge('Bytes of emails that are kept as files.'),
  keepsnap_outbox_limit_bytes: gauge('What the outbox folder may hold (OUTBOX_MAX_MB).'),

  keepsnap_webhook_attempts_total: counter('Attempts at deliveries to webhooks of customers.', {
    outcome: ['accepted', 'refused', 'unreachable'],
  }),
  keepsnap_webhook_deliveries_waiting: gauge('Deliveries to webhooks that are due.'),
  keepsnap_webhook_oldest_waiting_seconds: gauge('How long the oldest of these has been due.'),
  keepsnap_payment_webhooks_total: counter('Webhooks of the payment provider.', {
    outcome: ['new', 'repeated', 'refused'],
  }),
  keepsnap_checkouts_total: counter(
    'Checkouts that users asked for: opened, refused by the payment provider or its last check, or not opened because it could not be reached.',
    { outcome: ['opened', 'refused', 'unreachable'] },
  ),
  keepsnap_payment_sales_stopped: gauge('1 while plans are not sold: the payment provider refuses the key or a price.'),
  keepsnap_payment_last_webhook_timestamp_seconds: gauge(
    'When the last webhook of the payment provider with a valid signature arrived; absent before the first.',
  ),
  keepsnap_payment_events_waiting: gauge('Events of the payment provider that have not been applied.'),
  keepsnap_payment_sync_lag_seconds: gauge('Age of the oldest of these.'),
  keepsnap_payment_events_read_timestamp_seconds: gauge('Until when events were read by the hourly job.'),
  keepsnap_payment_mismatches: gauge('Customers who differed from the provider at the last nightly comparison.'),
  keepsnap_payment_compared_timestamp_seconds: gauge('Time of that comparison; absent before the first.'),
  keepsnap_payment_refunds_waiting: gauge('Refunds that have not been made.'),

  keepsnap_removals_stopped: gauge('1 while the removal of photos after the end of plans waits for the operator.'),
  keepsnap_deletions_overdue: gauge('Photos deleted more than a day ago whose files are still stored.'),

  keepsnap_live_sockets: gauge('Open WebSockets of this node.'),
  keepsnap_live_messages_total: counter('Messages sent to WebSockets.'),
  keepsnap_live_slow_sockets_closed_total: counter('WebSockets closed because their client did not read.'),
  keepsnap_live_refetches_total: counter(
    'WebSockets that were sent the current state, because events may have been missed.',
  ),
  keepsnap_bus_listening: gauge('1 while this node receives the events of the database.', {
    channel: ['events', 'jobs'],
  }),
  keepsnap_bus_gaps_total: counter('Times at which events may have been missed.'),

  keepsnap_database_up: gauge('1 when the database answered the query of this page in time.'),
  keepsnap_database_connections: gauge('Connections of the pool of this node.', { state: ['used', 'idle'] }),
  keepsnap_database_connections_limit: gauge('Connections that the pool may open.'),
  keepsnap_database_waiting: gauge('Queries and transactions that wait for a connection.'),
  keepsnap_database_errors_total: counter('Errors that the database answered, by the class of their SQLSTATE.', {
    class: null,
  }),
  keepsnap_database_connections_lost_total: counter('Connections that broke.'),

  keepsnap_storage_operation_seconds: histogram(
    'Duration of calls of the store. stage: the time of a slow upload included.',
    { operation: null },
    storeSeconds,
  ),
  keepsnap_storage_errors_total: counter('Failed calls of the store. down: the store is at fault; other: all others.', {
    operation: null,
    reason: ['down', 'other'],
  }),
  keepsnap_disk_free_bytes: gauge('Free space on the disk of DATA_DIR.'),
  keepsnap_disk_size_bytes: gauge('Size of the disk of DATA_DIR.'),
  keepsnap_integrity_problems: gauge('What the last check of rows, stored files, counts and work found.', {
    kind: findingKinds,
  }),
  keepsnap_integrity_checked_timestamp_seconds: gauge('Time of that check.'),
  keepsnap_backup_last_success_timestamp_seconds: gauge(
    'When the last backup of this database was finished that has at least half of the accounts and photos of the one before; absent before the first, and after a restore.',
  ),
  keepsnap_backup_last_duration_seconds: gauge('How long that backup took.'),
  keepsnap_backup_watched_since_timestamp_seconds: gauge(
    'From when a missing backup counts: creation or restore of the database, or its upgrade to a version that records backups.',
  ),

  keepsnap_backup_checked_timestamp_seconds: gauge(
    'When the command `backup` last read the newest backup and compared it with its checksums, which it does every week; before the first time, when the database was set up, restored or upgraded.',
  ),
  keepsnap_backup_damaged_files: gauge('Files of that backup that were damaged or missing then.'),

  keepsnap_log_lines_dropped_total: counter('Lines that the target of the log did not accept.'),
  keepsnap_scrape_failures_total: counter('Parts of this page that could not be read in time.', {
    part: null,
  }),
} as const satisfies Record<string, MetricDescription>

type Catalogue = typeof catalogue
export type MetricName = keyof Catalogue
type NameOf<Kind> = { [N in MetricName]: Catalogue[N]['kind'] extends Kind ? N : never }[MetricName]
type CounterName = NameOf<'counter'>
export type GaugeName = NameOf<'gauge'>
type HistogramName = NameOf<'histogram'>

/** The labels that a metric must be given. */
type LabelsOf<N extends MetricName> = {
  [L in keyof Catalogue[N]['labels']]: Catalogue[N]['labels'][L] extends readonly (infer V extends string)[]
    ? V
    : string
}
