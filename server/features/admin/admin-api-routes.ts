import { adminGetUser, adminListUsers, adminStats } from '@keepsnap/contract/admin-api.ts'
import { adminLimits } from '@keepsnap/contract/limits.ts'
import type { Dependencies } from '../../dependencies.ts'
import { recordAction, type AuditedAction } from '../../domain/audit-log.ts'
import { userSubject } from '../../domain/operator-actions.ts'
import { Fault } from '../../faults.ts'
import type { AdminKeyActor } from '../../http/actor.ts'
import type { Serve } from '../../http/serve.ts'
import { isId } from '../../lib/ids.ts'
import { accountIds, accountsById, countAccounts } from './account-queries.ts'
import { adminUserDetailView, adminUserView } from './account-views.ts'
import { cacheSlowReads } from './cache-slow-reads.ts'
import { readStats } from './statistics.ts'

export const accountNotFound = (): Fault => new Fault('not_found', 'There is no such account.')

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
