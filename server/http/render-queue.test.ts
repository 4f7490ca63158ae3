import { setImmediate as nextIteration } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createRenderQueue } from './render-queue.ts'

test('tasks run in order, each in an iteration of the event loop of its own', async () => {
  const runInOwnIteration = createRenderQueue()
  const done: number[] = []
  const all = Promise.all([1, 2, 3].map((task) => runInOwnIteration(() => done.push(task))))
  const afterEach: number[] = []
  while (done.length < 3) {
    await nextIteration()
    afterEach.push(done.length)
  }
  expect(afterEach.filter((count) => count > 0)).toEqual([1, 2, 3])
  expect(done).toEqual([1, 2, 3])
  expect(await all).toEqual([1, 2, 3])
})

test('a task that throws rejects for its caller only', async () => {
  const runInOwnIteration = createRenderQueue()
  const failed = runInOwnIteration(() => {
    throw new Error('cannot be rendered')
  })
  const [first, second] = await Promise.allSettled([failed, runInOwnIteration(() => 'page')])
  expect([first.status, second]).toEqual(['rejected', { status: 'fulfilled', value: 'page' }])
  expect(await runInOwnIteration(() => 'later')).toBe('later')
})

test('more tasks than may wait are refused, with advice to try again', async () => {
  const runInOwnIteration = createRenderQueue(2)
  const results = await Promise.allSettled([1, 2, 3].map((task) => runInOwnIteration(() => task)))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  expect(results[2]).toMatchObject({ reason: { code: 'unavailable', retryAfter: 2 } })
})
