import { currentUser, signOut } from '@keepsnap/contract/accounts.ts'
import { openBillingPortal, subscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import { ready } from '@keepsnap/contract/site.ts'
import { latestPhoto, listPhotos } from '@keepsnap/contract/photos.ts'
import { decideReport, listReports, undoDecision } from '@keepsnap/contract/guests.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { reloadWhenChunksAreMissing } from '../../lib/reload.ts'
import { useCurrentUser } from '../../lib/app-services.tsx'
import { type PageRoute, paths } from '../../lib/paths.ts'
import { routes } from '../../routes.tsx'
import { eventually } from '../../test/eventually.ts'
import { noResponse, refuse, useFakeServer } from '../../test/fake-server.ts'
import { rendered, serveSettings, visit } from '../../test/render.tsx'
import { samplePhoto, samplePlanStatus, sampleReport, subscribed } from '../../test/samples.ts'
import { PageHeading } from '../../ui/PageHeading.tsx'

const server = useFakeServer()

function page(path: string, heading: string, access: PageRoute['access'] = 'signed-in'): PageRoute {
  return { path, Page: () => <PageHeading>{heading}</PageHeading>, access, layout: { className: 'plain' } }
}
const photoPages = [
  page(paths.latest, 'The latest'),
  page(paths.gallery, 'All photos', 'anyone'),
  page(paths.upload, 'Add'),
]
const openPage = (at: string, token?: string) =>
  visit(server, { withFrame: true, at, routes: photoPages, ...(token && { token }) })
const mainNav = () => screen.getByRole('navigation', { name: 'Main' })
const linksIn = (part: HTMLElement) =>
  within(part)
    .queryAllByRole('link')
    .map((link) => link.textContent)

describe('a page for signed-in users', () => {
  test('waits for the user, then shows', async () => {
    const { user, token } = server.addUser()
    let answer: (() => void) | undefined
    server.answer(currentUser, () => new Promise((resolve) => (answer = () => resolve(user))))
    await openPage('/latest', token)
    expect(screen.getByText('Loading...')).toBeVisible()
    await waitFor(() => expect(answer).toBeDefined())
    act(() => answer?.())
    expect(await screen.findByRole('heading', { name: 'The latest' })).toBeVisible()
  })

  test('is every page about the account', () => {
    const signedIn = routes.filter(({ access }) => access === 'signed-in').map(({ path }) => path)
    // /gallery and /profile, which robots may ask for, have an answer of their own.
    const { latest, upload, print, photoRequests, insights, events, event, eventReview, settings } = paths
    const { subscriptionSuccess, subscriptionCancel } = paths
    const ofAccount = [latest, upload, print, photoRequests, insights, events, event, eventReview, settings]
    expect(signedIn).toEqual([...ofAccount, subscriptionSuccess, subscriptionCancel])
  })

  test('redirects a visitor to the sign-in page, with the path to return to', async () => {
    const { where } = await openPage('/upload?from=mail')
    expect(await screen.findByLabelText('Email')).toBeVisible()
    await waitFor(() => expect(where()).toBe('/login?return=%2Fupload%3Ffrom%3Dmail'))
    // Only what the footer needs.
    expect(server.calls).toEqual(['GET /site'])
  })

  test('redirects to the sign-in page when the token is refused', async () => {
    const { where, state } = await openPage('/latest', 'dead')
    await waitFor(() => expect(where()).toBe('/login?return=%2Flatest'))
    expect(state.session.state()).toMatchObject({ token: null })
  })

  test('shows by itself once the server answers again; until then keeps the session and says that it does not', async () => {
    const { user, token } = server.addUser()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    server.answer(currentUser, () => noResponse)
    await openPage('/latest', token)
    expect(await screen.findByRole('alert')).toHaveTextContent(
      /We can’t reach the server.*this page tries again by itself/,
    )
    expect(window.localStorage.getItem('token')).toBe(token)
    let answer: (() => void) | undefined
    server.answer(currentUser, () => new Promise((resolve) => (answer = () => resolve(user))))
    act(() => void vi.advanceTimersByTime(5_000))
    await waitFor(() => expect(answer).toBeDefined())
    expect(screen.getByRole('button', { name: 'Try Again' })).toBeVisible()
    act(() => answer?.())
    expect(await screen.findByRole('heading', { name: 'The latest' })).toBeVisible()
  })

  test('shows nothing of the previous user after another tab has changed users or signed out', async () => {
    const annelies = server.addUser({ email: 'a@example.com', username: 'annelies' })
    const bram = server.addUser({ email: 'b@example.com', username: 'bram' })
    const part = () => <h1>{useCurrentUser().user?.username}</h1>
    const { where } = await visit(server, { withFrame: true, at: '/latest', token: annelies.token, part })
    await screen.findByRole('heading', { level: 1, name: 'annelies' })
    window.localStorage.setItem('token', bram.token)
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'token' })))
    expect(await screen.findByRole('heading', { level: 1, name: 'bram' })).toBeVisible()
    expect(screen.queryByText(/annelies/)).toBeNull()
    window.localStorage.removeItem('token')
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'token' })))
    await waitFor(() => expect(where()).toBe('/login?return=%2Flatest'))
  })
})

