import { describe, expect, test } from 'vitest'
import { keepOnly, noPhotos, pick } from './selection.ts'

const order = ['a', 'b', 'c', 'd', 'e']
const picked = (...ids: string[]) => ({ ids: new Set(ids), last: ids.at(-1) ?? null })
const after = (...picks: [id: string, range?: boolean][]) =>
  Array.from(
    picks.reduce((selection, [id, range = false]) => pick(selection, id, { order, range }), noPhotos).ids,
  ).sort()

describe('picking photos', () => {
  test.each<[string, [string, boolean?][], string[]]>([
    ['picks one', [['b']], ['b']],
    ['picks several', [['b'], ['d']], ['b', 'd']],
    ['lets one go', [['b'], ['d'], ['b']], ['d']],
    ['picks everything in between', [['b'], ['d', true]], ['b', 'c', 'd']],
    ['picks everything in between backwards', [['d'], ['b', true]], ['b', 'c', 'd']],
    ['takes a range without a beginning for one', [['c', true]], ['c']],
    ['goes on from the end of a range', [['a'], ['b', true], ['d', true]], ['a', 'b', 'c', 'd']],
  ])('%s', (_, picks, ids) => {
    expect(after(...picks)).toEqual(ids)
  })

  test('forgets photos that are gone', () => {
    expect(Array.from(keepOnly(picked('a', 'b'), new Set(['b', 'c'])).ids)).toEqual(['b'])
    const whole = picked('a')
    expect(keepOnly(whole, new Set(order))).toBe(whole)
  })
})
