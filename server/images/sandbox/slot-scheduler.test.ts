import { expect, test } from 'vitest'
import type { Slot } from './slot.ts'
import { createSlotScheduler, type SlotScheduler } from './slot-scheduler.ts'
import type { TaskClass } from './task-order.ts'

/** Slots of which the first has a process. The processes of the others run once `startOthers` resolves. */
function fakeSlots(
  count: number,
  startOthers: Promise<void> = Promise.resolve(),
): { slots: Slot[]; running: Set<number> } {
  const running = new Set([0])
  const slots = Array.from({ length: count }, (_, index) => ({
    dir: String(index),
    start: async () => {
      if (index > 0) await startOthers
      running.add(index)
    },
    stop: () => void running.delete(index),
    pid: () => (running.has(index) ? index + 1 : undefined),
    run: () => Promise.reject(new Error('not used here')),
    finishRequest: async () => {},
    close: async () => {},
  }))
  return { slots, running }
}

/** A scheduler that runs as many tasks at once as there are slots, unless it is given another number. */
const schedulerOf = (slots: Slot[], concurrency = slots.length) =>
  createSlotScheduler(slots, { concurrency, stopIdleAfterMs: 10 })
const quick = { owner: 'anna', isQuick: true }
const slow = { owner: 'anna', isQuick: false }

test('runs tasks in order of arrival, each with a slot of its own', async () => {
  const scheduler = schedulerOf(fakeSlots(2).slots)
  const order: string[] = []
  const gates = ['a', 'b', 'c'].map((name) => ({ name, ...Promise.withResolvers<void>() }))
  const tasks = gates.map(({ name, promise }) =>
    scheduler.run(async ({ dir }) => {
      order.push(`${name}${dir}`)
      await promise
    }, quick),
  )
  await expect.poll(() => order).toEqual(['a0', 'b1'])
  gates[1]!.resolve()
  await expect.poll(() => order).toEqual(['a0', 'b1', 'c1'])
  for (const { resolve } of gates) resolve()
  await Promise.all(tasks)
})

test('starts another process when a task has to wait, and stops it after a while without tasks', async () => {
  const { slots, running } = fakeSlots(3)
  const scheduler = schedulerOf(slots)
  await scheduler.run(async () => {}, quick)
  expect([...running]).toEqual([0])
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const used: string[] = []
  const tasks = gates.map(({ promise }) =>
    scheduler.run(async (slot) => {
      used.push(slot.dir)
      await promise
    }, quick),
  )
  await expect.poll(() => used).toEqual(['0', '1'])
  expect([...running]).toEqual([0, 1])
  for (const { resolve } of gates) resolve()
  await Promise.all(tasks)
  await expect.poll(() => [...running]).toEqual([0])
})

test('a task that waits takes the first slot that is free, also while another one is starting', async () => {
  const startOthers = Promise.withResolvers<void>()
  const scheduler = schedulerOf(fakeSlots(2, startOthers.promise).slots)
  const gate = Promise.withResolvers<void>()
  const used: string[] = []
  const use = async (slot: Slot): Promise<void> => void used.push(slot.dir)
  const first = scheduler.run(() => gate.promise, quick)
  const second = scheduler.run(use, quick)
  gate.resolve()
  await Promise.all([first, second])
  expect(used).toEqual(['0'])
  startOthers.resolve()
})

test('a task that waits is run when no other process can be started, and the next one tries to start it again', async () => {
  const startOthers = Promise.withResolvers<void>()
  const { slots, running } = fakeSlots(2, startOthers.promise)
  let starts = 0
  const [firstSlot, secondSlot] = slots
  const countedSlot = { ...secondSlot!, start: () => (starts++, secondSlot!.start()) }
  const scheduler = schedulerOf([firstSlot!, countedSlot])
  startOthers.reject(new Error('no memory'))
  for (const expectedStarts of [1, 2]) {
    const gate = Promise.withResolvers<void>()
    const used: string[] = []
    const first = scheduler.run(() => gate.promise, quick)
    const second = scheduler.run(async (slot) => void used.push(slot.dir), quick)
    await expect.poll(() => starts).toBe(expectedStarts)
    gate.resolve()
    await Promise.all([first, second])
    expect([used, [...running]]).toEqual([['0'], [0]])
  }
})

