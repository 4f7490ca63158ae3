import { updateSettings } from '@keepsnap/contract/settings.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { refuse, useFakeServer } from '../test/fake-server.ts'
import { visit } from '../test/render.tsx'

let reload: ReturnType<typeof vi.spyOn>
const server = useFakeServer(() => {
  reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {})
})

const footer = () => within(screen.getByRole('contentinfo')).getByRole('list', { name: 'Language' })
const link = (name: string) => within(footer()).getByRole('link', { name })

describe('the languages in the footer', () => {
  test('have their own names, each in its language, and lead there without JavaScript', async () => {
    await visit(server, { at: '/nowhere' })
    const links = within(footer()).getAllByRole('link')
    expect(links.map((one) => [one.textContent, one.lang, one.getAttribute('href')])).toEqual([
      ['Nederlands', 'nl', '?lang=nl'],
      ['Français', 'fr', '?lang=fr'],
      ['Deutsch', 'de', '?lang=de'],
    ])
    expect(within(footer()).getByText('English')).toHaveAttribute('aria-current', 'true')
  })

  test('keep what else the URL says', async () => {
    await visit(server, { at: '/terms?version=2026-11-23&lang=en' })
    expect(link('Nederlands')).toHaveAttribute('href', '?version=2026-11-23&lang=nl')
  })

  test('are stored in a cookie, and load the page again', async () => {
    const { person } = await visit(server, { at: '/nowhere' })
    await person.click(link('Nederlands'))
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
    expect(document.cookie).toContain('language=nl')
    expect(server.calls).not.toContain('PUT /user/settings')
  })

  test('are saved to the account of a signed-in user first', async () => {
    const { user, token } = server.addUser()
    const saved: unknown[] = []
    server.answer(updateSettings, ({ body }) => {
      saved.push([body, document.cookie])
      return user
    })
    const { person } = await visit(server, { at: '/nowhere', token })
    await person.click(link('Deutsch'))
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
    expect(saved).toEqual([[{ language: 'de' }, '']])
  })

  test('stay as they are, with a message, when the account cannot be changed', async () => {
    const { token } = server.addUser()
    server.answer(updateSettings, () => refuse(503, 'The service is busy right now. Please try again.', 'unavailable'))
    const { person } = await visit(server, { at: '/nowhere', token })
    await person.click(link('Deutsch'))
    expect(await screen.findByText('We couldn’t save the language. Please try again.')).toBeVisible()
    expect([document.cookie, reload.mock.calls.length]).toEqual(['', 0])
  })
})

describe('the language of the account', () => {
  test('is shown after signing in on a device where none was chosen', async () => {
    const { token } = server.addUser({ language: 'fr' })
    await visit(server, { at: '/nowhere', token })
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
    expect(document.cookie).toContain('language=fr')
  })

  test('is not shown where another one was chosen', async () => {
    document.cookie = 'language=en'
    const { token } = server.addUser({ language: 'fr' })
    await visit(server, { at: '/nowhere', token })
    expect(await screen.findByRole('button', { name: 'Account menu' })).toBeVisible()
    expect(reload).not.toHaveBeenCalled()
  })
})
