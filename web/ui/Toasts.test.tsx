import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { LanguageProvider } from '../lib/i18n.tsx'
import { english } from '../test/render.tsx'
import { ToastsProvider, useToast, type Toast } from './Toasts.tsx'

function Buttons({ toasts }: { toasts: Toast[] }) {
  const show = useToast()
  return toasts.map((toast, at) => (
    // A fixed list.
    <button type="button" key={at} onClick={() => show(toast)}>
      {`say ${at}`}
    </button>
  ))
}
function open(...toasts: Toast[]) {
  render(
    <LanguageProvider language={english}>
      <ToastsProvider place="bottom-right">
        <Buttons toasts={toasts} />
      </ToastsProvider>
    </LanguageProvider>,
  )
  return userEvent.setup()
}

describe('a toast', () => {
  test('is said in a part of the page that screen readers listen to', async () => {
    const person = open({ text: 'Photo updated!' })
    expect(screen.queryByText('Photo updated!')).toBeNull()
    await person.click(screen.getByText('say 0'))
    const said = await screen.findByText('Photo updated!')
    expect(said.closest('[aria-live="polite"]')).toHaveAccessibleName(/^Notifications/)
  })

  test('is one toast however often the same thing happens', async () => {
    const person = open({ text: 'New photo received!' }, { text: 'New photo received!' }, { text: 'Another' })
    for (const name of ['say 0', 'say 1', 'say 2']) await person.click(screen.getByText(name))
    await screen.findByText('Another')
    expect(screen.getAllByText('New photo received!')).toHaveLength(1)
  })

  test('can carry a picture', async () => {
    const person = open({ text: 'New photo!', picture: '/t/abc' })
    await person.click(screen.getByText('say 0'))
    const said = await screen.findByText('New photo!')
    expect(said.querySelector('img')).toHaveAttribute('src', '/t/abc')
  })
})
