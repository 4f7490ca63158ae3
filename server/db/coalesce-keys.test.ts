import { expect, test } from 'vitest'
import { coalesceKeys } from './coalesce-keys.ts'

/** A query about keys whose runs the test answers. */
function startQuery() {
  const runs: ({ keys: readonly string[] } & PromiseWithResolvers<ReadonlyMap<string, string>>)[] = []
  const clock = { time: 0, now: () => clock.time }
  const read = coalesceKeys<string>((keys) => {
    const run = { keys, ...Promise.withResolvers<ReadonlyMap<string, string>>() }
    runs.push(run)
    return run.promise
  }, clock)
  const answer = (index: number, results: Record<string, string>) =>
    runs[index]?.resolve(new Map(Object.entries(results)))
  return { read, clock, runs, answer, asked: () => runs.map(({ keys }) => keys.join()) }
}
const pendingPromises = () => new Promise(setImmediate)

test('two runs start at once; callers that arrive meanwhile share the next one, and each gets its own result', async () => {
  const { read, answer, asked } = startQuery()
  const [first, other] = [read('a'), read('b')]
  const later = [read('a'), read('c'), read('a'), read('nothing')]
  expect(asked()).toEqual(['a', 'b'])
  answer(1, { b: 'of b' })
  expect(await other).toBe('of b')
  await pendingPromises()
  expect(asked()).toEqual(['a', 'b', 'a,c,nothing'])
  answer(2, { c: 'of c', a: 'newer' })
  expect(await Promise.all(later)).toEqual(['newer', 'of c', 'newer', undefined])
  answer(0, { a: 'old' })
  expect(await first).toBe('old')
})

test('a failed run rejects for its callers alone, and one that lasts more than two seconds is not waited for', async () => {
  const { read, clock, runs, answer, asked } = startQuery()
  const calls = ['a', 'b', 'c'].map(read)
  runs[0]?.reject(new Error('gone'))
  await expect(calls[0]).rejects.toThrow('gone')
  await pendingPromises()
  expect(asked()).toEqual(['a', 'b', 'c'])
  const waiting = read('d')
  clock.time = 2_001
  const late = read('e')
  expect(asked()).toEqual(['a', 'b', 'c', 'd,e'])
  answer(3, { d: 'of d', e: 'of e' })
  expect(await Promise.all([waiting, late])).toEqual(['of d', 'of e'])
})

test('a run is about at most twenty keys', async () => {
  const { read, answer, asked } = startQuery()
  const keys = Array.from({ length: 27 }, (_, index) => `k${index}`)
  const calls = keys.map(read)
  for (const index of [0, 1, 2, 3]) {
    answer(index, Object.fromEntries(keys.map((key) => [key, key])))
    await pendingPromises()
  }
  expect(asked().map((one) => one.split(',').length)).toEqual([1, 1, 20, 5])
  expect(await Promise.all(calls)).toEqual(keys)
})