describe('signing out', () => {
  const signOutButton = () => screen.getByRole('button', { name: 'Sign out' })

  test.each([
    ['/latest', 'answers'],
    ['/', 'does not answer'],
  ])('from %s, while the server %s, ends the session, and forgets the old path', async (at, answers) => {
    const { token } = server.addUser({ username: 'lotte' })
    if (answers === 'does not answer') server.answer(signOut, () => noResponse)
    const { person, where } = await openPage(at, token)
    await person.click(await screen.findByRole('button', { name: 'Account menu' }))
    await person.click(signOutButton())
    expect(await screen.findByRole('heading', { level: 1, name: 'Welcome back' })).toBeVisible()
    await waitFor(() => expect(where()).toBe('/login'))
    expect(server.calls).toContain('POST /logout')
    expect(window.localStorage.getItem('token')).toBeNull()
    // The sign-in page returns to the page opened next.
    await person.click(screen.getByRole('button', { name: 'Menu' }))
    await person.click(screen.getByRole('link', { name: 'Latest' }))
    await waitFor(() => expect(where()).toBe('/login?return=%2Flatest'))
  })

  test('is not shown as an expired session when another call is refused before the response arrives', async () => {
    const { token } = server.addUser()
    const revoked = Promise.withResolvers<void>()
    const response = Promise.withResolvers<null>()
    server.answer(signOut, () => {
      server.revoke(token)
      revoked.resolve()
      return response.promise
    })
    const { person, where, state } = await openPage('/latest', token)
    await person.click(await screen.findByRole('button', { name: 'Account menu' }))
    // The sign-out is given up after three seconds. These pass in steps, and a busy machine takes fewer of them.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    await person.click(signOutButton())
    await revoked.promise
    await act(() => state.queryClient.invalidateQueries())
    await rendered()
    expect([state.session.state().token, where()]).toEqual([token, '/latest'])
    response.resolve(null)
    await waitFor(() => expect(where()).toBe('/login'))
    expect(window.localStorage.getItem('token')).toBeNull()
  })
})

