import { expect, test } from 'vitest'
import { planIds, plans, tierOf } from './plans.ts'

test('plans have the prices and limits of the specification', () => {
  const table = planIds.map((id) => [
    plans[id].price_cents,
    plans[id].features.max_photos,
    plans[id].features.storage_gb,
    plans[id].features.max_file_size_mb,
    plans[id].features.api_access,
    tierOf(id),
  ])
  expect(table).toEqual([
    [0, 10, 1, 50, false, 'free'],
    [1499, 100, 10, 100, false, 'pro'],
    [14_999, 1000, 50, 100, true, 'pro'],
  ])
})
