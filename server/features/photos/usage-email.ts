import { planIds, storageBytes } from '@keepsnap/contract/plans.ts'
import type { Dependencies } from '../../dependencies.ts'
import { planOf } from '../../domain/plans.ts'
import { emailContextOf } from '../../domain/email-context.ts'
import type { Composer } from '../../emails/composers.ts'
import { isUserActive } from './queries.ts'
import type { UsagePayload } from './usage-warnings.ts'

/** Composes the email about a threshold of a plan. It is not sent to a deactivated account, nor once its month is over. */
export const usageEmailComposer = ({
  guestRenderer,
  config,
}: Pick<Dependencies, 'guestRenderer' | 'config'>): Composer => ({
  async compose({ payload, user_id: userId }, tx) {
    // Only `queueUsageWarning` writes it.
    const { subject, percent, used, plan: planId, monthEndsAt } = payload as unknown as UsagePayload
    if (userId === null || !(await isUserActive(tx, userId))) return 'obsolete'
    if (monthEndsAt !== null && Date.parse(monthEndsAt) < Date.now()) return 'obsolete'
    const plan = planOf({ plan: planId })
    const limit = subject === 'photos' ? plan.features.max_photos : storageBytes(plan)
    return guestRenderer.renderEmail(
      {
        kind: 'usage',
        subject,
        isFull: percent >= 100,
        used,
        limit,
        planName: plan.name,
        isLargestPlan: plan.id === planIds.at(-1),
        monthEndsAt,
      },
      await emailContextOf(tx, userId, config),
    )
  },
})