describe('the navigation', () => {
  test('links a signed-in user to the pages that exist', async () => {
    const { token } = server.addUser({ username: 'élise' })
    const { person } = await openPage('/latest', token)
    await screen.findByRole('heading', { name: 'The latest' })
    expect(linksIn(mainNav())).toEqual(['Latest', 'Gallery', 'Upload', 'Settings', 'Pricing'])
    expect(within(mainNav()).getByRole('link', { name: 'Latest' })).toHaveAttribute('aria-current', 'page')
    expect(screen.getByText('É')).toBeInTheDocument()
    await person.click(within(mainNav()).getByRole('link', { name: 'Gallery' }))
    await waitFor(async () => expect(await screen.findByRole('heading', { name: 'All photos' })).toHaveFocus())
  })

  test('has profile, settings and requests in the account menu, and settings in the tab bar of phones', async () => {
    const { token } = server.addUser({ username: '' })
    const { person, where } = await openPage('/latest', token)
    await screen.findByRole('heading', { name: 'The latest' })
    const phone = screen.getByRole('navigation', { name: 'Main, phone' })
    expect(linksIn(phone)).toEqual(['Latest', 'Gallery', 'Upload', 'Settings', 'Pricing'])
    const button = screen.getByRole('button', { name: 'Account menu' })
    expect(button).toHaveTextContent('U')
    await person.click(button)
    const list = document.getElementById(button.getAttribute('aria-controls') ?? '')!
    expect(linksIn(list)).toEqual([
      'Your Profile',
      'Settings',
      'Events',
      'Photo Requests',
      'Insights',
      'Table Card and Poster',
    ])
    await person.click(within(list).getByRole('link', { name: 'Your Profile' }))
    await waitFor(async () =>
      expect(await screen.findByRole('heading', { level: 1, name: 'Your Profile' })).toHaveFocus(),
    )
    await waitFor(() => expect(where()).toBe('/profile'))
  })

  test('offers a visitor to sign in, and more in the menu of phones, and has no broken link', async () => {
    const { person } = await openPage('/')
    await screen.findByRole('heading', { level: 1 })
    const knownPaths = routes.map(({ path }) => path)
    const links = Array.from(document.querySelectorAll('a'), (link) => new URL(link.href))
    expect(links.length).toBeGreaterThan(5)
    const isWorking = ({ pathname, hash }: URL) =>
      knownPaths.includes(pathname) && (!hash || document.querySelector(hash) !== null)
    expect(links.filter((link) => !isWorking(link))).toEqual([])
    expect(screen.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/login')
    const button = screen.getByRole('button', { name: 'Menu' })
    await person.click(button)
    const list = document.getElementById(button.getAttribute('aria-controls') ?? '')!
    expect(linksIn(list)).toEqual(['Pricing', 'Sign In', 'Register', 'Latest'])
  })

  test('shows the connection to admins only', async () => {
    const admin = server.addUser({ email: 'admin@example.com', is_admin: true })
    const guest = server.addUser({ email: 'guest@example.com' })
    const indicator = <p>WS: Connected</p>
    const { state } = await visit(server, {
      withFrame: true,
      at: '/gallery',
      token: admin.token,
      indicator,
      routes: photoPages,
    })
    expect(await screen.findByText('WS: Connected')).toBeVisible()
    act(() => state.session.end('signed-out'))
    expect(screen.queryByText('WS: Connected')).toBeNull()
    act(() => state.session.begin(guest.token))
    await screen.findByRole('button', { name: 'Account menu' })
    expect(screen.queryByText('WS: Connected')).toBeNull()
  })
})

describe('the frame', () => {
  test('has a link that skips the navigation, a title of the tab, and a theme switch', async () => {
    const { person } = await visit(server, { withFrame: true, at: '/login' })
    expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveAttribute('href', '#main')
    expect(screen.getByRole('main')).toHaveAttribute('id', 'main')
    await waitFor(() => expect(document.title).toBe('Sign In · Keepsnap'))
    await person.click(screen.getByRole('radio', { name: 'Dark' }))
    expect(document.documentElement.dataset['theme']).toBe('dark')
    expect(screen.getByRole('radio', { name: 'Dark' })).toBeChecked()
    await person.click(screen.getByRole('link', { name: 'Register' }))
    await waitFor(() => expect(document.title).toBe('Register · Keepsnap'))
  })

  test('redirects /photos to /latest', async () => {
    const { where } = await openPage('/photos', server.addUser().token)
    await waitFor(() => expect(where()).toBe('/latest'))
  })

  test('survives a page that throws, and shows the next page', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const part = () => {
      throw new Error('a bug')
    }
    const { person } = await visit(server, { withFrame: true, at: '/gallery', part })
    expect(await screen.findByRole('alert')).toHaveTextContent('Something went wrong')
    expect(screen.getByRole('button', { name: 'Reload the page' })).toBeVisible()
    await person.click(screen.getByRole('link', { name: 'Sign In' }))
    expect(await screen.findByLabelText('Email')).toBeVisible()
  })

  test.each([
    ['an exception on a big screen', '/demo-screen', new Error('a bug'), /^Something went wrong.*It reloads by itself/],
    ['a chunk that cannot be loaded', '/gallery', new Error('no chunk'), /^We can’t reach the server.*tries again/],
  ])('says that it reloads itself after %s', async (_, at, error, sentence) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    if (at === '/gallery') {
      reloadWhenChunksAreMissing(window, { call: () => new Promise(() => {}) } as never) // it waits for the server
      window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: error }))
    }
    const Page = () => {
      throw error
    }
    const route: PageRoute = {
      path: at,
      Page,
      access: 'anyone',
      layout: { className: 'x', bigScreen: at !== '/gallery' },
    }
    await visit(server, { withFrame: true, at, routes: [route] })
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence)
  })
})