test('a task that is aborted while it waits does not take a slot', async () => {
  const scheduler = schedulerOf(fakeSlots(1).slots)
  const gate = Promise.withResolvers<void>()
  const running = scheduler.run(() => gate.promise, quick)
  const abort = new AbortController()
  const aborted = scheduler.run(() => Promise.reject(new Error('was run')), quick, abort.signal)
  const next = scheduler.run(async () => {}, quick)
  abort.abort(new Error('no longer needed'))
  await expect(aborted).rejects.toThrow('no longer needed')
  gate.resolve()
  await Promise.all([running, next])
})

test('reports an idle process only when no task waits and one is running', async () => {
  const scheduler = schedulerOf(fakeSlots(2).slots)
  expect(scheduler.hasIdleProcess()).toBe(true)
  const gate = Promise.withResolvers<void>()
  const running = scheduler.run(() => gate.promise, quick)
  await expect.poll(scheduler.hasIdleProcess).toBe(false)
  gate.resolve()
  await running
  expect(scheduler.hasIdleProcess()).toBe(true)
})

test('limits how many tasks wait', async () => {
  const scheduler = schedulerOf(fakeSlots(1).slots)
  const gate = Promise.withResolvers<void>()
  const tasks = Array.from({ length: 1_001 }, () => scheduler.run(() => gate.promise, quick))
  await expect(scheduler.run(async () => {}, quick)).rejects.toThrow('more than 1000 images are waiting')
  gate.resolve()
  await Promise.all(tasks)
})

test('rejects the tasks that wait when it is closed, and all later ones', async () => {
  const scheduler = schedulerOf(fakeSlots(1).slots)
  const gate = Promise.withResolvers<void>()
  const running = scheduler.run(() => gate.promise, quick)
  const waiting = scheduler.run(async () => {}, quick)
  scheduler.close()
  await expect(waiting).rejects.toThrow()
  await expect(scheduler.run(async () => {}, quick)).rejects.toThrow('closed')
  gate.resolve()
  await running
})

/** Tasks that use a slot until they are ended, and the names of those that have started, in order. */
function heldTasks(scheduler: SlotScheduler) {
  const started: string[] = []
  const gates = new Map<string, () => void>()
  return {
    started,
    hold(name: string, taskClass: TaskClass) {
      const { promise, resolve } = Promise.withResolvers<void>()
      gates.set(name, resolve)
      void scheduler.run(() => (started.push(name), promise), taskClass)
    },
    end: (name: string) => gates.get(name)!(),
  }
}

test('a slow task leaves a process ready for the next quick one, which starts at once', async () => {
  const { slots, running } = fakeSlots(3)
  const { hold, started } = heldTasks(schedulerOf(slots, 1))
  hold('slow', slow)
  await expect.poll(() => [...running]).toEqual([0, 1])
  hold('slow too', slow)
  expect(started).toEqual(['slow'])
  hold('quick', { owner: 'ben', isQuick: true })
  expect(started).toEqual(['slow', 'quick'])
})

test('another owner gets a slot while one owner uses all of them, also when there is only one', async () => {
  const { hold, started } = heldTasks(schedulerOf(fakeSlots(3).slots, 1))
  hold('anna 1', slow)
  hold('anna 2', slow)
  hold('ben', { owner: 'ben', isQuick: false })
  await expect.poll(() => started).toEqual(['anna 1', 'ben'])
  hold('eva', { owner: 'eva', isQuick: false })
  hold('quick', quick)
  await expect.poll(() => started).toEqual(['anna 1', 'ben', 'quick'])
})

test('a task that waits goes before those of owners who use more slots', async () => {
  const { hold, started, end } = heldTasks(schedulerOf(fakeSlots(4).slots, 2))
  for (const name of ['anna 1', 'anna 2', 'anna 3']) hold(name, quick)
  await expect.poll(() => started).toEqual(['anna 1', 'anna 2'])
  hold('ben', { owner: 'ben', isQuick: true })
  end('anna 1')
  await expect.poll(() => started).toEqual(['anna 1', 'anna 2', 'ben'])
})
