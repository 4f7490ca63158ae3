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

test('a change that matches no item is not reported', () => {
  const store = createUploadStore()
  const before = store.state()
  store.setState('removed', { status: 'queued' })
  expect(store.state()).toBe(before)
})
