import { plans } from '@keepsnap/contract/plans.ts'
import { expect, test } from 'vitest'
import { samplePlanStatus } from '../../../test/sample-plan-status.ts'
import { hasRoomFor, leastMaxFileBytes, planRoomOf, roomAfterRefusal, type PlanRoom } from './plan-room.ts'
import type { LimitProblem } from './problems.ts'

const mb = 1024 ** 2
const tooLarge: LimitProblem = { kind: 'too-large', maxBytes: 50 * mb }
const monthFull: LimitProblem = { kind: 'quota-exceeded', quota: 'photos', detail: null }
const storageFull: LimitProblem = { kind: 'quota-exceeded', quota: 'storage', detail: null }
const room = (changes: Partial<PlanRoom> = {}): PlanRoom => ({
  maxFileBytes: 50 * mb,
  photos: 3,
  storageBytes: 20 * mb,
  ...changes,
})

test('the room of a plan is what its status leaves', () => {
  expect(planRoomOf(samplePlanStatus(7))).toEqual({ maxFileBytes: 50 * mb, photos: 3, storageBytes: 512 * mb })
  expect(planRoomOf(samplePlanStatus(12))).toMatchObject({ photos: 0 })
  expect(leastMaxFileBytes).toBe(plans.free.features.max_file_size_mb * mb)
})

test.each<[string, PlanRoom, LimitProblem, number, boolean]>([
  ['over the month, with photos left', room(), monthFull, mb, true],
  ['over the month, with none left', room({ photos: 0 }), monthFull, mb, false],
  ['over the storage, which it fits into', room(), storageFull, 20 * mb, true],
  ['over the storage, which it does not fit into', room(), storageFull, 20 * mb + 1, false],
  ['that was too large, on a plan that allows it', room({ maxFileBytes: 100 * mb }), tooLarge, 60 * mb, true],
  ['that is still too large', room(), tooLarge, 50 * mb + 1, false],
  ['over the month of a plan whose files are smaller now', room(), monthFull, 60 * mb, false],
])('whether there is room for a file %s', (_, known, problem, bytes, expected) => {
  expect(hasRoomFor(known, problem, bytes)).toBe(expected)
})

test.each([monthFull, storageFull])('there is no room for the file that was just refused: $quota', (problem) => {
  expect(hasRoomFor(roomAfterRefusal(room(), problem, mb), problem, mb)).toBe(false)
  expect(hasRoomFor(roomAfterRefusal(room({ storageBytes: 0 }), problem, mb), problem, mb)).toBe(false)
})
