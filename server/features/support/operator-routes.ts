import { adminLimits } from '@keepsnap/contract/limits.ts'
import {
  changeSupportMessage,
  deleteSupportMessage,
  getSupportMessage,
  listSupportMessages,
  type SupportMessage,
  type SupportState,
  type SupportSummary,
} from '@keepsnap/contract/operator-support.ts'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { recordAction } from '../../domain/audit-log.ts'
import { actAsOperator, recordRead, userSubject } from '../../domain/operator-actions.ts'
import { deleteEmails } from '../../emails/clean-up.ts'
import { Fault, unauthorized } from '../../faults.ts'
import type { Serve } from '../../http/serve.ts'
import { isId } from '../../lib/ids.ts'
import {
  changeMessageState,
  countMessages,
  deleteMessage,
  messageById,
  messagesPage,
  type MessageRow,
  type SummaryRow,
} from './operator-queries.ts'

const messageNotFound = (): Fault => new Fault('not_found', 'This message does not exist any more.')

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

/** The inbox of messages to support. */
export function supportOperatorRoutes(serve: Serve, { db }: Pick<Dependencies, 'db'>): void {
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

/** Locks the account of the sender before its rows, as its deletion does. */
async function lockSender(tx: Db, { user_id: userId }: MessageRow): Promise<void> {
  if (userId !== null) await tx.selectFrom('users').select('id').where('id', '=', userId).forKeyShare().execute()
}

async function operatorEmail(tx: Db, userId: string): Promise<string> {
  const operator = await tx.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  if (!operator) throw unauthorized()
  return operator.email
}