describe('the notice that guests get no emails', () => {
  const off = /^Email isn’t set up, so guests can’t request photos/
  const waiting = /^Emails to guests wait: the outbox folder or its disk is full/
  const serve = (mail: 'off' | 'waiting' | 'on') =>
    server.answer(ready, () => ({ status: 'ready' as const, mail, timestamp: '2026-11-21T09:00:00.000Z' }))

  test('is shown to admins while it is true', async () => {
    serve('off')
    const { token } = server.addUser({ is_admin: true })
    const { state } = await openPage('/gallery', token)
    expect(await screen.findByText(off)).toBeVisible()
    serve('waiting')
    await act(() => state.queryClient.invalidateQueries({ queryKey: ['ready'] }))
    expect(await screen.findByText(waiting)).toBeVisible()
    expect(screen.queryByText(off)).toBeNull()
    serve('on')
    await act(() => state.queryClient.invalidateQueries({ queryKey: ['ready'] }))
    await waitFor(() => expect(screen.queryByText(waiting)).toBeNull())
    expect(screen.queryByText(off)).toBeNull()
  })

  test('is not for other users', async () => {
    serve('off')
    await openPage('/gallery', server.addUser().token)
    await screen.findByRole('button', { name: 'Account menu' })
    await waitFor(() => expect(server.calls).toContain('GET /subscriptions/status'))
    expect(screen.queryByText(off)).toBeNull()
    expect(server.calls).not.toContain('GET /ready')
  })
})

