import { currentUser, signOut } from '@keepsnap/contract/accounts.ts'
import { ready } from '@keepsnap/contract/health.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { paths } from '../lib/paths.ts'
import type { Screen } from '../lib/screens.ts'
import { screens } from '../routes.tsx'
import { hangUp, refuse, startFakeServer, type FakeServer } from '../test/fakeServer.ts'
import { visit } from '../test/render.tsx'
import { PageHeading } from '../ui/PageHeading.tsx'

let server: FakeServer
beforeEach(async () => {
  server = await startFakeServer()
})
afterEach(() => server.close())

function page(path: string, heading: string, access: Screen['access'] = 'signed-in'): Screen {
  return { path, Page: () => <PageHeading>{heading}</PageHeading>, access, look: { className: 'plain' } }
}
const photoPages = [
  page(paths.latest, 'The latest'),
  page(paths.gallery, 'The wall', 'anyone'),
  page(paths.upload, 'Add'),
]
const main = () => screen.getByRole('navigation', { name: 'Main' })
const linksIn = (part: HTMLElement) =>
  within(part)
    .queryAllByRole('link')
    .map((link) => link.textContent)

describe('a page that needs a person', () => {
  test('waits until it is known who looks, then shows', async () => {
    const { user, token } = server.addUser()
    let answer: (() => void) | undefined
    server.answer(currentUser, () => new Promise((resolve) => (answer = () => resolve(user))))
    await visit(server, { at: '/latest', token, screens: photoPages })
    expect(screen.getByText('Loading...')).toBeVisible()
    await waitFor(() => expect(answer).toBeDefined())
    act(() => answer?.())
    expect(await screen.findByRole('heading', { name: 'The latest' })).toBeVisible()
  })

  test('sends a stranger to sign in, with the way back', async () => {
    const { where } = await visit(server, { at: '/upload?from=mail', screens: photoPages })
    expect(await screen.findByLabelText('Email')).toBeVisible()
    await waitFor(() => expect(where()).toBe('/login?return=%2Fupload%3Ffrom%3Dmail'))
    expect(server.calls).toEqual([])
  })

  test('sends a person to sign in whose token is dead', async () => {
    const { where } = await visit(server, { at: '/latest', token: 'dead', screens: photoPages })
    await waitFor(() => expect(where()).toBe('/login?return=%2Flatest'))
    expect(window.localStorage.getItem('token')).toBeNull()
  })

  test('does not sign anybody out because the network is down, and tries again when asked', async () => {
    const { token } = server.addUser()
    server.answer(currentUser, () => hangUp)
    const { person } = await visit(server, { at: '/latest', token, screens: photoPages })
    expect(await screen.findByRole('alert')).toHaveTextContent('We can’t reach the server')
    expect(window.localStorage.getItem('token')).toBe(token)
    server.answer(currentUser, ({ user }) => user ?? refuse(401, 'no'))
    await person.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByRole('heading', { name: 'The latest' })).toBeVisible()
  })

  test('closes at once when another tab signs out', async () => {
    const { token } = server.addUser()
    const { where } = await visit(server, { at: '/latest', token, screens: photoPages })
    await screen.findByRole('heading', { name: 'The latest' })
    window.localStorage.removeItem('token')
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'token' })))
    await waitFor(() => expect(where()).toBe('/login?return=%2Flatest'))
  })

  test('shows the next person nothing of the one before', async () => {
    const annelies = server.addUser({ email: 'a@example.com', username: 'annelies' })
    const bram = server.addUser({ email: 'b@example.com', username: 'bram' })
    await visit(server, { at: '/', token: annelies.token, screens: photoPages })
    await screen.findByRole('heading', { level: 1, name: /annelies/ })
    window.localStorage.setItem('token', bram.token)
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'token' })))
    expect(await screen.findByRole('heading', { level: 1, name: /bram/ })).toBeVisible()
    expect(screen.queryByText(/annelies/)).toBeNull()
  })
})

