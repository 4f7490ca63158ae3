import { expect, test } from 'vitest'
import type { TaskClass } from './image-jobs.ts'
import { mayStart, nextTask } from './task-order.ts'

const now = 100_000
const next = (running: number, ...tasks: [name: string, taskClass: TaskClass, waitedMs?: number][]) =>
  nextTask(
    tasks.map(([name, taskClass, waitedMs = 0]) => ({ name, taskClass, queuedAt: now - waitedMs })),
    running,
    { concurrency: 2, now },
  )?.name

test('beside the usual number of tasks one more starts that is quick', () => {
  expect([0, 1, 2, 3].map((running) => mayStart('slow', running, 2))).toEqual([true, true, false, false])
  expect([0, 1, 2, 3].map((running) => mayStart('quick', running, 2))).toEqual([true, true, true, false])
})

test('the next task is a quick one before slow ones that came earlier, unless one of those has waited for ten seconds', () => {
  expect(next(1, ['b', 'slow', 9_000], ['c', 'quick'], ['d', 'quick'])).toBe('c')
  expect(next(1, ['a', 'slow'], ['b', 'slow', 10_001], ['c', 'quick'])).toBe('b')
  expect(next(2, ['b', 'slow', 10_001], ['c', 'quick'])).toBe('c')
  expect(next(1, ['a', 'slow'], ['b', 'slow'])).toBe('a')
  expect(next(3, ['c', 'quick'])).toBeUndefined()
})
