import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { HttpRequest } from './http-types.ts'
import { createDiscardThrottle, watchUploadSpeed } from './upload-speed.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] }))
afterEach(() => void vi.useRealTimers())

/** A body that arrives over a connection which has been used before, and how often it was found too slow. */
function startUpload() {
  const raw = { complete: false, readableLength: 0, socket: { bytesRead: 5_000_000 } }
  const seen = { tooSlow: 0 }
  // Only these members are used.
  const stop = watchUploadSpeed({ raw } as unknown as HttpRequest, () => void seen.tooSlow++)
  onTestFinished(stop)
  const receive = (bytesPerSecond: number, seconds: number): void => {
    for (let second = 0; second < seconds; second++) {
      raw.socket.bytesRead += bytesPerSecond
      vi.advanceTimersByTime(1_000)
    }
  }
  return { raw, seen, stop, receive }
}

test('a body below 10 kB/s is too slow, after ten seconds', () => {
  const { seen, receive } = startUpload()
  receive(9_000, 10)
  expect(seen.tooSlow).toBe(0)
  receive(9_000, 2)
  expect(seen.tooSlow).toBe(1)
})

test('a body of 10 kB/s or more is not', () => {
  const { seen, receive } = startUpload()
  receive(10_000, 60)
  expect(seen.tooSlow).toBe(0)
})

test('a slow start is made up for by what follows within ten seconds', () => {
  const { seen, receive } = startUpload()
  receive(0, 8)
  receive(200_000, 2)
  receive(0, 20)
  expect(seen.tooSlow).toBe(0)
})

test('time in which the server does not read does not count', () => {
  const { raw, seen, receive } = startUpload()
  raw.readableLength = 65_536
  receive(0, 60)
  expect(seen.tooSlow).toBe(0)
})

test('a complete body, or one that is no longer watched, is never too slow', () => {
  const [complete, stopped] = [startUpload(), startUpload()]
  complete.raw.complete = true
  stopped.stop()
  complete.receive(0, 60)
  expect([complete.seen.tooSlow, stopped.seen.tooSlow]).toEqual([0, 0])
})

test('unread bodies are discarded at 16 MB/s in total, after a burst of half a megabyte', () => {
  let nowMs = 1_000
  const discardPauseMs = createDiscardThrottle(() => nowMs)
  expect(discardPauseMs(480_000)).toBe(0)
  expect(discardPauseMs(160_000)).toBe(10)
  expect(discardPauseMs(16_000)).toBe(11)
  nowMs += 11
  expect(discardPauseMs(0)).toBe(0)
  nowMs += 60_000
  expect(discardPauseMs(480_000)).toBe(0)
})
