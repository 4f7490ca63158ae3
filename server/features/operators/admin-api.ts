import {
  adminGetUser,
  adminListUsers,
  adminStats,
  listAuditEntries,
  operatorGetUser,
  operatorListUsers,
  operatorOverview,
  type OperatorUserDetail,
} from '@keepsnap/contract/operators.ts'
import { adminLimits } from '@keepsnap/contract/limits.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault } from '../../faults.ts'
import type { AdminKeyActor } from '../../platform/http/authenticator.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { isId } from '../../lib/ids.ts'
import { type AuditedAction, auditEntries, recordAction, recordRead, userSubject } from './audit-log.ts'
import {
  accountDetails,
  accountIds,
  accountsById,
  adminUserDetailView,
  adminUserView,
  countAccounts,
  operatorUserDetailView,
  operatorUserView,
  paymentsOf,
} from './accounts.ts'
import { cacheSlowReads, readOverview, readStats } from './statistics.ts'

const accountNotFound = (): Fault => new Fault('not_found', 'There is no such account.')

type AdminApiDependencies = Pick<Dependencies, 'db' | 'urls'> & { slowReadMs?: number | undefined }

/**
 * The calls with an admin key. Each is recorded in the audit log before it is answered; one that is refused before it gets
 * here, for its query or its rate, has read nothing and has no entry.
 */
export function adminApiRoutes(serve: Serve, { db, urls, slowReadMs }: AdminApiDependencies): void {
  const stats = cacheSlowReads(() => readStats(db), slowReadMs)
  const record = (
    { keyId: id, keyName: name }: AdminKeyActor,
    call: Pick<AuditedAction, 'action' | 'subject' | 'outcome'>,
  ): Promise<void> => recordAction(db, { by: { kind: 'admin key', id, name }, ...call })

  serve(adminListUsers, async ({ query }, { actor }) => {
    await record(actor, { action: 'list accounts', outcome: 'done' })
    const { skip = 0, limit = adminLimits.pageDefault } = query
    const everybody = { filter: 'all', search: '' } as const
    const [total, ids] = await Promise.all([
      countAccounts(db, everybody),
      accountIds(db, { ...everybody, skip, limit }),
    ])
    const rows = await accountsById(db, ids)
    return { users: rows.map((row) => adminUserView(row, urls)), total, skip, limit }
  })

  serve(adminStats, async (_, { actor }) => {
    await record(actor, { action: 'read statistics', outcome: 'done' })
    return stats()
  })

  serve(adminGetUser, async ({ params }, { actor }) => {
    const { user_id: userId } = params
    const subject = isId(userId) ? await userSubject(db, userId) : undefined
    const [row] = subject ? await accountsById(db, [userId]) : []
    const refusal = accountNotFound()
    const outcome = row ? 'done' : { refused: refusal.message }
    await record(actor, { action: 'read account', subject, outcome })
    if (!row) throw refusal
    return adminUserDetailView(row, urls)
  })
}

type OperatorDependencies = Pick<Dependencies, 'db' | 'urls'> & { slowReadMs?: number | undefined }

/** Returns one account with what an operator can do about it; 404 when there is none. */
export const readOperatorUser =
  ({ db, urls }: OperatorDependencies) =>
  async (userId: string): Promise<OperatorUserDetail> => {
    if (!isId(userId)) throw accountNotFound()
    const [[row], details, payments] = await Promise.all([
      accountsById(db, [userId]),
      accountDetails(db, userId),
      paymentsOf(db, userId),
    ])
    if (!row || !details) throw accountNotFound()
    return operatorUserDetailView(row, { ...details, payments }, urls)
  }

/** What the page /admin shows: numbers, accounts and the audit log. */
export function operatorPageRoutes(serve: Serve, deps: OperatorDependencies): void {
  const { db } = deps
  const readUser = readOperatorUser(deps)
  const overview = cacheSlowReads(() => readOverview(db), deps.slowReadMs)

  serve(operatorOverview, async () => overview())

  serve(operatorListUsers, async ({ query }, { actor: operator }) => {
    const { skip = 0, limit = adminLimits.pageDefault, search = '', filter = 'all' } = query
    const action = search.trim() === '' ? 'list accounts' : 'search accounts'
    await recordRead(db, { operator, action, person: search.trim() })
    const [total, ids] = await Promise.all([
      countAccounts(db, { filter, search }),
      accountIds(db, { filter, search, skip, limit }),
    ])
    return { users: (await accountsById(db, ids)).map(operatorUserView), total, skip, limit }
  })

  serve(operatorGetUser, async ({ params: { user_id: userId } }, { actor: operator }) => {
    const user = await readUser(userId)
    await recordRead(db, { operator, action: 'read account', person: userId, subject: await userSubject(db, userId) })
    return user
  })

  serve(listAuditEntries, async ({ query: { limit = adminLimits.pageDefault, before, user_id: userId, by } }) => {
    const entries = await auditEntries(db, { limit: limit + 1, before, userId, by })
    return { entries: entries.slice(0, limit), has_more: entries.length > limit }
  })
}
