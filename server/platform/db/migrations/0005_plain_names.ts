import { type Kysely, sql } from 'kysely'

/** Jobs that got new names, and how a queued job of the old name becomes one of the new. */
const jobs = [
  { from: 'send-letter', to: 'send-email', payload: "json_build_object('emailId', payload->>'letterId')" },
  {
    from: 'forget-letters',
    to: 'delete-outbox-emails',
    payload: "json_build_object('emailIds', payload->'letterIds')",
  },
  { from: 'wake-letters', to: 'retry-unreachable-emails', payload: 'payload' },
  { from: 'send-reset', to: 'send-password-reset', payload: 'payload' },
  { from: 'mark-photo', to: 'watermark-next-photo', payload: 'payload' },
  { from: 'remove-object', to: 'delete-object', payload: 'payload' },
  { from: 'remove-orphans', to: 'delete-orphaned-objects', payload: 'payload' },
  { from: 'sweep', to: 'clean-up', payload: 'payload' },
]

/** Tables, columns, indexes and jobs under the terms that the rest of the program uses. Loses nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    'alter table letters rename to emails',
    'alter table emails rename column email to recipient',
    'alter table emails rename column email_key to recipient_key',
    'alter table emails rename column facts to payload',
    'alter table emails rename column unreachable to server_unreachable',
    'alter table emails rename column held to awaits_verification',
    'alter index letters_by_address rename to emails_by_recipient',
    'alter index letters_by_photo rename to emails_by_photo',
    'alter index letters_by_user rename to emails_by_user',
    'alter index letters_unsent rename to emails_unsent',
    'alter index letters_held rename to emails_awaiting_verification',
    'alter index letters_to_users rename to emails_to_users',
    'alter table photo_requests rename column letter_id to email_id',
    'alter table photo_requests rename column email to requester_email',
    'alter table photo_requests rename column email_key to requester_key',
    'alter index photo_requests_by_letter rename to photo_requests_by_email',
    'alter table asks rename to photo_request_attempts',
    'alter table photo_request_attempts rename column asked_at to attempted_at',
    'alter index asks_by_client rename to photo_request_attempts_by_client',
    'alter index asks_by_photo rename to photo_request_attempts_by_photo',
    'alter index asks_by_age rename to photo_request_attempts_by_age',
    'alter table blocked_mailboxes rename column block to mailbox_hash',
    'alter table links rename to email_links',
    'alter index links_by_user rename to email_links_by_user',
    'alter table objects rename to stored_objects',
    'alter index objects_by_photo rename to stored_objects_by_photo',
    'alter index objects_by_user rename to stored_objects_by_user',
    'alter table photos rename column plain_key to unmarked_key',
    'alter table photos rename column plain_type to unmarked_type',
    'alter table photos rename column plain_bytes to unmarked_bytes',
    'alter table photos rename column marked_with to watermark_key',
    'alter table watermark_runs rename column what to action',
    'alter table watermark_runs rename column after_at to cursor_at',
    'alter table watermark_runs rename column after_id to cursor_id',
    'alter table photo_hours rename to photo_activity',
    'alter index photo_hours_by_user rename to photo_activity_by_user',
    'alter table consents rename column at to recorded_at',
    'alter table workers rename column beat_at to heartbeat_at',
    'alter function take_rate(text, integer) rename to count_rate_hit',
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
  await renameQueuedJobs(db)
}

/** A new database has no job queue yet: it is created after these migrations. */
async function renameQueuedJobs(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('graphile_worker._private_tasks') is not null as exists`.execute(db)
  if (!rows[0]?.exists) return
  for (const { from, to, payload } of jobs) {
    await sql`insert into graphile_worker._private_tasks (identifier) values (${to}) on conflict do nothing`.execute(db)
    await sql`
      update graphile_worker._private_jobs set
        task_id = (select id from graphile_worker._private_tasks where identifier = ${to}),
        payload = ${sql.raw(payload)}
      where task_id = (select id from graphile_worker._private_tasks where identifier = ${from})`.execute(db)
  }
  await sql`
    update graphile_worker._private_jobs set key = 'email:' || substr(key, length('letter:') + 1)
    where key like 'letter:%'`.execute(db)
}
