import { newId } from '../lib/ids.ts'
import type { TestServer } from './harness.ts'

interface SampleMessage {
  /** Id of the account that sent it; otherwise a visitor did. */
  owner?: string
  subject?: string
  email?: string
  priority?: boolean
  state?: 'open' | 'answered' | 'suspected'
  /** How long ago it was sent, and answered. */
  days?: number
}

/** Adds a message to support to the database; its id. */
export async function addSupportMessage(
  { app }: Pick<TestServer, 'app'>,
  {
    owner,
    email = 'ann@example.com',
    subject = 'The screen is dark',
    priority = false,
    state = 'open',
    days = 0,
  }: SampleMessage = {},
): Promise<string> {
  const id = newId()
  await app.deps.pool.query(
    `insert into support_messages (id, user_id, name, email, mailbox, subject, message, is_priority, filled_honeypot, state,
       client, is_emailed, is_confirmed, created_at, answered_at)
     values ($1, $2, 'Ann', $7, $7, $3, 'It was light before.', $4, false, $5, 'client', false, false,
       now() - make_interval(days => $6), case when $5 = 'answered' then now() - make_interval(days => $6) end)`,
    [id, owner ?? null, subject, priority, state, days, email],
  )
  return id
}
