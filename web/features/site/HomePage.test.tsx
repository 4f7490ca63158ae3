import { currentUser } from '@keepsnap/contract/accounts.ts'
import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { useFakeServer } from '../../test/fake-server.ts'
import { visit } from '../../test/render.tsx'
import { eventually } from '../../test/eventually.ts'

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

  test('has six tiles and three plans with their prices; a paid one leads to sign-in and back to the same choice', async () => {
    const { person } = await visit(server, { at: '/#pricing' })
    const plans = await findPlans()
    const tiles = screen.getByRole('region', { name: 'From shutter to pocket' })
    expect(within(tiles).getAllByRole('heading', { level: 3 })).toHaveLength(6)
    const names = within(plans)
      .getAllByRole('heading', { level: 3 })
      .map((plan) => plan.textContent)
    expect(names).toEqual(['Free', 'Pro Monthly', 'Pro Yearly'])
    expect(plans).toHaveAttribute('id', 'pricing')
    const actions = within(plans).getAllByRole('link')
    expect(actions.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Get Started', '/register'],
      ['Choose Pro Monthly', '/login?return=%2Fpricing%3Fplan%3Dpro_monthly'],
      ['Choose Pro Yearly', '/login?return=%2Fpricing%3Fplan%3Dpro_yearly'],
    ])
    const marked = () => plans.querySelector('.plan--recommended h3')?.textContent
    for (const amount of ['$0', '$14.99', '$149.99']) expect(within(plans).getByText(amount)).toBeVisible()
    expect(within(plans).getByText('about $12.50 per month, Save 16%')).toBeVisible()
    expect(marked()).toBe('Pro Monthly')
    await person.click(screen.getByRole('radio', { name: /Yearly/ }))
    for (const amount of ['$14.99', '$149.99', '$179.88 a year']) expect(within(plans).getByText(amount)).toBeVisible()
    expect(marked()).toBe('Pro Yearly')
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
