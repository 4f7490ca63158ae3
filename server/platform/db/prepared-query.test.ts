import { describe, expect, test } from 'vitest'
import { coalesce, coalesceKeys } from './prepared-query.ts'

describe('coalesce keys', () => {
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
})

describe('coalesce', () => {
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
})
