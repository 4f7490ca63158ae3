import { expect, test } from 'vitest'
import type { PaymentEvent } from '../../ports/payments/payments.ts'
import { createEventBatcher } from './payment-events.ts'

const eventOf = (id: string): PaymentEvent => ({ id, type: 'invoice.paid', customerId: 'cus_1', createdAt: new Date() })

/** A store whose batches are finished by the test, and that knows which ids it has. */
function slowStore() {
  const batches: string[][] = []
  const stored = new Set<string>()
  const gates: PromiseWithResolvers<void>[] = []
  return {
    batches,
    gates,
    async store(events: readonly PaymentEvent[]): Promise<Set<string>> {
      const ids = events.map(({ id }) => id)
      batches.push(ids)
      const gate = Promise.withResolvers<void>()
      gates.push(gate)
      await gate.promise
      const added = new Set(ids.filter((id) => !stored.has(id)))
      for (const id of added) stored.add(id)
      return added
    },
  }
}

test('events that arrive while a batch is stored form one batch; of two with the same id, one is new', async () => {
  const { store, batches, gates } = slowStore()
  const add = createEventBatcher(store)
  const first = add(eventOf('a'))
  await expect.poll(() => batches).toEqual([['a']])
  const others = ['b', 'a', 'b', 'c'].map((id) => add(eventOf(id)))
  gates[0]?.resolve()
  expect(await first).toBe(true)
  await expect.poll(() => batches).toEqual([['a'], ['b', 'a', 'b', 'c']])
  gates[1]?.resolve()
  expect(await Promise.all(others)).toEqual([true, false, false, true])
})

test('after a batch of many events there is a pause, over which its answers are spread', async () => {
  const pauseMs = 200
  const startedAt: number[] = []
  const sizes: number[] = []
  const add = createEventBatcher(
    async (events) => {
      startedAt.push(performance.now())
      sizes.push(events.length)
      return new Set(events.map(({ id }) => id))
    },
    { pauseMs },
  )
  const answers = ['a', 'b', 'c', 'd', 'e'].map((id) => add(eventOf(id)))
  const answeredAt = answers.map(async (answer) => answer.then(() => performance.now()))
  await answers[0]
  const later = [add(eventOf('f')), add(eventOf('g'))]
  const times = await Promise.all(answeredAt)
  await Promise.all(later)
  expect(sizes).toEqual([5, 2])
  const [first = 0, second = 0] = startedAt
  expect(second - first).toBeGreaterThan(pauseMs - 2)
  expect((times.at(-1) ?? 0) - first).toBeGreaterThan(pauseMs / 2)
})

test('an event that cannot be stored fails alone', async () => {
  const add = createEventBatcher(async (events) => {
    if (events.some(({ id }) => id === 'bad')) throw new Error('invalid text')
    return new Set(events.map(({ id }) => id))
  })
  const results = await Promise.allSettled(['a', 'bad', 'b'].map((id) => add(eventOf(id))))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await add(eventOf('c'))).toBe(true)
})

test('a batch that hangs does not keep the next one waiting', async () => {
  const { store, batches, gates } = slowStore()
  const add = createEventBatcher(store, { maxBatchMs: 1 })
  void add(eventOf('a'))
  await expect.poll(() => batches).toEqual([['a']])
  const next = add(eventOf('b'))
  await expect.poll(() => batches).toEqual([['a'], ['b']])
  gates[1]?.resolve()
  expect(await next).toBe(true)
})

test('more than 500 waiting events are refused for now', async () => {
  const { store, batches, gates } = slowStore()
  const add = createEventBatcher(store)
  const results = Promise.allSettled(Array.from({ length: 501 }, (_, index) => add(eventOf(String(index)))))
  await expect.poll(() => batches.length).toBe(1)
  gates[0]?.resolve()
  const refused = (await results).filter(({ status }) => status === 'rejected')
  expect(refused).toEqual([{ status: 'rejected', reason: expect.objectContaining({ code: 'unavailable' }) }])
})
