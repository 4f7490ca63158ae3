import type { Client } from 'pg'

export interface EmailBacklog {
  userId: string
  photoId: string
  count: number
}

/** An SQL expression for an id of the usual length. */
const id = (column: string): string => `lpad(${column}, 22, '0')`

/**
 * Adds the rows that emails have after the mail server was unreachable for an hour: seven attempts, the next one within
 * 32 minutes, each email with its request and its job.
 */
export async function addEmailBacklog(database: Client, { userId, photoId, count }: EmailBacklog): Promise<void> {
  const values = [userId, photoId, count]
  await database.query('begin')
  await database.query(
    `insert into emails (id, kind, user_id, photo_id, recipient, recipient_key, payload, created_at, due_at, give_up_at, attempts, server_unreachable, failure)
     select ${id("'L' || n")}, 'photo', $1, $2, 'guest' || n || '@example.com', 'guest' || n || '@example.com',
       jsonb_build_object('requestId', ${id("'R' || n")}), now() - interval '1 hour',
       now() + random() * interval '32 minutes', now() + interval '47 hours', 7, true, 'The mail server could not be reached.'
     from generate_series(1, $3::int) n`,
    values,
  )
  await database.query(
    `insert into photo_requests (id, photo_id, user_id, email_id, requester_email, requester_key, consent_version, requested_at)
     select ${id("'R' || n")}, $2, $1, ${id("'L' || n")}, 'guest' || n || '@example.com', 'guest' || n || '@example.com', 'bench',
       now() - interval '1 hour' from generate_series(1, $3::int) n`,
    values,
  )
  await database.query(
    `select count(graphile_worker.add_job('send-email', json_build_object('emailId', l.id), job_key => 'email:' || l.id,
       max_attempts => 25, priority => 0, run_at => l.due_at)) from emails l where state = 'queued'`,
  )
  await database.query('commit')
}
