import { describe, expect, test } from 'vitest'
import { sampleInsights } from '../../test/sample-requests.ts'
import { bestDay, isEmpty } from './measures.ts'

test('insights are empty when nothing was counted', () => {
  const none = { scans: 0, views: 0, downloads: 0, requests: 0 }
  expect(isEmpty({ totals: none })).toBe(true)
  expect(isEmpty({ totals: { ...none, views: 1 } })).toBe(false)
})

describe('the best day', () => {
  const { days } = sampleInsights()

  test('has the highest count', () => {
    expect(bestDay(days, 'scans')?.day).toBe('2026-11-13')
  })

  test('is the first one of equal days', () => {
    const equal = days.map((day) => ({ ...day, views: 5 }))
    expect(bestDay(equal, 'views')?.day).toBe('2026-11-12')
  })

  test('does not exist when all counts are zero', () => {
    expect(
      bestDay(
        days.map((day) => ({ ...day, scans: 0 })),
        'scans',
      ),
    ).toBeNull()
  })
})
