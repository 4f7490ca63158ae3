import { adminLimits } from '@keepsnap/contract/limits.ts'
import { listAuditEntries, operatorOverview } from '@keepsnap/contract/operator.ts'
import { operatorGetUser, operatorListUsers, type OperatorUserDetail } from '@keepsnap/contract/operator-users.ts'
import type { Dependencies } from '../../dependencies.ts'
import { recordRead, userSubject } from '../../domain/operator-actions.ts'
import type { Serve } from '../../http/serve.ts'
import { isId } from '../../lib/ids.ts'
import { accountDetails, accountIds, accountsById, countAccounts, paymentsOf } from './account-queries.ts'
import { operatorUserDetailView, operatorUserView } from './account-views.ts'
import { accountNotFound } from './admin-api-routes.ts'
import { auditEntries } from './audit-queries.ts'
import { cacheSlowReads } from './cache-slow-reads.ts'
import { readOverview } from './statistics.ts'

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
