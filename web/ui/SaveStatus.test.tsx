import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { LanguageProvider } from '../lib/i18n.tsx'
import { english } from '../test/render.tsx'
import type { TemporaryMessage } from '../lib/temporary-message.ts'
import { SaveStatus } from './SaveStatus.tsx'

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
