import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useFocusFallback } from './focus.ts'
import { eventually } from '../test/eventually.ts'

function Part({ hasButton }: { hasButton: boolean }) {
  return (
    <section ref={useFocusFallback()} tabIndex={-1} aria-label="part">
      <output>{hasButton && <span>Saved</span>}</output>
      <div tabIndex={-1} aria-label="inner">
        {hasButton && <button type="button">Delete</button>}
      </div>
      <button type="button">Other</button>
    </section>
  )
}

function Outer({ hasInner }: { hasInner: boolean }) {
  return (
    <section ref={useFocusFallback()} tabIndex={-1} aria-label="outer">
      {hasInner && (
        <div tabIndex={-1}>
          <button type="button">Delete</button>
        </div>
      )}
    </section>
  )
}

test('when the focused control is removed, the closest focusable element around it gets the focus, whatever else changes', async () => {
  const { rerender } = render(<Part hasButton />)
  screen.getByText('Delete').focus()
  rerender(<Part hasButton={false} />)
  await eventually(() => expect(document.activeElement).toBe(screen.getByLabelText('inner')))
})

test('when the element around the focused control is removed too, the next one gets the focus', async () => {
  const { rerender } = render(<Outer hasInner />)
  screen.getByText('Delete').focus()
  rerender(<Outer hasInner={false} />)
  await eventually(() => expect(document.activeElement).toBe(screen.getByLabelText('outer')))
})

test('the focus stays where it is when another control is removed', async () => {
  const { rerender } = render(<Part hasButton />)
  screen.getByText('Other').focus()
  rerender(<Part hasButton={false} />)
  await Promise.resolve()
  expect(document.activeElement).toBe(screen.getByText('Other'))
})
