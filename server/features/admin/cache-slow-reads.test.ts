import { expect, test } from 'vitest'
import { cacheSlowReads } from './cache-slow-reads.ts'

let nowMs = 0
let reads = 0
let tookMs = 0
const readNumber = cacheSlowReads(
  async () => {
    nowMs += tookMs
    reads += 1
    return reads
  },
  250,
  { now: () => nowMs },
)

test('a quick read is not cached', async () => {
  tookMs = 249
  expect([await readNumber(), await readNumber()]).toEqual([1, 2])
})

test('a slow result is cached for 20 times its duration', async () => {
  tookMs = 1_000
  expect(await readNumber()).toBe(3)
  nowMs += 19_999
  expect(await readNumber()).toBe(3)
  nowMs += 1
  expect(await readNumber()).toBe(4)
})

test('concurrent calls share one read, and a failure is not cached', async () => {
  const answers = [new Error('down'), 'up']
  const read = cacheSlowReads(async () => {
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer
  })
  const both = await Promise.allSettled([read(), read()])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await read()).toBe('up')
})
