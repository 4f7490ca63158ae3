import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('things are handed out first come, first served', async () => {
  const turns = createTurns(['a'])
  const order: number[] = []
  const first = await turns.next()
  const others = [1, 2, 3].map((number) => turns.next().then(() => order.push(number)))
  for (let i = 0; i < 3; i++) {
    turns.free(first)
    await others[i]
  }
  expect(order).toEqual([1, 2, 3])
})

test('who gives up waiting takes no turn away', async () => {
  const turns = createTurns(['a'])
  const held = await turns.next()
  const leaving = new AbortController()
  const left = turns.next(leaving.signal)
  const staying = turns.next()
  leaving.abort(new Error('no longer wanted'))
  await expect(left).rejects.toThrow('no longer wanted')
  turns.free(held)
  expect(await staying).toBe('a')
})

test('whoever waits when all is closed is told', async () => {
  const turns = createTurns(['a'])
  await turns.next()
  const waiting = turns.next()
  turns.close()
  await expect(waiting).rejects.toThrow('closed')
  await expect(turns.next()).rejects.toThrow('closed')
})

test('there is an end to how many may wait', async () => {
  const turns = createTurns<string>([])
  const waiting = Array.from({ length: 1000 }, () => turns.next().catch(() => {}))
  await expect(turns.next()).rejects.toThrow('1000 are waiting')
  turns.close()
  await Promise.all(waiting)
})
