import { describe, expect, test } from 'vitest'
import { emptySelection, toggleSelected, withoutDeleted } from './selection.ts'

const order = ['a', 'b', 'c', 'd', 'e']
const selected = (...ids: string[]) => ({ ids: new Set(ids), lastId: ids.at(-1) ?? null })
const idsAfter = (...clicks: [id: string, range?: boolean][]) =>
  Array.from(
    clicks.reduce((selection, [id, range = false]) => toggleSelected(selection, id, { order, range }), emptySelection)
      .ids,
  ).sort()

describe('the selection', () => {
  test.each<[string, [string, boolean?][], string[]]>([
    ['holds one photo after a click', [['b']], ['b']],
    ['holds several photos after several clicks', [['b'], ['d']], ['b', 'd']],
    ['loses a photo after a second click', [['b'], ['d'], ['b']], ['d']],
    ['holds a range', [['b'], ['d', true]], ['b', 'c', 'd']],
    ['holds a range in reverse order', [['d'], ['b', true]], ['b', 'c', 'd']],
    ['holds one photo after a range without a start', [['c', true]], ['c']],
    ['holds two adjoining ranges', [['a'], ['b', true], ['d', true]], ['a', 'b', 'c', 'd']],
  ])('%s', (_, clicks, ids) => {
    expect(idsAfter(...clicks)).toEqual(ids)
  })

  test('loses photos that were deleted', () => {
    expect(Array.from(withoutDeleted(selected('a', 'b'), new Set(['b', 'c'])).ids)).toEqual(['b'])
  })

  test('is the same object when no selected photo was deleted', () => {
    const selection = selected('a')
    expect(withoutDeleted(selection, new Set(order))).toBe(selection)
  })
})
