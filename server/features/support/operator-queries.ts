import { sql } from 'kysely'
import type { SupportCounts, SupportState } from '@keepsnap/contract/operator-support.ts'
import type { Db } from '../../db/connect.ts'
import { deleteEmails } from '../../emails/clean-up.ts'

const excerptChars = 160

/** A message in a list. */
export interface SummaryRow {
  id: string
  name: string
  email: string
  subject: string
  is_priority: boolean
  state: string
  created_at: Date
  answered_at: Date | null
  excerpt: string
}

/** Messages of one state: those with priority first, then the newest. */
export const messagesPage = (
  db: Db,
  { state, skip, limit }: { state: SupportState; skip: number; limit: number },
): Promise<SummaryRow[]> =>
  db
    .selectFrom('support_messages')
    .select(['id', 'name', 'email', 'subject', 'is_priority', 'state', 'created_at', 'answered_at'])
    .select(sql<string>`left(message, ${sql.lit(excerptChars)})`.as('excerpt'))
    .where('state', '=', state)
    .orderBy('is_priority', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .offset(skip)
    .limit(limit)
    .execute()

export async function countMessages(db: Db): Promise<SupportCounts> {
  const { rows } = await sql<SupportCounts>`
    select count(*) filter (where state = 'open') as open, count(*) filter (where state = 'open' and is_priority) as priority,
      count(*) filter (where state = 'answered') as answered, count(*) filter (where state = 'suspected') as suspected
    from support_messages`.execute(db)
  return rows[0] ?? { open: 0, priority: 0, answered: 0, suspected: 0 }
}

/** A whole message, with the account of its sender. */
export interface MessageRow extends Omit<SummaryRow, 'excerpt'> {
  message: string
  user_id: string | null
  account_name: string | null
  account_email: string | null
}

export const messageById = (db: Db, id: string): Promise<MessageRow | undefined> =>
  db
    .selectFrom('support_messages')
    .leftJoin('users', 'users.id', 'support_messages.user_id')
    .select([
      'support_messages.id',
      'name',
      'support_messages.email',
      'subject',
      'message',
      'is_priority',
      'state',
      'support_messages.created_at',
      'answered_at',
      'user_id',
      'users.username as account_name',
      'users.email as account_email',
    ])
    .where('support_messages.id', '=', id)
    .executeTakeFirst()

/** False when there is no such message any more. */
export async function changeMessageState(tx: Db, { id, state }: { id: string; state: SupportState }): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('support_messages')
    .set({ state, answered_at: state === 'answered' ? sql<Date>`now()` : null })
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** False when there is no such message any more. */
export async function deleteMessage(tx: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('support_messages').where('id', '=', id).executeTakeFirst()
  return numDeletedRows === 1n
}

/** How many messages to support came from a mailbox. `keys`: of `storedMailboxKeys`. */
export async function countMessagesOf(db: Db, keys: string[]): Promise<number> {
  const { count } = await db
    .selectFrom('support_messages')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('mailbox', 'in', keys)
    .executeTakeFirstOrThrow()
  return count
}

/** Deletes the messages to support from a mailbox up to a time, with the emails that brought them. Resolves to how many. */
export async function deleteMessagesOf(tx: Db, keys: string[], before: Date): Promise<number> {
  await sql`
    select from users where id in (select user_id from support_messages where mailbox = any(${keys}))
    order by id for key share`.execute(tx)
  const deleted = await tx
    .deleteFrom('support_messages')
    .where('mailbox', 'in', keys)
    .where('created_at', '<=', before)
    .returning('id')
    .execute()
  await deleteEmails(
    tx,
    deleted.map(({ id }) => id),
  )
  return deleted.length
}

/** Every mailbox that has written to support. */
export const senderMailboxes = async (db: Db): Promise<string[]> =>
  (await db.selectFrom('support_messages').select('mailbox').distinct().execute()).map(({ mailbox }) => mailbox)
