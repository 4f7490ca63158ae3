import { expect, test } from 'vitest'
import { releaseBuffer } from './release-buffer.ts'

test('the memory of a large chunk is freed; a slice, of which others may read the rest, and a small chunk, which may be part of the pool, are left alone', () => {
  const [chunk, whole, small] = [64 * 1024, 64 * 1024, 1024].map((bytes) => Buffer.allocUnsafeSlow(bytes))
  releaseBuffer(chunk!)
  releaseBuffer(whole!.subarray(0, 32 * 1024))
  releaseBuffer(small!)
  expect([chunk!.length, whole!.length, small!.length]).toEqual([0, 64 * 1024, 1024])
})
