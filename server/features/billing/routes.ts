import { subscriptionStatus } from '@keepsnap/contract/billing.ts'
import type { Dependencies } from '../../dependencies.ts'
import { unauthorized } from '../../faults.ts'
import type { Serve } from '../../http/serve.ts'
import { usageOf } from './queries.ts'
import { statusView } from './status-view.ts'

/** What a user's plan includes, and how much of it is used. */
export function billing(serve: Serve, { db, payments }: Pick<Dependencies, 'db' | 'payments'>): void {
  serve(subscriptionStatus, async (_, { actor }) => {
    const usage = await usageOf(db, actor.userId)
    if (!usage) throw unauthorized()
    return statusView(usage, payments?.kind ?? 'off')
  })
}
