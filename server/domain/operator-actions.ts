import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
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

/** What operators have read within the last hour, by database, since one process may have several. */
const recentReads = new WeakMap<Db, LRUCache<string, true>>()
const recentReadLimits = { max: 10_000, ttl: 60 * 60 * 1000 }

/** A read of a person's data by an operator. */
interface OperatorRead {
  operator: OperatorAction['operator']
  /** What was read, such as `read account`. */
  action: string
  /** Whose data, as far as it is known: an id, an address or a search. Not stored. */
  person: string
  subject?: AuditedAction['subject']
}

/**
 * Records that an operator reads a person's data, before it is answered; on each node once an hour for an operator, a person and
 * an action, since pages read again and again. A guest is not named: the log outlives what is erased.
 */
export async function recordRead(db: Db, { operator, action, person, subject }: OperatorRead): Promise<void> {
  const reads = recentReads.get(db) ?? new LRUCache<string, true>(recentReadLimits)
  recentReads.set(db, reads)
  const key = JSON.stringify([operator.userId, action, person])
  if (reads.has(key)) return
  reads.set(key, true)
  try {
    const { email: name } = await db
      .selectFrom('users')
      .select('email')
      .where('id', '=', operator.userId)
      .executeTakeFirstOrThrow()
    await recordAction(db, { by: { kind: 'operator', id: operator.userId, name }, action, subject, outcome: 'done' })
  } catch (error) {
    reads.delete(key)
    throw error
  }
}
