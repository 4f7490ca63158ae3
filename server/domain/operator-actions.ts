import { sql } from 'kysely'
import { adminLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../db/connect.ts'
import { Fault, invalidField, passwordRequired } from '../faults.ts'
import { recordAction, type AuditedAction } from './audit-log.ts'

/** An action that an operator asks for on the page /admin. */
export interface OperatorAction {
  operator: { userId: string; sessionHash: Buffer }
  action: string
  /** Undefined when there is no such account: the log must not contain the id of a deleted one. */
  subject: AuditedAction['subject']
  /** The operator's text, not trimmed or validated. */
  reason: string
}

/** An account as the subject of an entry in the audit log; undefined when there is no such account. */
export async function userSubject(db: Db, userId: string): Promise<AuditedAction['subject']> {
  const user = await db.selectFrom('users').select('username').where('id', '=', userId).executeTakeFirst()
  return user && { kind: 'user', id: userId, name: user.username, userId }
}

/**
 * The operator's email address, if this session has entered the password within the last 10 minutes; otherwise throws
 * `password_required`. For what must happen before `actAsOperator`, such as asking the payment provider.
 */
export async function requireConfirmedOperator(
  db: Db,
  { userId, sessionHash }: OperatorAction['operator'],
): Promise<string> {
  const operator = await db
    .selectFrom('operator_confirmations')
    .innerJoin('sessions', 'sessions.token_hash', 'operator_confirmations.session_hash')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('users.email')
    .where('sessions.token_hash', '=', sessionHash)
    .where('users.id', '=', userId)
    .where('users.is_admin', '=', true)
    .where('users.is_active', '=', true)
    .where('confirmed_at', '>', sql<Date>`now() - make_interval(mins => ${adminLimits.confirmationMinutes})`)
    .executeTakeFirst()
  if (!operator) throw passwordRequired()
  return operator.email
}

/**
 * Does what an operator asks for, in a transaction with its entry in the audit log. Throws `password_required` unless the
 * session has entered the password recently, and 422 without a reason. A `Fault` thrown by `change` is logged as
 * refused. To prevent deadlocks, `change` must lock the account first, as all code that writes an account's rows does.
 */
export async function actAsOperator<Result>(
  db: Db,
  { operator, action, subject, reason: givenReason }: OperatorAction,
  change: (tx: Db) => Promise<Result>,
): Promise<Result> {
  const reason = givenReason.trim()
  // Requires a letter or digit, so that invisible characters alone are rejected.
  if (!/[\p{L}\p{N}]/u.test(reason))
    throw invalidField('reason', 'Please enter a reason. It is saved in the audit log.')
  const name = await requireConfirmedOperator(db, operator)
  const entry = { by: { kind: 'operator', id: operator.userId, name }, action, subject, reason } as const
  try {
    return await db.transaction().execute(async (tx) => {
      const result = await change(tx)
      await recordAction(tx, { ...entry, outcome: 'done' })
      return result
    })
  } catch (error) {
    if (error instanceof Fault) await recordAction(db, { ...entry, outcome: { refused: error.message } })
    throw error
  }
}
