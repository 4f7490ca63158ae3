import { expect, test } from 'vitest'
import { createSerialQueues } from './serial-queues.ts'

const pendingPromises = () => new Promise(setImmediate)

test('runs the tasks of a key in order, and those of other keys meanwhile', async () => {
  const done: string[] = []
  const gate = Promise.withResolvers<void>()
  const queues = createSerialQueues(() => {})
  queues.add('a', async () => {
    await gate.promise
    done.push('a1')
  })
  queues.add('a', async () => void done.push('a2'))
  queues.add('b', async () => void done.push('b1'))
  await pendingPromises()
  expect(done).toEqual(['b1'])
  gate.resolve()
  await pendingPromises()
  expect(done).toEqual(['b1', 'a1', 'a2'])
})

test('reports the error of a task and runs the next one', async () => {
  const errors: unknown[] = []
  const done: string[] = []
  const queues = createSerialQueues((error) => errors.push(error))
  queues.add('a', () => Promise.reject(new Error('first')))
  queues.add('a', async () => void done.push('second'))
  await pendingPromises()
  expect([errors, done]).toEqual([[new Error('first')], ['second']])
})
