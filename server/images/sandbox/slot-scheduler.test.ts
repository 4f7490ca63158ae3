import { expect, test } from 'vitest'
import type { Slot } from './slot.ts'
import { createSlotScheduler } from './slot-scheduler.ts'

/** Slots whose processes run once they have been used, and what was done with them. */
function fakeSlots(count: number): { slots: Slot[]; running: Set<number> } {
  const running = new Set([0])
  const slots = Array.from({ length: count }, (_, index) => ({
    dir: String(index),
    start: async () => void running.add(index),
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

test('prefers a slot whose process is running, and stops the other processes after a while', async () => {
  const { slots, running } = fakeSlots(3)
  const scheduler = createSlotScheduler(slots, options)
  const used: string[] = []
  const use = async (slot: Slot): Promise<void> => {
    used.push(slot.dir)
    await slot.start()
  }
  await Promise.all([scheduler.run(use), scheduler.run(use)])
  expect([used, [...running]]).toEqual([
    ['0', '1'],
    [0, 1],
  ])
  await expect.poll(() => [...running]).toEqual([0])
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
