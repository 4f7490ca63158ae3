import { describe, expect, test } from 'vitest'
import { openStorage } from './storage.ts'

describe('the storage', () => {
  test('holds and removes values in the storage of the browser', () => {
    const storage = openStorage(() => window.sessionStorage)
    storage.set('key', 'value')
    expect([storage.get('key'), window.sessionStorage.getItem('key')]).toEqual(['value', 'value'])
    storage.set('key', null)
    expect([storage.get('key'), window.sessionStorage.getItem('key')]).toEqual([null, null])
  })

  test('falls back to memory when the browser denies access', () => {
    const storage = openStorage(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    expect(storage.get('key')).toBeNull()
    storage.set('key', 'value')
    expect(storage.get('key')).toBe('value')
    storage.set('key', null)
    expect(storage.get('key')).toBeNull()
  })
})
