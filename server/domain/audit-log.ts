import { sql, type RawBuilder } from 'kysely'
import { adminLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../db/connect.ts'
import { newId } from '../lib/ids.ts'

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
