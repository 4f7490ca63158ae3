import { LRUCache } from 'lru-cache'
import { expect, test } from 'vitest'
import { maxEntries } from './max-entries.ts'

test('a cache that is full loses the entry that was not used for longest', () => {
  const cache = new LRUCache<string, string>(maxEntries(2))
  cache.set('a', '1')
  cache.set('b', '2')
  cache.get('a')
  cache.set('c', '3')
  expect([...cache.keys()]).toEqual(['c', 'a'])
})
