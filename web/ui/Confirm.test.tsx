import { render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { LanguageProvider } from '../lib/i18n.tsx'
import { english } from '../test/render.tsx'
import { Confirm } from './Confirm.tsx'
import { soon } from '../test/soon.ts'

function Page({ deed }: { deed: () => void }) {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <LanguageProvider language={english}>
      <button type="button" onClick={() => setOpen(true)}>
        Delete photo
      </button>
      <Confirm
        open={open}
        title="Delete this photo?"
        question="This action cannot be undone."
        confirm="Delete"
        onConfirm={() => {
          deed()
          close()
        }}
        onClose={close}
      />
    </LanguageProvider>
  )
}

async function ask() {
  const deed = vi.fn<() => void>()
  render(<Page deed={deed} />)
  const person = userEvent.setup()
  await person.click(screen.getByRole('button', { name: 'Delete photo' }))
  return { deed, person, dialog: screen.getByRole('alertdialog', { name: 'Delete this photo?' }) }
}
const isAsking = () => screen.queryByRole('alertdialog') !== null

describe('a question before a deed that cannot be undone', () => {
  test('says what it is about', async () => {
    const { dialog } = await ask()
    expect(dialog).toHaveAccessibleDescription('This action cannot be undone.')
    expect(dialog).toHaveAttribute('open')
  })

  test('does the deed when confirmed', async () => {
    const { deed, person, dialog } = await ask()
    await person.click(within(dialog).getByRole('button', { name: 'Delete' }))
    expect(deed).toHaveBeenCalledTimes(1)
    expect(isAsking()).toBe(false)
  })

  test('does nothing when cancelled', async () => {
    const { deed, person, dialog } = await ask()
    await person.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    expect(deed).not.toHaveBeenCalled()
    expect(isAsking()).toBe(false)
  })

  test('does nothing when the browser closes it, as Escape does, and can be asked again', async () => {
    const { deed, person, dialog } = await ask()
    dialog.dispatchEvent(new Event('cancel', { cancelable: true }))
    await soon(() => expect(isAsking()).toBe(false))
    expect(deed).not.toHaveBeenCalled()
    await person.click(screen.getByRole('button', { name: 'Delete photo' }))
    expect(isAsking()).toBe(true)
  })
})
