import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { findingKinds } from '@keepsnap/contract/operators.ts'
import type { Db } from '../db/connect.ts'
import { type JobCounts, jobCounts } from '../jobs/queue.ts'
import type { GaugeName, MetricSample, MetricSource } from './metrics.ts'

const statementMs = 2_000
/** With the wait for a connection. */
const answerMs = 2_500
/** How long a result is cached for repeated scrapes. */
const keepMs = 5_000
/** More than this many waiting emails, deletions or deliveries are not counted. */
const countMax = 100_000

interface DatabaseState {
  jobs: JobCounts[] | null
  /** Numbers by the name of their metric; null: there is none. */
  values: Record<string, number | null>
}

/** Null before the first check. */
interface LastCheck {
  missing: number | null
  /** Orphaned files that were removed. */
  unknown: number | null
  /** Numbers by kind; null when nothing was found, and for checks of earlier versions. */
  found: Record<string, number> | null
}

/** Metrics without labels that the query reads, and the expression of each; all of them by an index, or from one row. */
const expressions = {
  keepsnap_worker_nodes: sql`(select count(distinct node) from workers where heartbeat_at > now() - interval '8 seconds')`,
  keepsnap_photos_unfinished: sql`(select count(*) from unfinished)`,
  keepsnap_photos_unfinished_oldest_seconds: sql`(select coalesce(extract(epoch from now() - min(created_at)), 0) from unfinished)`,
  keepsnap_emails_waiting: sql`(select count(*) from waiting_emails)`,
  keepsnap_emails_oldest_waiting_seconds: sql`(select coalesce(extract(epoch from now() - min(created_at)), 0) from waiting_emails)`,
  keepsnap_emails_held: sql`(select count(*) from queued_emails where awaits_verification)`,
  keepsnap_webhook_deliveries_waiting: sql`(select count(*) from due_deliveries)`,
  keepsnap_webhook_oldest_waiting_seconds: sql`(select coalesce(extract(epoch from now() - min(next_attempt_at)), 0) from due_deliveries)`,
  keepsnap_payment_sales_stopped: sql`(select (refused_because is not null)::int from payment_settings)`,
  keepsnap_payment_last_webhook_timestamp_seconds: sql`(select extract(epoch from last_webhook_at) from payment_settings)`,
  keepsnap_payment_events_waiting: sql`(select count(*) from payment_events where processed_at is null)`,
  keepsnap_payment_sync_lag_seconds: sql`(select coalesce(extract(epoch from now() - min(received_at)), 0) from payment_events where processed_at is null)`,
  keepsnap_payment_events_read_timestamp_seconds: sql`(select extract(epoch from events_read_until) from payment_settings)`,
  keepsnap_payment_mismatches: sql`(select mismatches from payment_settings)`,
  keepsnap_payment_compared_timestamp_seconds: sql`(select extract(epoch from compared_at) from payment_settings)`,
  keepsnap_payment_refunds_waiting: sql`(select count(*) from refunds where done_at is null) + (select count(*) from withdrawals where state = 'accepted')`,
  keepsnap_removals_stopped: sql`(select (stopped_at is not null)::int from removal_guard)`,
  keepsnap_deletions_overdue: sql`(select count(*) from overdue)`,
  keepsnap_integrity_checked_timestamp_seconds: sql`(select extract(epoch from max(checked_at)) from storage_checks)`,
  keepsnap_backup_last_success_timestamp_seconds: sql`(select extract(epoch from finished_at) from backup_state)`,
  keepsnap_backup_last_duration_seconds: sql`(select seconds from backup_state)`,
  keepsnap_backup_watched_since_timestamp_seconds: sql`(select extract(epoch from since) from backup_state)`,
  keepsnap_backup_checked_timestamp_seconds: sql`(select extract(epoch from checked_at) from backup_state)`,
  keepsnap_backup_damaged_files: sql`(select damaged from backup_state)`,
} satisfies Partial<Record<GaugeName, unknown>>

