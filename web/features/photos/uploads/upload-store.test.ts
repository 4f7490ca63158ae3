import { expect, test, vi } from 'vitest'
import type { UploadItem } from './queue.ts'
import { createUploadStore, hasStatus } from './upload-store.ts'

const item = (id: string): UploadItem => ({ id, file: new File([], id), previewUrl: '', state: { status: 'queued' } })

test('a change replaces only the items that match, and is reported once', () => {
  const store = createUploadStore()
  store.update({ items: [item('a'), item('b')] })
  const [, unchanged] = store.state().items
  const listener = vi.fn<() => void>()
  const unsubscribe = store.subscribe(listener)
  store.setState('a', { status: 'uploading', progress: 0 })
  expect(store.find('a')?.state).toEqual({ status: 'uploading', progress: 0 })
  expect(store.find('b')).toBe(unchanged)
  expect(listener).toHaveBeenCalledTimes(1)
  unsubscribe()
  store.setStateWhere(hasStatus('uploading'), { status: 'queued' })
  expect(store.find('a')?.state).toEqual({ status: 'queued' })
  expect(listener).toHaveBeenCalledTimes(1)
})

test('removed items leave the list, and a change of other items is not reported', () => {
  const revoked = vi.spyOn(URL, 'revokeObjectURL')
  const store = createUploadStore()
  store.update({ items: [{ ...item('a'), previewUrl: 'blob:a' }, item('b')], singleUploadId: 'a' })
  const listener = vi.fn<() => void>()
  store.subscribe(listener)
  store.remove(['removed'])
  expect(listener).not.toHaveBeenCalled()
  store.remove(['a'])
  expect([store.state().items.map(({ id }) => id), store.state().singleUploadId]).toEqual([['b'], null])
  expect(revoked.mock.calls).toEqual([['blob:a']])
})

test('a change that matches no item is not reported', () => {
  const store = createUploadStore()
  const before = store.state()
  store.setState('removed', { status: 'queued' })
  expect(store.state()).toBe(before)
})
