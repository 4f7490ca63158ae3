import { expect, test } from 'vitest'
import { releaseBuffer } from './release-buffer.ts'

test('the memory of a large chunk is freed', () => {
  const chunk = Buffer.allocUnsafeSlow(64 * 1024)
  releaseBuffer(chunk)
  expect(chunk.length).toBe(0)
})

test('a slice is left alone: others may read the rest', () => {
  const whole = Buffer.allocUnsafeSlow(64 * 1024)
  releaseBuffer(whole.subarray(0, 32 * 1024))
  expect(whole.length).toBe(64 * 1024)
})

test('a small chunk is left alone: it may be part of the pool', () => {
  const chunk = Buffer.allocUnsafeSlow(1024)
  releaseBuffer(chunk)
  expect(chunk.length).toBe(1024)
})
