import { expect, test } from 'vitest'
import { createFormat } from '../../lib/format.ts'
import { createCalendar } from './calendar.ts'
import { chartOptions } from './chart-options.ts'

const days = Array.from({ length: 30 }, (_, index) => `2026-11-${String(index + 1).padStart(2, '0')}`)
const options = chartOptions({
  days,
  format: createFormat('en-GB'),
  calendar: createCalendar('en-GB'),
  size: { width: 640, height: 200 },
  onHover: () => {},
})
/** The indexes of the labelled days on a chart of this width. */
const labelledDays = (width: number) => {
  const { splits } = options.axes![0]! // the axis of days
  return typeof splits === 'function' ? splits({ width } as never, 0, 0, 0, 0, 0) : [] // only reads the width
}

test('as many days have a label as fit, always including the last', () => {
  expect(labelledDays(30 * 64)).toHaveLength(30)
  expect(labelledDays(640)).toEqual([2, 5, 8, 11, 14, 17, 20, 23, 26, 29])
  expect(labelledDays(10)).toEqual([29])
})
