import { setImmediate as nextIteration } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { forEachConcurrently } from './for-each-concurrently.ts'

test('works on every item once, in their order, and on no more than the given number at a time', async () => {
  const done: number[] = []
  let running = 0
  let most = 0
  await forEachConcurrently([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    running += 1
    most = Math.max(most, running)
    await nextIteration()
    running -= 1
    done.push(item)
  })
  expect([done, most]).toEqual([[1, 2, 3, 4, 5, 6, 7], 3])
})

test('after a failure starts no other item, and rejects with it when those that had started have ended', async () => {
  const started: string[] = []
  const ended: string[] = []
  const slow = Promise.withResolvers<void>()
  const all = forEachConcurrently(['slow', 'fails', 'fails too', 'waits'], 3, async (item) => {
    started.push(item)
    if (item === 'slow') await slow.promise
    else await nextIteration()
    ended.push(item)
    if (item.startsWith('fails')) throw new Error(item)
  })
  let isSettled = false
  const settled = all.catch(() => {}).then(() => (isSettled = true))
  for (let turn = 0; turn < 5; turn++) await nextIteration()
  expect([started, isSettled]).toEqual([['slow', 'fails', 'fails too'], false])
  slow.resolve()
  await settled
  await expect(all).rejects.toThrow(/^fails$/)
  expect(ended).toEqual(['fails', 'fails too', 'slow'])
})
