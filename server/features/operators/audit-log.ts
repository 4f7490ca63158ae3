import { type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { type AuditEntry, listAuditEntries } from '@keepsnap/contract/operators.ts'
import { adminLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { AdminKeyActor } from '../../platform/http/authenticator.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { isId, newId } from '../../lib/ids.ts'
import { Fault, invalidField, passwordRequired } from '../../faults.ts'

type ActorKind = AuditEntry['by']['kind']

interface AuditRow {
  id: string
  at: Date
  actor_kind: ActorKind
  actor_name: string
  action: string
  subject_kind: 'user' | 'photo' | null
  subject_id: string | null
  subject_name: string | null
  reason: string | null
  outcome: AuditEntry['outcome']
  detail: string | null
}

/** The audit log as the page /admin shows it: the newest first; none before an entry that does not exist. */
export function auditLogRoutes(serve: Serve, { db }: Dependencies): void {
  serve(listAuditEntries, async ({ query: { limit = adminLimits.pageDefault, before, user_id: userId, by } }) => {
    if ([before, userId].some((id) => id !== undefined && !isId(id))) return { entries: [], has_more: false }
    const conditions = [
      ...(before === undefined ? [] : [sql`(at, id) < (select at, id from audit_log where id = ${before})`]),
      ...(userId === undefined ? [] : [sql`user_id = ${userId}`]),
      // As a literal, so that the index without the calls of admin keys can be used.
      ...(by === undefined ? [] : [sql`actor_kind = ${sql.lit(by)}`]),
    ]
    const { rows } = await sql<AuditRow>`
      select id, at, actor_kind, actor_name, action, subject_kind, subject_id, subject_name, reason, outcome, detail
      from audit_log where ${conditions.length ? sql.join(conditions, sql` and `) : sql`true`}
      order by at desc, id desc limit ${limit + 1}`.execute(db)
    return { entries: rows.slice(0, limit).map(entryView), has_more: rows.length > limit }
  })
}

const entryView = (row: AuditRow): AuditEntry => ({
  id: row.id,
  at: row.at.toISOString(),
  by: { kind: row.actor_kind, name: row.actor_name },
  action: row.action,
  subject:
    row.subject_kind === null || row.subject_id === null
      ? null
      : { kind: row.subject_kind, id: row.subject_id, name: row.subject_name },
  reason: row.reason,
  outcome: row.outcome,
  detail: row.detail,
})

/** What the audit log stores about one action; names as they are at the time of the action. */
export interface AuditedAction {
  by: { kind: 'admin key' | 'operator'; id: string; name: string } | { kind: 'command'; id: null; name: string }
  /** What was done, such as `deactivate account`. */
  action: string
  /** `userId` of a photo: its owner. */
  subject?: { kind: 'user' | 'photo'; id: string; name: string | null; userId: string } | undefined
  reason?: string
  /** `refused`: the error message that the caller received. */
  outcome: 'done' | { refused: string }
}

/**
 * Adds an entry to the audit log. In the action's own transaction, the entry exists if and only if the action was done.
 * Waits for a concurrent deletion of the subject's account; afterwards the entry names neither account nor reason.
 */
export async function recordAction(db: Db, { by, action, subject, reason, outcome }: AuditedAction): Promise<void> {
  const ifOwner = (value: string | null): RawBuilder<string | null> =>
    sql`case when exists (select from owner) then ${value}::text end`
  const givenReason = reason ?? null
  await sql`
    with owner as materialized (select id from users where id = ${subject?.userId ?? null} for key share)
    insert into audit_log (id, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, user_id,
      reason, outcome, detail)
    values (${newId()}, ${by.kind}, ${by.id}, ${by.name}, ${action}, ${ifOwner(subject?.kind ?? null)},
      ${ifOwner(subject?.id ?? null)}, ${ifOwner(subject?.name ?? null)}, ${ifOwner(subject?.userId ?? null)},
      ${subject ? ifOwner(givenReason) : givenReason}, ${outcome === 'done' ? 'done' : 'refused'},
      ${outcome === 'done' ? null : outcome.refused})`.execute(db)
}

/** Adds an entry for each photo that a helper of an event changed, in the transaction that changes them. The id stands for the name. */
export async function recordHelperActions(
  tx: Db,
  { helperId, action, photos }: { helperId: string; action: string; photos: readonly string[] },
): Promise<void> {
  await sql`
    insert into audit_log (id, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, user_id, outcome)
    select ids.id, 'helper', ${helperId}, ${helperId}, ${action}, 'photo', photos.id, photos.filename, photos.user_id, 'done'
    from unnest(${photos.map(() => newId())}::text[], ${photos}::text[]) as ids (id, photo)
      join photos on photos.id = ids.photo`.execute(tx)
}

/** Records a call with an admin key, before it is answered. One that is refused for its query or its rate has read nothing and has no entry. */
export const recordKeyCall = (
  db: Db,
  { keyId: id, keyName: name }: AdminKeyActor,
  call: Pick<AuditedAction, 'action' | 'subject' | 'outcome'>,
): Promise<void> => recordAction(db, { by: { kind: 'admin key', id, name }, ...call })

/** Anonymizes the entries about and by an account that is being deleted. The actions themselves stay in the log. */
export async function anonymizeAuditEntries(tx: Db, userId: string): Promise<void> {
  await tx
    .updateTable('audit_log')
    .set({ subject_kind: null, subject_id: null, subject_name: null, user_id: null, reason: null })
    .where('user_id', '=', userId)
    .execute()
  await tx
    .updateTable('audit_log')
    .set({ actor_id: null, actor_name: 'deleted account' })
    .where('actor_kind', '=', 'operator')
    .where('actor_id', '=', userId)
    .execute()
}

const deletedAtOnce = 10_000

/** Deletes expired entries. Calls with admin keys, which are many, are kept for fewer days than actions. */
export async function deleteOldAuditEntries(db: Db): Promise<void> {
  await sql`
    delete from audit_log where id in (
      select id from audit_log where actor_kind = 'admin key'
        and at < now() - make_interval(days => ${adminLimits.auditCallDays})
      order by at, id limit ${deletedAtOnce})`.execute(db)
  await sql`
    delete from audit_log where id in (
      select id from audit_log where actor_kind <> 'admin key'
        and at < now() - make_interval(days => ${adminLimits.auditActionDays})
      order by at, id limit ${deletedAtOnce})`.execute(db)
}

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
