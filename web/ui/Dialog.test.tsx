import { render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { LanguageProvider } from '../lib/i18n.tsx'
import { english } from '../test/render.tsx'
import { ConfirmDialog } from './Dialog.tsx'
import { eventually } from '../test/eventually.ts'

function Page({ onConfirm }: { onConfirm: () => void }) {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <LanguageProvider language={english}>
      <button type="button" onClick={() => setOpen(true)}>
        Delete photo
      </button>
      <ConfirmDialog
        open={open}
        title="Delete this photo?"
        question="This action cannot be undone."
        confirm="Delete"
        onConfirm={() => {
          onConfirm()
          close()
        }}
        onClose={close}
      />
    </LanguageProvider>
  )
}

async function openDialog() {
  const onConfirm = vi.fn<() => void>()
  render(<Page onConfirm={onConfirm} />)
  const person = userEvent.setup()
  await person.click(screen.getByRole('button', { name: 'Delete photo' }))
  return { onConfirm, person, dialog: screen.getByRole('alertdialog', { name: 'Delete this photo?' }) }
}
const isOpen = () => screen.queryByRole('alertdialog') !== null

describe('a confirmation dialog', () => {
  test.each([
    ['Delete', 1],
    ['Cancel', 0],
  ])('has its question as its description; after %s the action has run %d times', async (name, times) => {
    const { onConfirm, person, dialog } = await openDialog()
    expect(dialog).toHaveAccessibleDescription('This action cannot be undone.')
    expect(dialog).toHaveAttribute('open')
    await person.click(within(dialog).getByRole('button', { name }))
    expect(onConfirm).toHaveBeenCalledTimes(times)
    expect(isOpen()).toBe(false)
  })

  test('does nothing when Escape closes it, and can be opened again', async () => {
    const { onConfirm, person, dialog } = await openDialog()
    dialog.dispatchEvent(new Event('cancel', { cancelable: true }))
    await eventually(() => expect(isOpen()).toBe(false))
    expect(onConfirm).not.toHaveBeenCalled()
    await person.click(screen.getByRole('button', { name: 'Delete photo' }))
    expect(isOpen()).toBe(true)
  })
})
