import { expect, test, vi } from 'vitest'
import { createListeners } from './listeners.ts'

test('every listener is called with every value until it is removed', () => {
  const { add, notify } = createListeners<string>()
  const first = vi.fn<(value: string) => void>()
  const second = vi.fn<(value: string) => void>()
  const removeFirst = add(first)
  add(second)
  notify('a')
  removeFirst()
  notify('b')
  expect(first.mock.calls).toEqual([['a']])
  expect(second.mock.calls).toEqual([['a'], ['b']])
})
