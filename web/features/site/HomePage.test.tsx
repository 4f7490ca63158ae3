import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { siteInfo } from '@keepsnap/contract/site.ts'
import { currentUser } from '@keepsnap/contract/accounts.ts'
import { refuse, useFakeServer } from '../../test/fake-server.ts'
import { visit } from '../../test/render.tsx'
import { sampleSiteInfo } from '../../test/samples.ts'
import { eventually } from '../../test/eventually.ts'

describe('AboutPage', () => {
  const server = useFakeServer()

  const at = '/about'

  test('says what it is for, how it works and who runs it, with the roles of the settings', async () => {
    server.answer(siteInfo, () => ({ ...sampleSiteInfo, team: [{ role: 'Support', name: 'Ann Peeters' }] }))
    await visit(server, { at })
    const headings = (await screen.findAllByRole('heading', { level: 2 })).map(({ textContent }) => textContent)
    expect(headings).toEqual(['Our mission', 'How it works', 'The team', 'Bring it to your next event'])
    expect(await screen.findByText('Fotolicht BV')).toBeVisible()
    expect(screen.getByText('Kouter 1, 9000 Gent, Belgium')).toBeVisible()
    expect(screen.getByRole('link', { name: /fotolicht/ })).toHaveAttribute('href', 'mailto:info@fotolicht.example')
    expect(screen.getByText('Ann Peeters').closest('div')).toHaveTextContent('SupportAnn Peeters')
    expect(screen.queryByText(/sample values/)).toBeNull()
    expect(screen.getByRole('img', { name: 'QR code of this sample picture' })).toHaveAttribute(
      'src',
      `${server.origin}/qr/s/table.svg`,
    )
  })

  test('names nobody who is not in the settings, says when these are samples, and can load them again', async () => {
    server.answer(siteInfo, () => refuse(503, 'x', 'unavailable'))
    const { person } = await visit(server, { at })
    expect(await screen.findByText('We couldn’t load who runs this site.')).toBeVisible()
    server.answer(siteInfo, () => ({ ...sampleSiteInfo, operator: { ...sampleSiteInfo.operator, is_sample: true } }))
    await person.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByText(/These are sample values/)).toBeVisible()
    expect(screen.getAllByRole('term')).toHaveLength(1)
  })

  test('leads visitors to registration and users to the upload page, and both to support', async () => {
    const visitor = await visit(server, { at })
    expect(await screen.findByRole('link', { name: 'Get Started' })).toHaveAttribute('href', '/register')
    await visitor.person.click(screen.getByRole('link', { name: 'Talk to us' }))
    await waitFor(() => expect(visitor.where()).toBe('/support'))
  })
})

describe('NotFoundPage', () => {
  const server = useFakeServer()

  test.each([
    ['link', 'Go Home', '/'],
    ['link', 'Contact support', '/support'],
    ['button', 'Go Back', '/login'],
  ])('a path without a page has the %s %s, to %s', async (role, name, path) => {
    window.history.pushState(null, '', '/')
    const { person, where } = await visit(server, { at: ['/login', '/latest/of/all'] })
    expect(await screen.findByRole('heading', { name: 'This page isn’t in the album' })).toBeVisible()
    await waitFor(() => expect(document.title).toBe('Page not found · Keepsnap'))
    await person.click(screen.getByRole(role, { name }))
    await waitFor(() => expect(where()).toBe(path))
  })

  test('Go Back goes home where there is no page before it', async () => {
    vi.spyOn(window.history, 'length', 'get').mockReturnValue(1)
    const { person, where } = await visit(server, { at: '/GALLERY' })
    await person.click(await screen.findByRole('button', { name: 'Go Back' }))
    await waitFor(() => expect(where()).toBe('/'))
  })
})

