import { expect, test } from 'vitest'
import { forEachConcurrently } from './for-each-concurrently.ts'

test('works on every item once, and on no more than the given number at a time', async () => {
  const done: number[] = []
  let running = 0
  let most = 0
  await forEachConcurrently([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    running += 1
    most = Math.max(most, running)
    await Promise.resolve()
    running -= 1
    done.push(item)
  })
  expect([done, most]).toEqual([[1, 2, 3, 4, 5, 6, 7], 3])
})
