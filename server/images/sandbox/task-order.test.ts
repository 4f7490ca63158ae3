import { describe, expect, test } from 'vitest'
import { mayStart, nextTask, type RunningTask, type WaitingTask } from './task-order.ts'

const now = 100_000
const limits = { concurrency: 2, now }
const running = (owner: string, isQuick: boolean, forMs = 500): RunningTask => ({
  owner,
  isQuick,
  startedAt: now - forMs,
})
const waiting = (owner: string, isQuick: boolean, forMs = 0): WaitingTask => ({ owner, isQuick, queuedAt: now - forMs })
const slow = (owner: string) => running(owner, false)

describe('beside the usual number of tasks', () => {
  test.each([
    ['a quick one starts while all are slow', [slow('a'), slow('b')], waiting('c', true), true],
    ['also one of the same owner', [slow('a'), slow('a')], waiting('a', true), true],
    ['a quick one waits for another quick one', [slow('a'), running('b', true)], waiting('c', true), false],
    ['but not for one that has taken too long', [slow('a'), running('b', true, 2_001)], waiting('c', true), true],
    ['a slow one of another owner starts while all are of one', [slow('a'), slow('a')], waiting('b', false), true],
    ['not one of the same owner', [slow('a'), slow('a')], waiting('a', false), false],
    ['nor when two owners have them', [slow('a'), slow('b')], waiting('c', false), false],
    ['a quick one starts after that, too', [slow('a'), slow('a'), slow('b')], waiting('c', true), true],
    ['but nothing beyond', [slow('a'), slow('a'), slow('b'), running('c', true, 9e9)], waiting('d', true), false],
  ])('%s', (_, tasks, task, expected) => {
    expect(mayStart(task, tasks, limits)).toBe(expected)
  })
})

describe('the next task', () => {
  const next = (...tasks: WaitingTask[]) => nextTask(tasks, [slow('a')], limits)
  test('is a quick one before slow ones that came earlier', () => {
    expect(next(waiting('b', false, 9_000), waiting('c', true))).toMatchObject({ owner: 'c' })
  })
  test('is the first that came, once it has waited for ten seconds', () => {
    expect(next(waiting('b', false, 10_001), waiting('c', true))).toMatchObject({ owner: 'b' })
  })
  test('is one of the owner who uses the fewest slots', () => {
    expect(next(waiting('a', true, 50), waiting('b', true))).toMatchObject({ owner: 'b' })
  })
  test('is none when none may start', () => {
    expect(nextTask([waiting('a', false)], [slow('a'), slow('a')], limits)).toBeUndefined()
  })
})
