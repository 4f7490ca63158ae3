import { expect, test } from 'vitest'
import type { Slot } from './slot.ts'
import { createSlotScheduler } from './slot-scheduler.ts'

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

const options = { stopIdleAfterMs: 10 }

test('runs tasks in order of arrival, each with a slot of its own', async () => {
  const scheduler = createSlotScheduler(fakeSlots(2).slots, options)
  const order: string[] = []
  const gates = ['a', 'b', 'c'].map((name) => ({ name, ...Promise.withResolvers<void>() }))
  const tasks = gates.map(({ name, promise }) =>
    scheduler.run(async ({ dir }) => {
      order.push(`${name}${dir}`)
      await promise
    }),
  )
  await expect.poll(() => order).toEqual(['a0', 'b1'])
  gates[1]!.resolve()
  await expect.poll(() => order).toEqual(['a0', 'b1', 'c1'])
  for (const { resolve } of gates) resolve()
  await Promise.all(tasks)
})

test('starts another process when a task has to wait, and stops it after a while without tasks', async () => {
  const { slots, running } = fakeSlots(3)
  const scheduler = createSlotScheduler(slots, options)
  await scheduler.run(async () => {})
  expect([...running]).toEqual([0])
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const used: string[] = []
  const tasks = gates.map(({ promise }) =>
    scheduler.run(async (slot) => {
      used.push(slot.dir)
      await promise
    }),
  )
  await expect.poll(() => used).toEqual(['0', '1'])
  expect([...running]).toEqual([0, 1])
  for (const { resolve } of gates) resolve()
  await Promise.all(tasks)
  await expect.poll(() => [...running]).toEqual([0])
})

test('a task that waits takes the first slot that is free, also while another one is starting', async () => {
  const startOthers = Promise.withResolvers<void>()
  const scheduler = createSlotScheduler(fakeSlots(2, startOthers.promise).slots, options)
  const gate = Promise.withResolvers<void>()
  const used: string[] = []
  const use = async (slot: Slot): Promise<void> => void used.push(slot.dir)
  const first = scheduler.run(() => gate.promise)
  const second = scheduler.run(use)
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
  const scheduler = createSlotScheduler([firstSlot!, countedSlot], options)
  startOthers.reject(new Error('no memory'))
  for (const expectedStarts of [1, 2]) {
    const gate = Promise.withResolvers<void>()
    const used: string[] = []
    const first = scheduler.run(() => gate.promise)
    const second = scheduler.run(async (slot) => void used.push(slot.dir))
    await expect.poll(() => starts).toBe(expectedStarts)
    gate.resolve()
    await Promise.all([first, second])
    expect([used, [...running]]).toEqual([['0'], [0]])
  }
})

test('a task that is aborted while it waits does not take a slot', async () => {
  const scheduler = createSlotScheduler(fakeSlots(1).slots, options)
  const gate = Promise.withResolvers<void>()
  const running = scheduler.run(() => gate.promise)
  const abort = new AbortController()
  const aborted = scheduler.run(() => Promise.reject(new Error('was run')), abort.signal)
  const next = scheduler.run(async () => {})
  abort.abort(new Error('no longer needed'))
  await expect(aborted).rejects.toThrow('no longer needed')
  gate.resolve()
  await Promise.all([running, next])
})

test('reports an idle process only when no task waits and one is running', async () => {
  const scheduler = createSlotScheduler(fakeSlots(2).slots, options)
  expect(scheduler.hasIdleProcess()).toBe(true)
  const gate = Promise.withResolvers<void>()
  const running = scheduler.run(() => gate.promise)
  await expect.poll(scheduler.hasIdleProcess).toBe(false)
  gate.resolve()
  await running
  expect(scheduler.hasIdleProcess()).toBe(true)
})

test('limits how many tasks wait', async () => {
  const scheduler = createSlotScheduler(fakeSlots(1).slots, options)
  const gate = Promise.withResolvers<void>()
  const tasks = Array.from({ length: 1_001 }, () => scheduler.run(() => gate.promise))
  await expect(scheduler.run(async () => {})).rejects.toThrow('more than 1000 images are waiting')
  gate.resolve()
  await Promise.all(tasks)
})

test('rejects the tasks that wait when it is closed, and all later ones', async () => {
  const scheduler = createSlotScheduler(fakeSlots(1).slots, options)
  const gate = Promise.withResolvers<void>()
  const running = scheduler.run(() => gate.promise)
  const waiting = scheduler.run(async () => {})
  scheduler.close()
  await expect(waiting).rejects.toThrow()
  await expect(scheduler.run(async () => {})).rejects.toThrow('closed')
  gate.resolve()
  await running
})
