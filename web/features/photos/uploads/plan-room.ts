import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { maxFileBytes, planIds, plans } from '@keepsnap/contract/plans.ts'
import { photosLeft, storageLeftBytes } from '../../../lib/plan-status.ts'
import type { LimitProblem } from './problems.ts'

/** What the user's plan still has room for, as far as this tab knows. */
export interface PlanRoom {
  /** The largest file that the plan allows. */
  maxFileBytes: number
  /** Photos that may be uploaded this month. */
  photos: number
  storageBytes: number
}

/** As long as the plan is not known, larger files wait. */
export const leastMaxFileBytes = Math.min(...planIds.map((id) => maxFileBytes(plans[id])))

export const planRoomOf = (status: SubscriptionStatus): PlanRoom => ({
  maxFileBytes: status.plan_limits.max_file_size_mb * 1024 ** 2,
  photos: photosLeft(status),
  storageBytes: storageLeftBytes(status),
})

/** The room after the server has refused a file for this reason, until the status says otherwise. */
export function roomAfterRefusal(room: PlanRoom, problem: LimitProblem, fileBytes: number): PlanRoom {
  if (problem.kind !== 'quota-exceeded') return room
  if (problem.quota === 'photos') return { ...room, photos: 0 }
  return { ...room, storageBytes: Math.min(room.storageBytes, fileBytes - 1) }
}

/** Whether the plan has room now for a file that this problem stopped. */
export function hasRoomFor(room: PlanRoom, problem: LimitProblem, fileBytes: number): boolean {
  if (fileBytes > room.maxFileBytes) return false
  if (problem.kind !== 'quota-exceeded') return true
  return problem.quota === 'photos' ? room.photos > 0 : room.storageBytes >= fileBytes
}