describe('HomePage', () => {
  const server = useFakeServer()

  const heading = (name: RegExp | string) => screen.findByRole('heading', { level: 1, name })
  /** They are loaded after the page. */
  const findPlans = () => screen.findByRole('region', { name: 'Start free. Upgrade when your calendar fills up.' })

  describe('the home page for visitors', () => {
    test('says what the product is, shows a print with its code, and links to registration', async () => {
      await visit(server, { at: '/' })
      expect(await heading(/A photo on the screen, one scan/)).toBeVisible()
      const [first] = screen.getAllByRole('link', { name: 'Get Started' })
      expect(first).toHaveAttribute('href', '/register')
      expect(screen.getByRole('link', { name: 'See the big screen' })).toHaveAttribute('href', '/demo-screen')
      expect(server.calls.filter((call) => call !== 'GET /subscriptions/plans')).toEqual([])
      expect(await screen.findByRole('img', { name: 'QR code of the example photo' })).toBeVisible()
      expect(screen.getByRole('img', { name: /Candles and red wine/ })).toBeVisible()
    })

    test('has six tiles, and the plans with their prices', async () => {
      await visit(server, { at: '/#pricing' })
      const plans = within(await findPlans())
      const tiles = screen.getByRole('region', { name: 'From shutter to pocket' })
      expect(within(tiles).getAllByRole('heading', { level: 3 })).toHaveLength(6)
      const names = plans.getAllByRole('heading', { level: 3 }).map((plan) => plan.textContent)
      expect(names).toEqual(['Free', 'Pro Monthly', 'Pro Yearly'])
      for (const amount of ['$0', '$14.99', '$149.99']) expect(plans.getByText(amount)).toBeVisible()
    })
  })

  describe('the home page for signed-in users', () => {
    test('greets the user by name and links to the upload page', async () => {
      await visit(server, { at: '/', token: server.addUser({ username: 'anne-sophie' }).token })
      expect(await heading('Welcome back, anne-sophie')).toBeVisible()
      expect(screen.getByRole('link', { name: 'Upload Photos' })).toHaveAttribute('href', '/upload')
      expect(screen.queryByRole('link', { name: 'Get Started' })).toBeNull()
      expect(screen.queryByText(/isn’t confirmed/)).toBeNull()
    })

    const upload = ['Upload Photos', '/upload']
    test.each([
      [0, [upload]],
      [1, [['Open the big screen', '/latest'], upload]],
    ])('welcomes a new user with %i photos with the next step', async (photo_count, steps) => {
      await visit(server, {
        at: '/',
        token: server.addUser({ username: 'anne-sophie', first_visit: true, email_verified: false, photo_count }).token,
      })
      expect(await heading('Welcome, anne-sophie')).toBeVisible()
      const hero = document.querySelector<HTMLElement>('.hero__text')!
      const links = within(hero).getAllByRole('link')
      expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
        ...steps,
        ['How to confirm it', '/settings#profile'],
      ])
      expect(hero).toHaveTextContent('Your email address isn’t confirmed yet.')
    })

    test('shows no registration while the user is being loaded', async () => {
      server.answer(currentUser, () => new Promise(() => {}))
      await visit(server, { at: '/', token: server.addUser().token })
      expect(await heading(/Welcome/)).toBeVisible()
      expect(screen.queryByText('Get Started')).toBeNull()
    })
  })

  describe('the example slideshow', () => {
    const meta = () => screen.getByText(/^KS-04/).textContent
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    })

    test('shows the next photo after some seconds, with its code, until it is paused', async () => {
      await visit(server, { at: '/' })
      await eventually(() => expect(meta()).toContain('KS-0412'))
      await vi.advanceTimersByTimeAsync(6_500)
      await eventually(() => expect(meta()).toContain('KS-0413'))
      expect(screen.getByRole('img', { name: /Wooden bride and groom/ })).toBeVisible()
      expect(screen.getByRole('img', { name: 'QR code of the example photo' })).toHaveAttribute(
        'src',
        `${server.origin}/qr/s/topper.svg`,
      )
      fireEvent.click(screen.getByRole('button', { name: 'Pause the example' }))
      await vi.advanceTimersByTimeAsync(30_000)
      expect(meta()).toContain('KS-0413')
      expect(screen.getByRole('button', { name: 'Play the example' })).toBeVisible()
    })
  })
})
