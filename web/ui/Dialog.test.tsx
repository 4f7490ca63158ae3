import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { LanguageProvider } from '../lib/i18n.tsx'
import { english } from '../test/render.tsx'
import { ConfirmDialog } from './Dialog.tsx'

test('a confirmation dialog has its title as its name and its question as its description', () => {
  const text = { title: 'Delete this photo?', question: 'This action cannot be undone.', confirm: 'Delete' }
  render(
    <LanguageProvider language={english}>
      <ConfirmDialog open {...text} onConfirm={() => {}} onClose={() => {}} />
    </LanguageProvider>,
  )
  const dialog = screen.getByRole('alertdialog', { name: 'Delete this photo?' })
  expect(dialog).toHaveAccessibleDescription('This action cannot be undone.')
})
