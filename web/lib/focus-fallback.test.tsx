import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useFocusFallback } from './focus-fallback.ts'

function Part({ hasButton }: { hasButton: boolean }) {
  return (
    <section ref={useFocusFallback()} tabIndex={-1} aria-label="part">
      <div tabIndex={-1} aria-label="inner">
        {hasButton && <button type="button">Delete</button>}
      </div>
      <button type="button">Other</button>
    </section>
  )
}

test('when the focused control is removed, the closest focusable element around it gets the focus', async () => {
  const { rerender } = render(<Part hasButton />)
  screen.getByText('Delete').focus()
  rerender(<Part hasButton={false} />)
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('inner')))
})

test('the focus stays where it is when another control is removed', async () => {
  const { rerender } = render(<Part hasButton />)
  screen.getByText('Other').focus()
  rerender(<Part hasButton={false} />)
  await Promise.resolve()
  expect(document.activeElement).toBe(screen.getByText('Other'))
})