describe('signing out', () => {
  test.each(['/latest', '/'])('from %s ends the session on the server and leads to /login', async (at) => {
    const { token } = server.addUser({ username: 'lotte' })
    const { person, where } = await visit(server, { at, token, screens: photoPages })
    await person.click(await screen.findByRole('button', { name: 'Account menu' }))
    await person.click(screen.getByRole('button', { name: 'Sign out' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Welcome back' })).toBeVisible()
    await waitFor(() => expect(where()).toBe('/login'))
    expect(server.calls).toContain('POST /logout')
    expect(window.localStorage.getItem('token')).toBeNull()
  })

  test('works when the server does not answer', async () => {
    const { token } = server.addUser()
    server.answer(signOut, () => hangUp)
    const { person, where } = await visit(server, { at: '/latest', token, screens: photoPages })
    await person.click(await screen.findByRole('button', { name: 'Account menu' }))
    await person.click(screen.getByRole('button', { name: 'Sign out' }))
    await waitFor(() => expect(where()).toBe('/login'))
    expect(window.localStorage.getItem('token')).toBeNull()
  })

  test('remembers the next page that is asked for', async () => {
    const { token } = server.addUser()
    const { person, where } = await visit(server, { at: '/latest', token, screens: photoPages })
    await person.click(await screen.findByRole('button', { name: 'Account menu' }))
    await person.click(screen.getByRole('button', { name: 'Sign out' }))
    await screen.findByLabelText('Email')
    await person.click(screen.getByRole('button', { name: 'Menu' }))
    await person.click(screen.getByRole('link', { name: 'Latest' }))
    await waitFor(() => expect(where()).toBe('/login?return=%2Flatest'))
  })
})

describe('the navigation', () => {
  test('leads a signed-in person to the pages there are', async () => {
    const { token } = server.addUser({ username: 'élise' })
    const { person } = await visit(server, { at: '/latest', token, screens: photoPages })
    await screen.findByRole('heading', { name: 'The latest' })
    expect(linksIn(main())).toEqual(['Latest', 'Gallery', 'Upload', 'Settings'])
    expect(within(main()).getByRole('link', { name: 'Latest' })).toHaveAttribute('aria-current', 'page')
    expect(screen.getByText('É')).toBeInTheDocument()
    await person.click(within(main()).getByRole('link', { name: 'Gallery' }))
    expect(await screen.findByRole('heading', { name: 'The wall' })).toHaveFocus()
  })

  test('has profile, settings and requests in the account menu, and the settings in the bar of phones', async () => {
    const { token } = server.addUser()
    const { person, where } = await visit(server, { at: '/latest', token, screens: photoPages })
    await screen.findByRole('heading', { name: 'The latest' })
    const phone = screen.getByRole('navigation', { name: 'Main, phone' })
    expect(linksIn(phone)).toEqual(['Latest', 'Gallery', 'Upload', 'Settings'])
    const button = screen.getByRole('button', { name: 'Account menu' })
    await person.click(button)
    const list = document.getElementById(button.getAttribute('aria-controls') ?? '')!
    expect(linksIn(list)).toEqual(['Your Profile', 'Settings', 'Photo Requests', 'Insights'])
    await person.click(within(list).getByRole('link', { name: 'Your Profile' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Your Profile' })).toHaveFocus()
    await waitFor(() => expect(where()).toBe('/profile'))
  })

  test('shows U for a person without a name', async () => {
    const { token } = server.addUser({ username: '' })
    await visit(server, { at: '/latest', token, screens: photoPages })
    await screen.findByRole('heading', { name: 'The latest' })
    expect(screen.getByText('U')).toBeInTheDocument()
  })

  test('offers a stranger to sign in, and more in the menu of phones', async () => {
    const { person } = await visit(server, { at: '/', screens: photoPages })
    expect(await screen.findByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/login')
    const button = screen.getByRole('button', { name: 'Menu' })
    await person.click(button)
    const list = document.getElementById(button.getAttribute('aria-controls') ?? '')!
    expect(linksIn(list)).toEqual(['Sign In', 'Register', 'Latest'])
  })

  test('has no link that leads nowhere', async () => {
    await visit(server, { at: '/' })
    const known = screens.map(({ path }) => path)
    const links = Array.from(document.querySelectorAll('a'), (link) => new URL(link.href))
    expect(links.length).toBeGreaterThan(5)
    const leading = links.filter(
      ({ pathname, hash }) => known.includes(pathname) && (!hash || document.querySelector(hash)),
    )
    expect(leading).toEqual(links)
  })

  test('shows the connection to admins and to nobody else', async () => {
    const indicator = <p>WS: Connected</p>
    const admin = server.addUser({ email: 'admin@example.com', is_admin: true })
    const first = await visit(server, { at: '/', token: admin.token, indicator })
    expect(await screen.findByText('WS: Connected')).toBeVisible()
    act(() => first.state.session.end('left'))
    expect(screen.queryByText('WS: Connected')).toBeNull()
    const guest = server.addUser({ email: 'guest@example.com', username: 'guest' })
    act(() => first.state.session.begin(guest.token))
    await screen.findByRole('heading', { level: 1, name: /guest/ })
    expect(screen.queryByText('WS: Connected')).toBeNull()
  })
})

describe('the frame', () => {
  test('has a way past the navigation', async () => {
    await visit(server, { at: '/' })
    const skip = screen.getByRole('link', { name: 'Skip to content' })
    expect(skip).toHaveAttribute('href', '#main')
    expect(screen.getByRole('main')).toHaveAttribute('id', 'main')
  })

  test('names the page in the tab', async () => {
    const { person } = await visit(server, { at: '/login' })
    await waitFor(() => expect(document.title).toBe('Sign In · Keepsnap'))
    await person.click(screen.getByRole('link', { name: 'Register' }))
    await waitFor(() => expect(document.title).toBe('Register · Keepsnap'))
  })

  test('changes the theme', async () => {
    const { person } = await visit(server, { at: '/' })
    await person.click(await screen.findByRole('radio', { name: 'Dark' }))
    expect(document.documentElement.dataset['theme']).toBe('dark')
    expect(screen.getByRole('radio', { name: 'Dark' })).toBeChecked()
  })

  test('sends /photos to /latest', async () => {
    const { token } = server.addUser()
    const { where } = await visit(server, { at: '/photos', token, screens: photoPages })
    await waitFor(() => expect(where()).toBe('/latest'))
  })

  test('stands when a page breaks, and the next page works', async () => {
    const complaints = vi.spyOn(console, 'error').mockImplementation(() => {})
    const broken: Screen = {
      ...page(paths.gallery, '', 'anyone'),
      Page: () => {
        throw new Error('a bug')
      },
    }
    const { person } = await visit(server, { at: '/gallery', screens: [broken] })
    expect(await screen.findByRole('alert')).toHaveTextContent('That didn’t develop')
    expect(screen.getByRole('button', { name: 'Reload the page' })).toBeVisible()
    await person.click(screen.getByRole('link', { name: 'Sign In' }))
    expect(await screen.findByLabelText('Email')).toBeVisible()
    complaints.mockRestore()
  })
})

describe('an operator whose Keepsnap cannot send letters', () => {
  const sentence = /^E-mail is not set up: guests cannot ask for photos/
  test.each([
    { who: 'an admin', is_admin: true, mail: 'off', told: true },
    { who: 'an admin', is_admin: true, mail: 'on', told: false },
    { who: 'anybody else', is_admin: false, mail: 'off', told: false },
  ] as const)('$who, mail $mail: told $told', async ({ is_admin, mail, told }) => {
    const { token } = server.addUser({ is_admin })
    server.answer(ready, () => ({ status: 'ready' as const, mail, timestamp: '2026-11-21T09:00:00.000Z' }))
    await visit(server, { at: '/gallery', token, screens: photoPages })
    await screen.findByRole('heading', { name: 'The wall' })
    await screen.findByRole('button', { name: 'Account menu' })
    await waitFor(() => expect(server.calls.includes('GET /ready')).toBe(is_admin))
    await waitFor(() => expect(screen.queryAllByText(sentence)).toHaveLength(told ? 1 : 0))
  })
})
