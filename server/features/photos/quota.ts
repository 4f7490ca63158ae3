import { storageBytes, type Plan } from '@keepsnap/contract/plans.ts'
import type { FaultCode } from '@keepsnap/contract/errors.ts'

/** Why an upload is refused, as code and sentence: it names the limit, the plan and the way out. */
export interface QuotaRefusal {
  code: FaultCode
  detail: string
}

const upgradeHint = (plan: Plan): string =>
  plan.id === 'pro_yearly' ? 'Please contact us if you need more.' : 'Upgrade for more.'

/** The photo after the last one of the month. */
export const monthlyQuotaRefusal = (plan: Plan): QuotaRefusal => ({
  code: 'quota_photos',
  detail: `Your plan, ${plan.name}, includes ${plan.features.max_photos} photos a month, and you've used them all. The next month starts on the 1st (UTC). ${upgradeHint(plan)}`,
})

/** The photo that would not fit into the plan's storage. */
export const storageQuotaRefusal = (plan: Plan): QuotaRefusal => ({
  code: 'quota_storage',
  detail: `Your plan, ${plan.name}, includes ${plan.features.storage_gb} GB of storage, and this photo no longer fits. Delete photos you no longer need. ${upgradeHint(plan)}`,
})

export const fileTooLargeMessage = (plan: Plan): string =>
  `This file is larger than ${plan.features.max_file_size_mb} MB, the limit of your plan, ${plan.name}. Reduce its size and try again.`

/** Whether a file of `bytes` fits beside what is stored already. */
export const fitsInStorage = (plan: Plan, storedBytes: number, bytes: number): boolean =>
  storedBytes + bytes <= storageBytes(plan)
