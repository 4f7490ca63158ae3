import { sql } from 'kysely'
import { adminLimits, withdrawalLimits } from '@keepsnap/contract/limits.ts'
import {
  acceptWithdrawal,
  dismissWithdrawal,
  linkWithdrawal,
  listWithdrawals,
  type OperatorWithdrawal,
  type WithdrawalCounts,
  type WithdrawalState,
} from '@keepsnap/contract/operator-withdrawals.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault, invalidField } from '../../faults.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { isId } from '../../lib/ids.ts'
import { parseEmailAddress } from '../../lib/email-address.ts'
import { actAsOperator, requireConfirmedOperator, userSubject } from './audit-log.ts'
import { lockUser, planOf } from '../plans/plans.ts'
import {
  acceptIn,
  activeUserOf,
  contractOf,
  dismissIn,
  lastSecondBefore,
  linkIn,
  processNow,
} from '../plans/withdrawals.ts'
import { withdrawalEnd } from '../plans/withdrawal-refunds.ts'

const notFound = (): Fault => new Fault('not_found', 'This withdrawal does not exist any more.')

/** Withdrawals from contracts as operators see them: with what has to be decided, and until when. */
export function withdrawalOperatorRoutes(serve: Serve, deps: Dependencies): void {
  const { db } = deps
  serve(listWithdrawals, async ({ query: { state = 'open', skip = 0, limit = adminLimits.pageDefault } }) => {
    const [rows, counts] = await Promise.all([readPage(db, { state, skip, limit }), countWithdrawals(db)])
    return { withdrawals: rows.map(viewOf), counts, total: counts[state], skip, limit }
  })

  serve(acceptWithdrawal, async ({ params: { id }, body: { reason } }, { actor: operator }) => {
    const before = await findRow(db, id)
    const subject = await subjectOf(db, before)
    // One that is accepted goes on: repeating the call is no error.
    if (before.state !== 'accepted' && before.state !== 'done')
      await actAsOperator(db, { operator, action: 'accept withdrawal', subject, reason }, async (tx) => {
        if (before.invoice_id === null)
          throw new Fault('conflict', 'No contract was found for this withdrawal. Find its account first.')
        const outcome = await acceptIn(tx, id, 'operator')
        if (outcome === 'gone')
          throw new Fault(
            'conflict',
            'The account of this contract was deleted, so it cannot be refunded here. Refund it at the payment provider, then close this withdrawal.',
          )
        if (outcome === 'other')
          throw new Fault('conflict', 'Another withdrawal from this contract was accepted, or this one has changed.')
      })
    await processNow(deps, id)
    return viewOf(await findRow(db, id))
  })

  serve(dismissWithdrawal, async ({ params: { id }, body: { reason } }, { actor: operator }) => {
    const before = await findRow(db, id)
    const subject = await subjectOf(db, before)
    await actAsOperator(db, { operator, action: 'close withdrawal', subject, reason }, async (tx) => {
      if (before.user_id !== null) await lockUser(tx, before.user_id)
      if (!(await dismissIn(tx, id, reason.trim())))
        throw new Fault('conflict', 'This withdrawal was accepted or closed already. Nothing has changed.')
    })
    return viewOf(await findRow(db, id))
  })

  serve(linkWithdrawal, async ({ params: { id }, body: { email, reason } }, { actor: operator }) => {
    const address = parseEmailAddress(email)
    if (address === undefined) throw invalidField('email', 'Please enter a full email address.')
    const before = await findRow(db, id)
    await requireConfirmedOperator(db, operator)
    const userId = await activeUserOf(db, address)
    const contract = userId === undefined ? undefined : await contractOf(deps, userId, before.made_at)
    const subject = userId === undefined ? undefined : await userSubject(db, userId)
    await actAsOperator(db, { operator, action: 'link withdrawal', subject, reason }, async (tx) => {
      if (userId === undefined) throw new Fault('not_found', 'No active account has this email address.')
      if (!contract) throw new Fault('conflict', 'This account had no contract when the withdrawal was made.')
      if (!(await linkIn(tx, { id, userId, contract })))
        throw new Fault('conflict', 'Only a withdrawal for which no contract was found can be linked to an account.')
    })
    return viewOf(await findRow(db, id))
  })
}

