import { act, render, renderHook, screen } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { LanguageProvider } from '../lib/i18n.tsx'
import { english } from '../test/render.tsx'
import { SaveStatus, type TemporaryMessage, useTemporaryMessage } from './SaveStatus.tsx'

describe('temporary message', () => {
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
})

describe('SaveStatus', () => {
  test('the line of a message stays when the message disappears', () => {
    const withMessage = (message: TemporaryMessage | null) => (
      <LanguageProvider language={english}>
        <SaveStatus message={message} />
      </LanguageProvider>
    )
    const { rerender } = render(withMessage(null))
    const line = screen.getByRole('status')
    expect(line).not.toHaveClass('switch__note--kept')
    rerender(withMessage({ tone: 'ok', text: 'Saved' }))
    expect(line).toHaveTextContent('Saved')
    rerender(withMessage(null))
    expect(line).toBeEmptyDOMElement()
    expect(line).toHaveClass('switch__note--kept')
  })
})
