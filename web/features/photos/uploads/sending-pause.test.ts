import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createSendingPause, type SendingPause } from './sending-pause.ts'

const onPauseEnd = vi.fn<() => void>()
let pause: SendingPause
beforeEach(() => {
  vi.useFakeTimers()
  onPauseEnd.mockClear()
  pause = createSendingPause(onPauseEnd)
})
afterEach(() => {
  vi.useRealTimers()
})

describe('sending is paused', () => {
  test('until the server can be reached', () => {
    pause.serverUnreachable()
    expect(pause.isActive()).toBe(true)
    pause.serverReachable()
    expect(pause.isActive()).toBe(false)
  })

  test('for the time that the server asks for, and then reports the end', () => {
    pause.pauseFor(1_000)
    vi.advanceTimersByTime(999)
    expect([pause.isActive(), onPauseEnd.mock.calls.length]).toEqual([true, 0])
    vi.advanceTimersByTime(1)
    expect([pause.isActive(), onPauseEnd.mock.calls.length]).toEqual([false, 1])
  })

  test('no longer when the clock of the device is set back meanwhile', () => {
    pause.pauseFor(1_000)
    vi.setSystemTime(Date.now() - 3_600_000)
    vi.advanceTimersByTime(1_000)
    expect([pause.isActive(), onPauseEnd.mock.calls.length]).toEqual([false, 1])
  })

  test('for the longest of several times', () => {
    pause.pauseFor(5_000)
    pause.pauseFor(1_000)
    vi.advanceTimersByTime(4_999)
    expect(pause.isActive()).toBe(true)
    vi.advanceTimersByTime(1)
    expect([pause.isActive(), onPauseEnd.mock.calls.length]).toEqual([false, 1])
  })

  test('not after a cancellation, which reports no end', () => {
    pause.pauseFor(1_000)
    pause.cancel()
    expect(pause.isActive()).toBe(false)
    vi.advanceTimersByTime(1_000)
    expect(onPauseEnd).not.toHaveBeenCalled()
  })
})
