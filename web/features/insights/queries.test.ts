import { expect, test } from 'vitest'
import { hasInsights } from './queries.ts'

test('insights are part of the Pro plans only', () => {
  expect([hasInsights('free'), hasInsights('pro')]).toEqual([false, true])
})
