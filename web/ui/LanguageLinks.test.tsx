import { updateSettings } from '@keepsnap/contract/accounts.ts'
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
  test('have their own names, each in its language, and lead there without JavaScript, with what else the URL says', async () => {
    await visit(server, { withFrame: true, at: '/terms?version=2026-11-23&lang=en' })
    const links = within(footer()).getAllByRole('link')
    expect(links.map((one) => [one.textContent, one.lang, one.getAttribute('href')])).toEqual([
      ['Nederlands', 'nl', '?version=2026-11-23&lang=nl'],
      ['Français', 'fr', '?version=2026-11-23&lang=fr'],
      ['Deutsch', 'de', '?version=2026-11-23&lang=de'],
    ])
    expect(within(footer()).getByText('English')).toHaveAttribute('aria-current', 'true')
  })

  test('are stored in a cookie, and load the page again', async () => {
    const { person } = await visit(server, { withFrame: true, at: '/nowhere' })
    await person.click(link('Nederlands'))
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
    expect(document.cookie).toContain('language=nl')
    expect(server.calls).not.toContain('PUT /user/settings')
  })

  test('are saved to the account of a signed-in user first, or stay as they are, with a message', async () => {
    const { user, token } = server.addUser()
    server.answer(updateSettings, () => refuse(503, 'The service is busy right now. Please try again.', 'unavailable'))
    const { person } = await visit(server, { withFrame: true, at: '/nowhere', token })
    await person.click(link('Deutsch'))
    expect(await screen.findByText('We couldn’t save the language. Please try again.')).toBeVisible()
    expect([document.cookie, reload.mock.calls.length]).toEqual(['', 0])
    const saved: unknown[] = []
    server.answer(updateSettings, ({ body }) => {
      saved.push([body, document.cookie])
      return user
    })
    await person.click(link('Deutsch'))
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
    expect(saved).toEqual([[{ language: 'de' }, '']])
  })
})

test('the language of the account is shown after signing in on a device where none was chosen', async () => {
  await visit(server, { withFrame: true, at: '/nowhere', token: server.addUser({ language: 'fr' }).token })
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
  expect(document.cookie).toContain('language=fr')
})
