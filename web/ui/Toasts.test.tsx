import { act, fireEvent, render, screen } from '@testing-library/react'
import { useEffect } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { LanguageProvider } from '../lib/i18n.tsx'
import { english } from '../test/render.tsx'
import { ToastsProvider, useToast, type Toast } from './Toasts.tsx'

let show: (toast: Toast) => void
function Page({ onToast }: { onToast: (show: (toast: Toast) => void) => void }) {
  const showToast = useToast()
  useEffect(() => onToast(showToast), [onToast, showToast])
  return null
}
const shown = () => Array.from(document.querySelectorAll('.toast'), (toast) => toast.textContent)
const add = (toast: Toast) => act(() => show(toast))
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms))

beforeEach(() => {
  vi.useFakeTimers()
  render(
    <LanguageProvider language={english}>
      <ToastsProvider position="bottom-right">
        <Page onToast={(showToast) => (show = showToast)} />
      </ToastsProvider>
    </LanguageProvider>,
  )
})

describe('a toast', () => {
  test('is announced by a live region that is in the page before it, and disappears after three seconds', () => {
    const region = screen.getByRole('log', { name: 'Notifications' })
    expect(region).toHaveAttribute('aria-live', 'polite')
    add({ text: 'Photo updated!', picture: '/t/abc' })
    expect(region).toHaveTextContent('Photo updated!')
    expect(screen.getByText('Photo updated!').parentElement?.querySelector('img')).toHaveAttribute('src', '/t/abc')
    pass(2_900)
    expect(shown()).toEqual(['Photo updated!'])
    pass(200)
    expect(shown()).toEqual([])
  })

  test('stays while the pointer is over it', () => {
    // Not for a pointer that rests where it appears.
    add({ text: 'Photo updated!' })
    fireEvent.pointerEnter(screen.getByText('Photo updated!'))
    pass(3_100)
    expect(shown()).toEqual([])
    add({ text: 'Photo updated!' })
    fireEvent.pointerMove(screen.getByText('Photo updated!'))
    pass(10_000)
    expect(shown()).toEqual(['Photo updated!'])
    fireEvent.pointerLeave(screen.getByText('Photo updated!'))
    pass(3_100)
    expect(shown()).toEqual([])
  })

  test('stays while the tab is hidden', () => {
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    add({ text: 'Photo updated!' })
    pass(10_000)
    expect(shown()).toEqual(['Photo updated!'])
    hidden.mockReturnValue(false)
    document.dispatchEvent(new Event('visibilitychange'))
    pass(3_100)
    expect(shown()).toEqual([])
  })

  test('with the same text renews the one that is shown', () => {
    add({ text: 'New photo received!' })
    pass(2_900)
    add({ text: 'New photo received!' })
    pass(2_900)
    expect(shown()).toEqual(['New photo received!'])
  })

  test('with the same text about something else is shown beside the first one, each with its own action', () => {
    const undone: string[] = []
    const hidden = (id: string): Toast => ({
      text: 'Photo hidden.',
      id,
      action: { label: 'Undo', run: () => undone.push(id) },
    })
    add(hidden('photo1'))
    add(hidden('photo2'))
    add(hidden('photo2'))
    const buttons = screen.getAllByRole('button', { name: 'Undo' })
    for (const button of buttons) fireEvent.click(button)
    expect(undone).toEqual(['photo1', 'photo2'])
  })

  test('is removed when three newer ones are shown', () => {
    for (const text of ['one', 'two', 'three', 'four']) add({ text })
    expect(shown()).toEqual(['two', 'three', 'four'])
  })

  test('with an action stays eight seconds, or while it has the focus, and disappears when the action is pressed', () => {
    const run = vi.fn<() => void>()
    add({ text: 'Photo hidden.', action: { label: 'Undo', run } })
    pass(7_900)
    const undo = screen.getByRole('button', { name: 'Undo' })
    act(() => undo.focus())
    pass(20_000)
    expect(shown()).toHaveLength(1)
    fireEvent.click(undo)
    expect([run.mock.calls.length, shown()]).toEqual([1, []])
    add({ text: 'Photo hidden.', action: { label: 'Undo', run } })
    pass(8_100)
    expect(shown()).toEqual([])
  })
})
