import { sql } from 'kysely'
import type { AuditEntry } from '@keepsnap/contract/operator.ts'
import type { Db } from '../../db/connect.ts'
import { isId } from '../../lib/ids.ts'

type ActorKind = AuditEntry['by']['kind']

/** Which entries of the audit log to read. */
export interface AuditFilter {
  limit: number
  /** Id of an entry: only older ones. */
  before?: string | undefined
  userId?: string | undefined
  by?: ActorKind | undefined
}

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

/** Entries of the audit log, the newest first. There are none before an entry that does not exist. */
export async function auditEntries(db: Db, { limit, before, userId, by }: AuditFilter): Promise<AuditEntry[]> {
  if ([before, userId].some((id) => id !== undefined && !isId(id))) return []
  const conditions = [
    ...(before === undefined ? [] : [sql`(at, id) < (select at, id from audit_log where id = ${before})`]),
    ...(userId === undefined ? [] : [sql`user_id = ${userId}`]),
    // As a literal, so that the index without the calls of admin keys can be used.
    ...(by === undefined ? [] : [sql`actor_kind = ${sql.lit(by)}`]),
  ]
  const { rows } = await sql<AuditRow>`
    select id, at, actor_kind, actor_name, action, subject_kind, subject_id, subject_name, reason, outcome, detail
    from audit_log where ${conditions.length ? sql.join(conditions, sql` and `) : sql`true`}
    order by at desc, id desc limit ${limit}`.execute(db)
  return rows.map(entryView)
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