describe('while a payment is missing', () => {
  const grace = { status: 'past_due', grace_until: '2026-12-29T12:00:00.000Z' } as const
  const sentence = /^Your last payment failed. Your plan continues until December 29, 2026/
  async function open(at: string, payments: 'stripe' | 'demo' = 'stripe', routes: readonly PageRoute[] = photoPages) {
    server.answer(subscriptionStatus, () => ({ ...subscribed('pro_monthly', grace), payments }))
    return visit(server, { withFrame: true, at, token: server.addUser().token, routes })
  }

  test('each page says so and leads to the card, or says that its page cannot be opened', async () => {
    server.answer(openBillingPortal, () => noResponse)
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
    const { person } = await open('/upload')
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence)
    await person.click(screen.getByRole('button', { name: 'Update card' }))
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('The billing page couldn’t be opened.'))
    server.answer(openBillingPortal, () => ({ url: 'https://pay.example/portal' }))
    await person.click(screen.getByRole('button', { name: 'Update card' }))
    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.example/portal'))
  })

  test('with demo payments each page leads to Settings, which say it once, in their own section', async () => {
    serveSettings(server)
    const { person } = await open('/upload', 'demo')
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence)
    expect(screen.queryByRole('button', { name: 'Update card' })).toBeNull()
    const link = screen.getByRole('link', { name: 'Open Settings' })
    expect(link).toHaveAttribute('href', '/settings#plan')
    await person.click(link)
    const plan = within(await screen.findByRole('region', { name: 'Subscription' }))
    expect(await plan.findByRole('alert')).toHaveTextContent(sentence)
    expect(screen.getAllByRole('alert')).toHaveLength(1)
  })

  test('the big screen has it with its controls', async () => {
    server.answer(latestPhoto, () => samplePhoto(1))
    server.answer(listPhotos, () => [samplePhoto(1)])
    await open('/latest', 'stripe', [])
    const name = 'Payment overdue: your plan ends on December 29, 2026'
    expect(await screen.findByRole('link', { name })).toHaveAttribute('href', '/settings#plan')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('the page is shown with its notices, and without them when they take more than a second to load', async () => {
    let answerNow = (): void => {}
    const answered = new Promise<void>((resolve) => (answerNow = resolve))
    server.answer(subscriptionStatus, async () => {
      await answered
      return subscribed('pro_monthly', grace)
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await openPage('/upload', server.addUser().token)
    const pending = () => document.querySelector('.frame > :not([data-wait-over]) > [data-notices-pending]')
    await act(() => vi.advanceTimersByTimeAsync(999))
    expect(pending()).not.toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(1))
    expect(pending()).toBeNull()
    await eventually(() => expect(server.calls).toContain('GET /subscriptions/status'))
    expect(pending()).toBeNull()
    expect(screen.queryByRole('alert')).toBeNull()
    answerNow()
    await eventually(() => expect(screen.getByRole('alert')).toHaveTextContent(sentence))
  })
})

describe('after a larger plan has ended', () => {
  const removal = { photos: 12, bytes: 3 * 1024 ** 3, at: '2026-12-29T12:00:00.000Z' }
  const removed_photos = { photos: 1, bytes: 5 * 1024 ** 2, until: '2027-01-05T12:00:00.000Z' }

  test('the pages about photos tell what will be removed and what was, and lead to Settings; others do not', async () => {
    server.answer(subscriptionStatus, () => ({ ...samplePlanStatus(1), removal, removed_photos }))
    const { person } = await openPage('/upload', server.addUser().token)
    const sentence = '12 photos will be removed on December 29, 2026.'
    expect(await screen.findByText(sentence)).toBeVisible()
    expect(screen.getByText('1 photo was removed.')).toBeVisible()
    expect(screen.getByRole('link', { name: 'What you can do' })).toHaveAttribute('href', '/settings#plan')
    await person.click(within(mainNav()).getByRole('link', { name: 'Gallery' }))
    await screen.findByRole('heading', { name: 'All photos' })
    expect(screen.getByText(sentence)).toBeVisible()
    await person.click(within(mainNav()).getByRole('link', { name: 'Pricing' }))
    await waitFor(() => expect(screen.queryByText(sentence)).toBeNull())
  })
})

describe('a photo that a guest reported', () => {
  const hide = ({ params: { id } }: { params: { id: string } }) =>
    sampleReport(Number(id.slice(-1)), { open: false, hidden: true })
  const notice = () => screen.findByRole('region', { name: 'Reported photos' })
  const noNotice = () => expect(screen.queryByRole('region', { name: 'Reported photos' })).toBeNull()
  const later = { reports: [{ reason: 'child' as const, note: null, reported_at: '2026-11-15T09:00:00.000Z' }] }

  test('is on every page until it is hidden with one press, or until later', async () => {
    let reports = [sampleReport(2), sampleReport(1)]
    server.answer(listReports, () => ({ reports }))
    server.answer(decideReport, hide)
    const { person } = await openPage('/upload', server.addUser().token)
    const card = await notice()
    expect(card).toHaveTextContent('A guest reported this photoI’m in it and don’t want it shown and 1 more photo')
    await person.click(within(card).getByRole('button', { name: 'Hide from guests' }))
    expect(await screen.findByText('Hidden. Guests can no longer open it.')).toBeVisible()
    expect(server.calls).toContain('POST /photos/photo2/decision')
    expect(screen.getByRole('region', { name: 'Reported photos' })).not.toHaveTextContent('more photo')
    await person.click(screen.getByRole('button', { name: 'Later' }))
    noNotice()
    reports = [sampleReport(1, later)]
    act(() => server.push({ action: 'photo_reported', photo_id: 'photo1' }))
    expect(await screen.findByText('It shows a child')).toBeVisible()
    // Hidden from elsewhere.
    reports = [sampleReport(1, { ...later, hidden: true })]
    act(() => server.push({ action: 'photo_update', photo: samplePhoto(1, { hidden: true }) }))
    await waitFor(noNotice)
  })

  test('is as before when hiding it is undone, from the toast', async () => {
    const decided_at = '2026-11-15T10:00:00.000Z'
    const undone: unknown[] = []
    server.answer(listReports, () => ({ reports: [sampleReport(1)] }))
    server.answer(decideReport, () => sampleReport(1, { open: false, hidden: true, decision: 'hide', decided_at }))
    server.answer(undoDecision, ({ params, query }) => {
      undone.push([params.id, query.decided_at])
      return undone.length === 2 ? refuse(503, 'no') : sampleReport(1)
    })
    const { person } = await openPage('/upload', server.addUser().token)
    const hide = async () => {
      await person.click(await screen.findByRole('button', { name: 'Hide from guests' }))
      await person.click(await screen.findByRole('button', { name: 'Undo' }))
    }
    await hide()
    expect(await screen.findByText('Guests can open it again. It still needs your review.')).toBeVisible()
    expect(await notice()).toBeVisible()
    await hide()
    expect(await screen.findByText('This couldn’t be undone. Please try again.')).toBeVisible()
    expect(undone).toEqual([
      ['photo1', decided_at],
      ['photo1', decided_at],
    ])
  })

  test('hidden right after another one, each can be undone', async () => {
    const undone: string[] = []
    server.answer(listReports, () => ({ reports: [sampleReport(2), sampleReport(1)] }))
    server.answer(decideReport, hide)
    server.answer(undoDecision, ({ params: { id } }) => {
      undone.push(id)
      return id === 'photo2'
        ? sampleReport(2, { open: false, hidden: true })
        : sampleReport(1, { open: false, hidden: false })
    })
    const { person } = await openPage('/upload', server.addUser().token)
    const press = async (name: string) => person.click((await screen.findAllByRole('button', { name }))[0]!)
    const start = Date.now()
    const now = vi.spyOn(Date, 'now').mockReturnValue(start)
    await press('Hide from guests')
    await screen.findByRole('button', { name: 'Undo' })
    now.mockReturnValue(start + 1_000)
    await press('Hide from guests')
    await waitFor(() => expect(screen.getAllByRole('button', { name: 'Undo' })).toHaveLength(2))
    // What is true by then: the first photo was hidden again elsewhere, the reports of the other one are closed.
    await press('Undo')
    expect(await screen.findByText('It stays hidden from guests.')).toBeVisible()
    await press('Undo')
    expect(await screen.findByText('Guests can open it. Its reports are closed.')).toBeVisible()
    expect(undone).toEqual(['photo2', 'photo1'])
  })

  test('does not hide the next one by a double click', async () => {
    const decided: string[] = []
    let fetches = 0
    server.answer(listReports, () => {
      fetches += 1
      return { reports: fetches === 1 ? [sampleReport(2), sampleReport(1)] : [sampleReport(1)] }
    })
    server.answer(decideReport, ({ params: { id } }) => {
      decided.push(id)
      return sampleReport(Number(id.slice(-1)), { open: false, hidden: true })
    })
    const { person } = await openPage('/upload', server.addUser().token)
    const hide = await screen.findByRole('button', { name: 'Hide from guests' })
    const start = Date.now()
    const now = vi.spyOn(Date, 'now').mockReturnValue(start)
    await person.click(hide)
    await screen.findByRole('button', { name: 'Undo' })
    await person.click(hide)
    // A later request is answered: that click sent none.
    await waitFor(() => {
      act(() => server.push({ action: 'photo_reported', photo_id: 'photo1' }))
      expect(fetches).toBeGreaterThan(1)
    })
    expect(decided).toEqual(['photo2'])
    now.mockReturnValue(start + 1_000)
    await person.click(hide)
    await waitFor(() => expect(decided).toEqual(['photo2', 'photo1']))
  })

  test('is shown to the next user of the tab, whatever the one before put off', async () => {
    server.answer(listReports, () => ({ reports: [sampleReport(1)] }))
    const first = server.addUser()
    const second = server.addUser({ email: 'b@example.com', username: 'bram' })
    const { person, state } = await openPage('/gallery', first.token)
    await person.click(await screen.findByRole('button', { name: 'Later' }))
    noNotice()
    act(() => state.session.end('signed-out'))
    act(() => state.session.begin(second.token))
    expect(await notice()).toBeVisible()
  })

  test('waits after "Later" on every page until a newer report, and the focus returns to the page', async () => {
    let reports = [sampleReport(1)]
    server.answer(listReports, () => ({ reports }))
    const { person } = await visit(server, {
      at: '/upload',
      token: server.addUser().token,
      routes: [...photoPages, page(paths.photoRequests, 'Requests')],
    })
    await person.click(await screen.findByRole('button', { name: 'Later' }))
    noNotice()
    expect(screen.getByRole('main')).toHaveFocus()
    // On Photo Requests there is no card: it is mounted again afterwards.
    await person.click(screen.getByRole('button', { name: /^Account menu/ }))
    await person.click(screen.getByRole('link', { name: /^Photo Requests/ }))
    await screen.findByRole('heading', { name: 'Requests' })
    await person.click(within(mainNav()).getByRole('link', { name: 'Gallery' }))
    await screen.findByRole('heading', { name: 'All photos' })
    noNotice()
    reports = [sampleReport(1, later)]
    act(() => server.push({ action: 'photo_reported', photo_id: 'photo1' }))
    const dismiss = await screen.findByRole('button', { name: 'Later' })
    // From the keyboard: back to where it came from.
    const from = within(mainNav()).getByRole('link', { name: 'Gallery' })
    act(() => from.focus())
    act(() => dismiss.focus())
    await person.keyboard('{Enter}')
    expect(from).toHaveFocus()
  })

  test('is on the demonstration of the big screen, too', async () => {
    server.answer(listReports, () => ({ reports: [sampleReport(1)] }))
    await visit(server, { withFrame: true, at: '/demo-screen', token: server.addUser().token })
    expect(await notice()).toBeVisible()
  })

  test('is beside the controls of the big screen, where one press hides it', async () => {
    server.answer(listReports, () => ({ reports: [sampleReport(1)] }))
    server.answer(latestPhoto, () => samplePhoto(2))
    server.answer(listPhotos, () => [samplePhoto(2), samplePhoto(1)])
    server.answer(decideReport, () => sampleReport(1, { open: false, hidden: true }))
    const { person } = await visit(server, { withFrame: true, at: '/latest', token: server.addUser().token })
    const sign = await notice()
    expect(sign).toHaveTextContent('1 photo reported')
    await person.click(within(sign).getByRole('button', { name: 'Hide from guests' }))
    await waitFor(noNotice)
    expect(server.calls).toContain('POST /photos/photo1/decision')
  })
})
