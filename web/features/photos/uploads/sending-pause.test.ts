import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createSendingPause, type PauseState, type SendingPause } from './sending-pause.ts'

const onPauseEnd = vi.fn<() => void>()
const onChange = vi.fn<(pause: PauseState | null) => void>()
let pause: SendingPause
beforeEach(() => {
  vi.useFakeTimers()
  onPauseEnd.mockClear()
  onChange.mockClear()
  pause = createSendingPause({ onPauseEnd, onChange })
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
    pause.pauseFor(1_000, 'busy')
    vi.advanceTimersByTime(999)
    expect([pause.isActive(), onPauseEnd.mock.calls.length]).toEqual([true, 0])
    vi.advanceTimersByTime(1)
    expect([pause.isActive(), onPauseEnd.mock.calls.length]).toEqual([false, 1])
  })

  test('no longer when the clock of the device is set back meanwhile', () => {
    pause.pauseFor(1_000, 'busy')
    vi.setSystemTime(Date.now() - 3_600_000)
    vi.advanceTimersByTime(1_000)
    expect([pause.isActive(), onPauseEnd.mock.calls.length]).toEqual([false, 1])
  })

  test('for the longest of several times', () => {
    pause.pauseFor(5_000, 'busy')
    pause.pauseFor(1_000, 'busy')
    vi.advanceTimersByTime(4_999)
    expect(pause.isActive()).toBe(true)
    vi.advanceTimersByTime(1)
    expect([pause.isActive(), onPauseEnd.mock.calls.length]).toEqual([false, 1])
  })

  test('after each answer that the server is not available, twice as long as before, for at most 30 seconds', () => {
    const pauseSeconds = () => {
      pause.serverUnavailable(5_000)
      const start = performance.now()
      while (pause.isActive()) vi.advanceTimersByTime(1_000)
      return (performance.now() - start) / 1_000
    }
    expect(Array.from({ length: 5 }, pauseSeconds)).toEqual([5, 10, 20, 30, 30])
    expect(pause.isServerUnavailable()).toBe(true)
    pause.serverReachable()
    expect(pause.isServerUnavailable()).toBe(false)
    expect(pauseSeconds()).toBe(5)
  })

  test('no longer because of answers to uploads that were sent before the pause', () => {
    for (let answer = 0; answer < 3; answer++) pause.serverUnavailable(5_000)
    vi.advanceTimersByTime(5_000)
    expect([pause.isActive(), onPauseEnd.mock.calls.length]).toEqual([false, 1])
  })

  test('for at least a second when the server is not available, whatever it asks for', () => {
    pause.serverUnavailable(0)
    vi.advanceTimersByTime(999)
    expect(pause.isActive()).toBe(true)
  })

  test('not after a cancellation, which reports no end', () => {
    pause.pauseFor(1_000, 'busy')
    pause.cancel()
    expect(pause.isActive()).toBe(false)
    vi.advanceTimersByTime(1_000)
    expect(onPauseEnd).not.toHaveBeenCalled()
  })

  test('with its reason, and until when, for users; it is over when it ends', () => {
    const at = Date.now()
    pause.pauseFor(5_000, 'rate-limit')
    pause.pauseFor(1_000, 'busy')
    vi.advanceTimersByTime(2_000)
    pause.serverUnreachable()
    pause.serverReachable()
    vi.advanceTimersByTime(3_000)
    const limit = { reason: 'rate-limit', startedAt: at, endsAt: at + 5_000 }
    const unreachable = { reason: 'unreachable', startedAt: at + 2_000, endsAt: null }
    expect(onChange.mock.calls).toEqual([[limit], [unreachable], [limit], [null]])
  })

  test('for one upload every 30 seconds while the server cannot be reached', () => {
    pause.serverUnreachable()
    vi.advanceTimersByTime(29_999)
    expect([pause.isActive(), pause.isProbing()]).toEqual([true, false])
    vi.advanceTimersByTime(1)
    expect([pause.isActive(), pause.isProbing(), onPauseEnd.mock.calls.length]).toEqual([false, true, 1])
    pause.serverUnreachable()
    expect([pause.isActive(), pause.isProbing()]).toEqual([true, false])
    pause.serverReachable()
    vi.advanceTimersByTime(60_000)
    expect([pause.isActive(), onPauseEnd.mock.calls.length]).toEqual([false, 1])
  })
})
