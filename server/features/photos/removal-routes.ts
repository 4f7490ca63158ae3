import { restoreRemovedPhotos as restoreEndpoint } from '@keepsnap/contract/keeping.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault, unauthorized } from '../../faults.ts'
import type { Serve } from '../../http/serve.ts'
import { restoreNewestPhotos } from './photo-removals.ts'

/** Puts photos back that were removed after a larger plan had ended. */
export function removalRoutes(serve: Serve, { db }: Pick<Dependencies, 'db'>): void {
  serve(restoreEndpoint, async (_, { actor }) => {
    const outcome = await db.transaction().execute((tx) => restoreNewestPhotos(tx, actor.userId))
    if (!outcome) throw unauthorized()
    if (outcome.restored > 0) return outcome
    throw outcome.remaining > 0
      ? new Fault(
          'quota_storage',
          'Your removed photos do not fit into the storage of your plan. Choose a larger plan, or delete photos you no longer need.',
        )
      : new Fault('not_found', 'There are no removed photos to put back.')
  })
}
