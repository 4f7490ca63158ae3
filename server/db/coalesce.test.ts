import { expect, test } from 'vitest'
import { coalesce } from './coalesce.ts'

/** A coalesced query whose runs the test answers. */
function startQuery() {
  const runs: { values: readonly unknown[]; answer(rows: string[]): void; fail(error: Error): void }[] = []
  const clock = { time: 0, now: () => clock.time }
  const query = coalesce<string>(
    (values) => new Promise((answer, fail) => void runs.push({ values, answer: (rows) => answer(rows), fail })),
    clock,
  )
  const run = (index: number) => {
    const found = runs[index]
    if (!found) throw new Error(`run ${index} has not started`)
    return found
  }
  return { runs, run, query, clock }
}
const pendingPromises = () => new Promise(setImmediate)

test('callers arriving during a run share one run that starts after it', async () => {
  const { runs, run, query } = startQuery()
  const first = query(['a'])
  const [second, third] = [query(['a']), query(['a'])]
  await pendingPromises()
  expect(runs).toHaveLength(1)
  run(0).answer(['old'])
  expect(await first).toEqual(['old'])
  await pendingPromises()
  expect(runs).toHaveLength(2)
  const fourth = query(['a'])
  run(1).answer(['new'])
  expect(await Promise.all([second, third])).toEqual([['new'], ['new']])
  await pendingPromises()
  run(2).answer(['newest'])
  expect(await fourth).toEqual(['newest'])
  await pendingPromises()
  void query(['a'])
  expect(runs).toHaveLength(4)
})

test('callers with other values do not wait, and a failed run rejects only for the callers that share it', async () => {
  const { runs, run, query } = startQuery()
  const first = query(['a', 1])
  const other = query(['a', 2])
  const second = query(['a', 1])
  expect(runs.map(({ values }) => values)).toEqual([
    ['a', 1],
    ['a', 2],
  ])
  run(0).fail(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  await pendingPromises()
  run(2).answer(['there'])
  expect(await second).toEqual(['there'])
  run(1).answer(['other'])
  expect(await other).toEqual(['other'])
})

test('a caller does not wait for a run that has lasted more than two seconds', async () => {
  const { runs, run, query, clock } = startQuery()
  void query(['a'])
  void query(['a'])
  clock.time = 2_500
  const late = query(['a'])
  expect(runs).toHaveLength(2)
  run(1).answer(['there'])
  expect(await late).toEqual(['there'])
})
