import { expect, test } from 'vitest'
import { samplePlanStatus } from '../../test/sample-plan-status.ts'
import { mayBeHidden, usageWarningOf, type UsageLimit } from './usage-warning.ts'

const status = (photos: number, storage: number) => ({
  ...samplePlanStatus(0),
  usage_percentage: { photos, storage },
})

test.each<[number, number, UsageLimit | null, [UsageLimit, boolean, boolean] | null]>([
  [79.9, 79.9, null, null],
  [80, 0, null, ['photos', false, true]],
  [0, 80, null, ['storage', false, true]],
  [85, 89.9, null, ['storage', false, true]],
  [90, 85, null, ['photos', false, false]],
  [99.9, 0, null, ['photos', false, false]],
  [100, 99, null, ['photos', true, false]],
  [100, 100, null, ['photos', true, false]],
  [90, 130, null, ['storage', true, false]],
  [50, 60, 'storage', ['storage', true, false]],
  [50, 100, 'photos', ['photos', true, false]],
])('with %d %% of photos, %d %% of storage and files that wait for %s, the warning is %j', (...given) => {
  const [photos, storage, waitingFor, expected] = given
  const warning = usageWarningOf(status(photos, storage), waitingFor)
  expect(warning && [warning.limit, warning.isFull, mayBeHidden(warning)]).toEqual(expected)
})
