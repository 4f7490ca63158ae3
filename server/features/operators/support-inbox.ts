import { sql } from 'kysely'
import {
  changeSupportMessage,
  deleteSupportMessage,
  getSupportMessage,
  listSupportMessages,
  type SupportCounts,
  type SupportMessage,
  type SupportState,
  type SupportSummary,
} from '@keepsnap/contract/operator-support.ts'
import { adminLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../platform/db/connect.ts'
import { deleteEmails } from '../emails/stored-emails.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault, unauthorized } from '../../faults.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { isId } from '../../lib/ids.ts'
import { actAsOperator, recordAction, recordRead, userSubject } from './audit-log.ts'

const messageNotFound = (): Fault => new Fault('not_found', 'This message does not exist any more.')

/** The inbox of messages to support. */
export function supportOperatorRoutes(serve: Serve, { db }: Dependencies): void {
  serve(listSupportMessages, async ({ query: { state = 'open', skip = 0, limit = adminLimits.pageDefault } }) => {
    const [rows, counts] = await Promise.all([messagesPage(db, { state, skip, limit }), countMessages(db)])
    const messages = rows.map((row) => ({ ...summaryFieldsOf(row), excerpt: row.excerpt }))
    return { messages, counts, total: counts[state], skip, limit }
  })

  serve(getSupportMessage, async ({ params: { id } }, { actor: operator }) => {
    const message = await findMessage(db, id)
    await recordRead(db, {
      operator,
      action: 'read support message',
      person: id,
      subject: await subjectOf(db, message),
    })
    return messageView(message)
  })

  serve(changeSupportMessage, async ({ params: { id }, body: { state } }, { actor }) => {
    const before = await findMessage(db, id)
    if (before.state === state) return messageView(before)
    const subject = await subjectOf(db, before)
    await db.transaction().execute(async (tx) => {
      await lockSender(tx, before)
      if (!(await changeMessageState(tx, { id, state }))) throw messageNotFound()
      const name = await operatorEmail(tx, actor.userId)
      const by = { kind: 'operator', id: actor.userId, name } as const
      await recordAction(tx, { by, action: stateActions[state], subject, outcome: 'done' })
    })
    return messageView(await findMessage(db, id))
  })

  serve(deleteSupportMessage, async ({ params: { id }, body: { reason } }, { actor: operator }) => {
    const before = await findMessage(db, id)
    const subject = await subjectOf(db, before)
    await actAsOperator(db, { operator, action: 'delete support message', subject, reason }, async (tx) => {
      await lockSender(tx, before)
      if (!(await deleteMessage(tx, id))) throw messageNotFound()
      await deleteEmails(tx, [id])
    })
    return { deleted: true }
  })
}

const excerptChars = 160

/** A message in a list. */
interface SummaryRow {
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
const messagesPage = (
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

async function countMessages(db: Db): Promise<SupportCounts> {
  const { rows } = await sql<SupportCounts>`
    select count(*) filter (where state = 'open') as open, count(*) filter (where state = 'open' and is_priority) as priority,
      count(*) filter (where state = 'answered') as answered, count(*) filter (where state = 'suspected') as suspected
    from support_messages`.execute(db)
  return rows[0] ?? { open: 0, priority: 0, answered: 0, suspected: 0 }
}

/** A whole message, with the account of its sender. */
interface MessageRow extends Omit<SummaryRow, 'excerpt'> {
  message: string
  user_id: string | null
  account_name: string | null
  account_email: string | null
}

const messageById = (db: Db, id: string): Promise<MessageRow | undefined> =>
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
async function changeMessageState(tx: Db, { id, state }: { id: string; state: SupportState }): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('support_messages')
    .set({ state, answered_at: state === 'answered' ? sql<Date>`now()` : null })
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** False when there is no such message any more. */
async function deleteMessage(tx: Db, id: string): Promise<boolean> {
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

const summaryFieldsOf = (row: Omit<SummaryRow, 'excerpt'>): Omit<SupportSummary, 'excerpt'> => ({
  id: row.id,
  name: row.name,
  email: row.email,
  subject: row.subject,
  priority: row.is_priority,
  state: row.state as SupportState, // the table allows only these
  sent_at: row.created_at.toISOString(),
  answered_at: row.answered_at?.toISOString() ?? null,
})

const messageView = (row: MessageRow): SupportMessage => ({
  ...summaryFieldsOf(row),
  message: row.message,
  account:
    row.user_id === null ? null : { id: row.user_id, username: row.account_name ?? '', email: row.account_email ?? '' },
})

const stateActions: Record<SupportState, string> = {
  open: 'reopen support message',
  answered: 'mark support message as answered',
  suspected: 'mark support message as suspected',
}

/** The account that a message belongs to, as the subject of an entry in the audit log. */
const subjectOf = (db: Db, { user_id: userId }: MessageRow) =>
  userId === null ? Promise.resolve(undefined) : userSubject(db, userId)

async function findMessage(db: Db, id: string): Promise<MessageRow> {
  const row = isId(id) ? await messageById(db, id) : undefined
  if (!row) throw messageNotFound()
  return row
}

/** Locks the account of the sender before its rows, as its deletion does. */
async function lockSender(tx: Db, { user_id: userId }: MessageRow): Promise<void> {
  if (userId !== null) await tx.selectFrom('users').select('id').where('id', '=', userId).forKeyShare().execute()
}

async function operatorEmail(tx: Db, userId: string): Promise<string> {
  const operator = await tx.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  if (!operator) throw unauthorized()
  return operator.email
}
