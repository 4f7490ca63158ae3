import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { useTemporaryMessage } from './temporary-message.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

function start() {
  const { result } = renderHook(() => useTemporaryMessage())
  return {
    text: () => result.current[0]?.text ?? null,
    show: (text: string, durationMs?: number) => act(() => result.current[1]({ tone: 'ok', text }, durationMs)),
    pass: (ms: number) => act(() => void vi.advanceTimersByTime(ms)),
  }
}

test.each([
  [undefined, 3_000],
  [4_000, 4_000],
])('a message with the duration %s disappears after %d ms', (duration, ms) => {
  const { text, show, pass } = start()
  show('Saved', duration)
  pass(ms - 100)
  expect(text()).toBe('Saved')
  pass(200)
  expect(text()).toBeNull()
})

test('a new message replaces the last one, and has its own time', () => {
  const { text, show, pass } = start()
  show('First')
  pass(2_900)
  show('Second')
  pass(2_900)
  expect(text()).toBe('Second')
})