interface InboxRow {
  id: string
  made_at: Date
  decide_by: Date
  is_overdue: boolean
  name: string
  email: string
  contract: string
  state: WithdrawalState
  accepted_by: OperatorWithdrawal['accepted_by']
  decided_at: Date | null
  done_at: Date | null
  amount_cents: number | null
  note: string | null
  user_id: string | null
  username: string | null
  account_email: string | null
  invoice_id: string | null
  plan: string | null
  concluded_at: Date | null
}

const isClosed = sql<boolean>`withdrawals.state in ('done', 'dismissed')`
const decideBy = sql<Date>`made_at + make_interval(days => ${sql.lit(withdrawalLimits.decideDays)})`
/** Late ones need no decision. */
const isOverdue = sql<boolean>`(withdrawals.state in ('received', 'waiting', 'unmatched', 'accepted') and ${decideBy} < billing_now())`

const selectRows = (db: Db) =>
  db
    .selectFrom('withdrawals')
    .leftJoin('users', 'users.id', 'withdrawals.user_id')
    .select(['withdrawals.id', 'made_at', 'name', 'withdrawals.email', 'contract', 'withdrawals.state', 'accepted_by'])
    .select(['decided_at', 'done_at', 'amount_cents', 'note', 'withdrawals.user_id', 'invoice_id'])
    .select(['withdrawals.plan', 'concluded_at', 'users.username', 'users.email as account_email'])
    .select([decideBy.as('decide_by'), isOverdue.as('is_overdue')])
    .$castTo<InboxRow>()

/** Newest first. */
const readPage = (
  db: Db,
  { state, skip, limit }: { state: 'open' | 'closed'; skip: number; limit: number },
): Promise<InboxRow[]> =>
  selectRows(db)
    .where(state === 'closed' ? isClosed : sql<boolean>`not ${isClosed}`)
    .orderBy('made_at', 'desc')
    .orderBy('withdrawals.id')
    .offset(skip)
    .limit(limit)
    .execute()

async function findRow(db: Db, id: string): Promise<InboxRow> {
  const row = isId(id) ? await selectRows(db).where('withdrawals.id', '=', id).executeTakeFirst() : undefined
  if (!row) throw notFound()
  return row
}

const subjectOf = async (db: Db, { user_id: userId }: InboxRow) =>
  userId === null ? undefined : userSubject(db, userId)

/** How many withdrawals are open, and how many of them are overdue. */
export async function countWithdrawals(db: Db): Promise<WithdrawalCounts> {
  const { rows } = await sql<WithdrawalCounts>`
    select count(*) filter (where not ${isClosed})::int as open, count(*) filter (where ${isOverdue})::int as overdue,
      count(*) filter (where ${isClosed})::int as closed
    from withdrawals`.execute(db)
  return rows[0] ?? { open: 0, overdue: 0, closed: 0 }
}

const viewOf = (row: InboxRow): OperatorWithdrawal => ({
  id: row.id,
  made_at: row.made_at.toISOString(),
  decide_by: row.decide_by.toISOString(),
  is_overdue: row.is_overdue,
  name: row.name,
  email: row.email,
  contract: row.contract,
  state: row.state,
  accepted_by: row.accepted_by,
  decided_at: row.decided_at?.toISOString() ?? null,
  done_at: row.done_at?.toISOString() ?? null,
  refunded_cents: row.amount_cents,
  note: row.note,
  account:
    row.user_id === null ? null : { id: row.user_id, username: row.username ?? '', email: row.account_email ?? '' },
  found:
    row.plan === null || row.concluded_at === null
      ? null
      : {
          plan_name: planOf({ plan: row.plan }).name,
          concluded_at: row.concluded_at.toISOString(),
          until: lastSecondBefore(withdrawalEnd(row.concluded_at)),
        },
})
