import { act, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useRef } from 'react'
import { expect, test, vi } from 'vitest'
import { LanguageProvider } from '../lib/i18n.tsx'
import { english } from '../test/render.tsx'
import { CopyButton } from './CopyButton.tsx'

function Sample() {
  const code = useRef<HTMLElement>(null)
  return (
    <LanguageProvider language={english}>
      <code ref={code}>curl</code>
      <CopyButton text="curl" label="the command" shownIn={code} />
    </LanguageProvider>
  )
}

/** Without a clipboard where browsers have none, on plain http. */
function setUp(writeText?: (text: string) => Promise<void>) {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const person = userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) })
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue((writeText && { writeText }) as Clipboard) // the part that is used
  render(<Sample />)
  return { person, button: screen.getByRole('button', { name: 'Copy: the command' }) }
}

test('a copied text is confirmed for two seconds', async () => {
  const writeText = vi.fn<(text: string) => Promise<void>>(async () => {})
  const { person, button } = setUp(writeText)
  await person.click(button)
  // The effect that starts the two seconds.
  await act(() => vi.advanceTimersByTimeAsync(0))
  expect(writeText).toHaveBeenCalledWith('curl')
  expect(button).toHaveTextContent('Copied')
  expect(screen.getByRole('status')).toHaveTextContent('Copied')
  await act(() => vi.advanceTimersByTimeAsync(1_500))
  expect(button).toHaveTextContent('Copied')
  await act(() => vi.advanceTimersByTimeAsync(550))
  expect(button).toHaveTextContent('Copy')
  expect(screen.getByRole('status')).toBeEmptyDOMElement()
})

test.each([
  ['without a clipboard', undefined],
  ['when the browser refuses', async () => Promise.reject(new DOMException('refused', 'NotAllowedError'))],
])('%s the shown text is selected', async (_, writeText) => {
  const { person, button } = setUp(writeText)
  await person.click(button)
  await act(() => vi.advanceTimersByTimeAsync(0))
  expect(button).toHaveTextContent('Selected')
  expect(window.getSelection()?.toString()).toBe('curl')
})
