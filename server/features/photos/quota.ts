import { storageBytes, type Plan } from '@keepsnap/contract/plans.ts'
import type { FaultCode } from '@keepsnap/contract/errors.ts'

/** Why an upload is refused, as code and sentence: it names the limit, the plan and the way out. */
export interface Refusal {
  code: FaultCode
  detail: string
}

const wayOut = (plan: Plan): string =>
  plan.id === 'pro_yearly' ? 'Please write to us if you need more.' : 'A larger plan takes more.'

/** The photo after the last one of the month. */
export const monthIsFull = (plan: Plan): Refusal => ({
  code: 'quota_photos',
  detail: `Your plan, ${plan.name}, takes ${plan.features.max_photos} photos a month, and this month's are used up. A new month starts on the first, UTC. ${wayOut(plan)}`,
})

/** The photo that would not fit into the plan's storage. */
export const storageIsFull = (plan: Plan): Refusal => ({
  code: 'quota_storage',
  detail: `Your plan, ${plan.name}, stores ${plan.features.storage_gb} GB, and this photo does not fit any more. Delete photos that you no longer need. ${wayOut(plan)}`,
})

export const fileTooLarge = (plan: Plan): string =>
  `This file is larger than ${plan.features.max_file_size_mb} MB, the most that your plan, ${plan.name}, takes. Save it smaller and try again.`

/** Whether a file of `bytes` fits beside what is stored already. */
export const fits = (plan: Plan, storedBytes: number, bytes: number): boolean =>
  storedBytes + bytes <= storageBytes(plan)