/** One query for everything: a scrape uses one connection, for at most two seconds. */
async function readState(db: Db): Promise<DatabaseState & LastCheck> {
  const values = sql.join(Object.entries(expressions).map(([name, expression]) => sql`${sql.lit(name)}, ${expression}`))
  return db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = ${sql.lit(statementMs)}`.execute(tx)
    const { rows } = await sql<DatabaseState & LastCheck>`
      with by_job as (${jobCounts}
      ), unfinished as (
        select created_at from photos where state = 'queued' and deleted_at is null limit ${countMax}
      ), queued_emails as (
        select created_at, due_at, failure, awaits_verification from emails where state = 'queued' limit ${countMax}
      ), waiting_emails as (
        select created_at from queued_emails where not awaits_verification and (due_at <= now() or failure is not null)
      ), due_deliveries as (
        select next_attempt_at from webhook_deliveries where state = 'waiting' and next_attempt_at <= now() limit ${countMax}
      ), overdue as (
        select 1 from photos where deleted_at < now() - interval '1 day'
          and not exists (select 1 from photo_removals where photo_removals.photo_id = photos.id)
          and exists (select 1 from stored_objects where stored_objects.photo_id = photos.id) limit ${countMax}
      ), checked as (
        select missing, unknown, report from storage_checks order by checked_at desc limit 1
      )
      select (select json_agg(by_job) from by_job) as jobs, (select missing from checked) as missing,
        (select unknown from checked) as unknown,
        (select jsonb_object_agg(finding ->> 'kind', finding -> 'count') from checked, jsonb_array_elements(report -> 'findings') as finding) as found,
        jsonb_build_object(${values}) as values`.execute(tx)
    const [state] = rows
    if (!state) throw new Error('the query of the metrics returned nothing')
    return state
  })
}

function samplesOf(state: Awaited<ReturnType<typeof readState>>): MetricSample[] {
  const samples: MetricSample[] = [{ name: 'keepsnap_database_up', labels: {}, value: 1 }]
  for (const { job, oldest, ...counts } of state.jobs ?? []) {
    for (const part of ['waiting', 'running', 'failed'] as const)
      samples.push({ name: 'keepsnap_queue_jobs', labels: { job_name: job, state: part }, value: counts[part] })
    samples.push({ name: 'keepsnap_queue_oldest_seconds', labels: { job_name: job }, value: oldest ?? 0 })
  }
  for (const [name, value] of Object.entries(state.values))
    // The query has the names of `expressions`.
    if (value !== null) samples.push({ name: name as keyof typeof expressions, labels: {}, value })
  // Every kind of a check that was made, so that an alert ends with its problem.
  if (state.missing !== null)
    for (const kind of findingKinds) {
      const found = state.found?.[kind] ?? 0
      const value = kind === 'missing' ? state.missing : kind === 'untracked' ? found + (state.unknown ?? 0) : found
      samples.push({ name: 'keepsnap_integrity_problems', labels: { kind }, value })
    }
  return samples
}

/** What the database knows about all nodes: queues, waiting emails, payments, removals, the last integrity check. */
export function databaseSource(db: Db): MetricSource {
  let last: { readAtMs: number; samples: Promise<MetricSample[]> } | undefined
  const down: MetricSample[] = [{ name: 'keepsnap_database_up', labels: {}, value: 0 }]
  return {
    part: 'database',
    names: [
      'keepsnap_database_up',
      'keepsnap_queue_jobs',
      'keepsnap_queue_oldest_seconds',
      'keepsnap_integrity_problems',
      ...(Object.keys(expressions) as (keyof typeof expressions)[]), // the keys of the object's type
    ],
    read() {
      if (!last || performance.now() - last.readAtMs > keepMs) {
        // A database that is down is a value of its own, not a failure of the page.
        const samples = Promise.race([readState(db).then(samplesOf), wait(answerMs, down, { ref: false })])
        last = { readAtMs: performance.now(), samples: samples.catch(() => down) }
      }
      return last.samples
    },
  }
}
