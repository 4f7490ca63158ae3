import { setImmediate as nextIteration } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createFairQueue, forEachConcurrently } from './concurrency.ts'

describe('fair queue', () => {
  /** A queue with one task at a time, held until `run`; and the names of the tasks in the order in which they ended. */
  function heldQueue(maxWaiting = 1000) {
    const ended: string[] = []
    const queue = createFairQueue({ concurrency: 1, maxWaiting, refusal: () => new Error('full') })
    const gate = Promise.withResolvers<void>()
    const first = queue(['first'], () => gate.promise)
    const tasks: Promise<void>[] = []
    const add = (path: string, name = path, count = 1): void => {
      for (let n = 0; n < count; n++)
        tasks.push(
          queue(path.split(' '), async () => void ended.push(name)).catch(() => void ended.push(`${name} refused`)),
        )
    }
    const run = async (): Promise<string[]> => {
      gate.resolve()
      await first
      await Promise.all(tasks)
      return ended
    }
    return { add, run, ended }
  }

  test('groups take turns, whatever number of parts and tasks they have', async () => {
    const { add, run } = heldQueue()
    for (let n = 0; n < 50; n++) add(`wide a ${n}`, 'many')
    add('wide b 1', 'neighbour')
    add('other', 'other', 2)
    expect((await run()).slice(0, 5)).toEqual(['many', 'other', 'neighbour', 'other', 'many'])
  })

  test('tasks of one group keep their order', async () => {
    const { add, run } = heldQueue()
    for (const name of ['1', '2', '3']) add('one', name)
    expect(await run()).toEqual(['1', '2', '3'])
  })

  test('a group that comes later waits for one turn of each other group', async () => {
    const { add, run } = heldQueue()
    for (const name of ['a', 'b', 'c']) add(name, name, 30)
    add('new')
    expect((await run()).indexOf('new')).toBe(3)
  })

  test('a full queue refuses the newest of whoever has the most, and nobody else', async () => {
    const { add, run, ended } = heldQueue(6)
    for (let n = 0; n < 8; n++) add(`wide ${n % 2} ${n}`, `many ${n}`)
    await Promise.resolve()
    expect(ended).toEqual(['many 6 refused', 'many 7 refused'])
    add('wide 2', 'neighbour')
    add('other')
    const order = await run()
    expect(order.filter((one) => one.endsWith('refused'))).toHaveLength(4)
    expect(order).toEqual(expect.arrayContaining(['neighbour', 'other']))
  })

  test('a task that fails gives its place to the next', async () => {
    const queue = createFairQueue({ concurrency: 1, maxWaiting: 1, refusal: () => new Error('full') })
    const failed = queue(['a'], () => Promise.reject(new Error('broken')))
    const next = queue(['a'], async () => 'next')
    await expect(failed).rejects.toThrow('broken')
    expect(await next).toBe('next')
  })
})

describe('for each concurrently', () => {
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
})
