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

test('a message disappears after three seconds', () => {
  const { text, show, pass } = start()
  show('Saved')
  pass(2_900)
  expect(text()).toBe('Saved')
  pass(200)
  expect(text()).toBeNull()
})

test('a message can stay longer', () => {
  const { text, show, pass } = start()
  show('Already deleted', 4_000)
  pass(3_900)
  expect(text()).toBe('Already deleted')
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
