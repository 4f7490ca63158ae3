import { describe, expect, test } from 'vitest'
import type { Slot } from './slot.ts'
import { createSlotScheduler, mayStart, nextTask } from './slot-scheduler.ts'
import type { TaskClass } from './image-jobs.ts'

describe('slot scheduler', () => {
  /**
   * A scheduler of slots of which the first has a process; `startOther` starts those of the others. It runs as many tasks at
   * once as there are slots, unless it is given another number.
   */
  function startScheduler(
    count: number,
    { concurrency = count, startOther = async () => {}, keepsProcess = true } = {},
  ) {
    const running = new Set([0])
    const slots = Array.from({ length: count }, (_, index): Slot => ({
      dir: String(index),
      start: async () => {
        if (index > 0) await startOther()
        running.add(index)
      },
      stop: () => void running.delete(index),
      pid: () => (running.has(index) ? index + 1 : undefined),
      run: () => Promise.reject(new Error('not used here')),
      finishRequest: async () => {},
      close: async () => {},
    }))
    const scheduler = createSlotScheduler(slots, { concurrency, stopIdleAfterMs: 10, keepsProcess })
    const gates = new Map<string, () => void>()
    /** The tasks that have started, each with its slot, in order. */
    const started: string[] = []
    return {
      scheduler,
      started,
      /** The slots with a process. */
      running: () => [...running],
      /** A task that uses a slot until it is ended. */
      hold(name: string, taskClass: TaskClass = 'quick', signal?: AbortSignal): Promise<void> {
        const { promise, resolve } = Promise.withResolvers<void>()
        gates.set(name, resolve)
        return scheduler.run(({ dir }) => (started.push(`${name}: ${dir}`), promise), taskClass, signal)
      },
      end: (...names: string[]) => names.forEach((name) => gates.get(name)!()),
    }
  }

  test('runs tasks in order of arrival, each with a slot of its own', async () => {
    const { hold, end, started } = startScheduler(2)
    const tasks = ['a', 'b', 'c'].map((name) => hold(name))
    await expect.poll(() => started).toEqual(['a: 0', 'b: 1'])
    end('b')
    await expect.poll(() => started).toEqual(['a: 0', 'b: 1', 'c: 1'])
    end('a', 'c')
    await Promise.all(tasks)
  })

  test('starts another process when a task has to wait, and stops it after a while without tasks', async () => {
    const { hold, end, started, running } = startScheduler(3)
    const tasks = [hold('a')]
    expect(running()).toEqual([0])
    tasks.push(hold('b'))
    await expect.poll(() => started).toEqual(['a: 0', 'b: 1'])
    expect(running()).toEqual([0, 1])
    end('a', 'b')
    await Promise.all(tasks)
    await expect.poll(running).toEqual([0])
  })

  test('a task that waits takes the first slot that is free, also while another one is starting', async () => {
    const { hold, end, started } = startScheduler(2, { startOther: () => new Promise(() => {}) })
    const tasks = [hold('a'), hold('b')]
    end('a', 'b')
    await Promise.all(tasks)
    expect(started).toEqual(['a: 0', 'b: 0'])
  })

  test('a task that waits is run when no other process can be started, and the next one tries to start it again', async () => {
    let starts = 0
    const startOther = async (): Promise<void> => {
      starts++
      throw new Error('no memory')
    }
    const { hold, end, started, running } = startScheduler(2, { startOther })
    for (const round of [1, 2]) {
      const names = [`a${round}`, `b${round}`]
      const tasks = names.map((name) => hold(name))
      await expect.poll(() => starts).toBe(round)
      end(...names)
      await Promise.all(tasks)
      expect([started.at(-1), running()]).toEqual([`b${round}: 0`, [0]])
    }
  })

  test('a task that is aborted while it waits does not take a slot', async () => {
    const { hold, end, started } = startScheduler(1)
    const abort = new AbortController()
    const first = hold('a')
    const aborted = hold('aborted', 'quick', abort.signal)
    const next = hold('b')
    abort.abort(new Error('no longer needed'))
    await expect(aborted).rejects.toThrow('no longer needed')
    end('a', 'b')
    await Promise.all([first, next])
    expect(started).toEqual(['a: 0', 'b: 0'])
  })

  test('reports an idle process only when no task waits and one is running', async () => {
    const { scheduler, hold, end } = startScheduler(2)
    expect(scheduler.hasIdleProcess()).toBe(true)
    const task = hold('a')
    await expect.poll(scheduler.hasIdleProcess).toBe(false)
    end('a')
    await task
    expect(scheduler.hasIdleProcess()).toBe(true)
  })

  test('limits how many tasks wait; rejects them when it is closed, and all later ones', async () => {
    const { scheduler, hold, end } = startScheduler(1)
    const first = hold('a')
    const waiting = Promise.allSettled(Array.from({ length: 1_000 }, () => hold('b')))
    await expect(hold('c')).rejects.toThrow('more than 1000 images are waiting')
    scheduler.close()
    expect(new Set((await waiting).map(({ status }) => status))).toEqual(new Set(['rejected']))
    await expect(hold('d')).rejects.toThrow('closed')
    end('a')
    await first
  })

  test('a slow task leaves a process ready for the next quick one, which starts at once', async () => {
    const { hold, started, running } = startScheduler(3, { concurrency: 1 })
    void hold('slow', 'slow')
    await expect.poll(running).toEqual([0, 1])
    void hold('slow too', 'slow')
    expect(started).toEqual(['slow: 0'])
    void hold('quick')
    void hold('quick too')
    expect(started).toEqual(['slow: 0', 'quick: 1'])
  })

  test('long tasks run one at a time, and no process waits for the next one', async () => {
    const { hold, end, started, running } = startScheduler(1, { keepsProcess: false })
    const tasks = [hold('a', 'long'), hold('b', 'long')]
    expect(started).toEqual(['a: 0'])
    end('a')
    await expect.poll(() => started).toEqual(['a: 0', 'b: 0'])
    end('b')
    await Promise.all(tasks)
    await expect.poll(running).toEqual([])
    void hold('c', 'long')
    expect(started.at(-1)).toBe('c: 0')
  })
})

describe('task order', () => {
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
})
