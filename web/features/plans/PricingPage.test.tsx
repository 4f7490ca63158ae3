import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, type MockInstance, test, vi } from 'vitest'
import {
  changeSubscription,
  listPlans,
  openCheckout,
  previewChange,
  subscriptionStatus,
  type SubscriptionStatus,
  verifySession,
} from '@keepsnap/contract/subscriptions.ts'
import { plans } from '@keepsnap/contract/plans.ts'
import { noResponse, refuse, useFakeServer } from '../../test/fake-server.ts'
import { visit } from '../../test/render.tsx'
import { complimentary, plansForSale, samplePlanStatus, subscribed } from '../../test/samples.ts'

describe('CheckoutReturnPages', () => {
  const server = useFakeServer((server) => {
    server.answer(subscriptionStatus, () => samplePlanStatus(4))
  })

  const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
  const paid = () => {
    const { name, price_cents, interval_type } = plans.pro_yearly
    return { plan: { name, price_cents, interval_type }, current_period_end: '2027-11-22T12:00:00.000Z' }
  }
  async function open(at: string) {
    return visit(server, { at, token: server.addUser().token })
  }
  const success = '/subscription/success?session_id=cs_test_1'

  describe('the page after a payment', () => {
    test('says that it is being checked, then confirms it and says what was bought', async () => {
      let body: unknown
      const checked = Promise.withResolvers<void>()
      server.answer(verifySession, async (call) => {
        body = call.body
        await checked.promise
        server.answer(subscriptionStatus, () => ({
          ...subscribed('pro_yearly'),
          refundable_until: '2026-12-22T12:00:00.000Z',
        }))
        return paid()
      })
      await open(success)
      expect(await heading('Checking your payment')).toBeVisible()
      expect(screen.getByText(/This takes a few seconds/)).toBeVisible()
      checked.resolve()
      expect(await heading('Welcome to Pro!')).toBeVisible()
      expect(body).toEqual({ session_id: 'cs_test_1' })
      const facts = Array.from(document.querySelectorAll('dl div'), ({ textContent }) => textContent)
      expect(facts).toEqual(['PlanPro Yearly', 'Price$149.99 per year', 'Next billing dateNovember 22, 2027'])
      expect(screen.getByRole('link', { name: 'Go to Settings' })).toHaveAttribute('href', '/settings#plan')
      expect(screen.getByRole('link', { name: 'Upload Photos' })).toHaveAttribute('href', '/upload')
      expect(await screen.findByText(/Until December 22, 2026 you can request a refund/)).toBeVisible()
    })

    test('welcomes nobody to a plan that does not count, because a complimentary one includes more', async () => {
      server.answer(subscriptionStatus, () => complimentary('pro_yearly', null, subscribed('pro_monthly')))
      const { name, price_cents, interval_type } = plans.pro_monthly
      server.answer(verifySession, () => ({ ...paid(), plan: { name, price_cents, interval_type } }))
      await open(success)
      expect(await heading('Thank you, your payment has arrived')).toBeVisible()
      expect(screen.getByText(/^Your complimentary plan, Pro Yearly, includes more and continues\./)).toBeVisible()
    })

    test('of a checkout whose payment takes days says so, and offers no other', async () => {
      server.answer(verifySession, () => refuse(409, 'Your payment is on its way.', 'payment_pending'))
      await open(success)
      expect(await heading('Your payment is on its way')).toBeVisible()
      expect(screen.getByRole('button', { name: 'Check again' })).toBeVisible()
      expect(screen.queryByRole('link', { name: 'View Pricing Plans' })).toBeNull()
    })

    test.each([
      ['not paid', refuse(409, 'This checkout has expired.', 'conflict'), 'Your plan hasn’t started', true],
      ['unknown', refuse(404, 'x', 'not_found'), 'We don’t know this checkout', false],
      ['of an impossible id', refuse(422, [{ loc: ['session_id'], msg: 'x' }]), 'We don’t know this checkout', false],
      ['not confirmed, as the provider is down', refuse(503, 'x'), 'We can’t confirm your payment yet', true],
      ['not confirmed, as there is no connection', noResponse, 'We can’t confirm your payment yet', true],
    ] as const)('of a checkout that is %s says so and leads on', async (_, outcome, title, canRetry) => {
      server.answer(verifySession, () => outcome)
      const { person } = await open(success)
      expect(await heading(title)).toBeVisible()
      expect(screen.queryByText('This checkout has expired.') !== null).toBe(title === 'Your plan hasn’t started')
      expect(screen.getByRole('link', { name: 'Go to Settings' })).toBeVisible()
      expect(screen.getByRole('link', { name: 'View Pricing Plans' })).toHaveAttribute('href', '/pricing')
      const retry = screen.queryByRole('button', { name: 'Check again' })
      expect(retry !== null).toBe(canRetry)
      if (!retry) return
      server.answer(verifySession, paid)
      await person.click(retry)
      expect(await heading('Welcome to Pro!')).toBeVisible()
    })

    test('without a checkout leads to Settings and sends no request', async () => {
      await open('/subscription/success?session_id=')
      expect(await heading('There is no checkout to confirm')).toBeVisible()
      expect(screen.getByRole('link', { name: 'Go to Settings' })).toBeVisible()
      expect(server.calls).not.toContain('POST /subscriptions/verify-session')
    })
  })

  test('the page after a checkout that was left says that nothing was charged', async () => {
    await open('/subscription/cancel')
    expect(await heading('Subscription Cancelled')).toBeVisible()
    expect(
      await screen.findByText('You left before paying. Nothing was charged. Your plan is still Free.'),
    ).toBeVisible()
    expect(screen.getByRole('link', { name: 'View Pricing Plans' })).toHaveAttribute('href', '/pricing')
    expect(screen.getByRole('link', { name: 'Go Home' })).toHaveAttribute('href', '/')
    expect(screen.getByRole('link', { name: 'Upload Photos' })).toHaveAttribute('href', '/upload')
  })
})

describe('PricingPage', () => {
  let assign: MockInstance<Location['assign']>
  const server = useFakeServer((server) => {
    server.answer(listPlans, () => plansForSale)
    server.answer(subscriptionStatus, () => samplePlanStatus(1))
    assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
  })

  const checkouts = () => server.calls.filter((call) => call === 'POST /subscriptions/checkout').length
  /** The card of a plan. */
  async function card(name: string) {
    const heading = await screen.findByRole('heading', { name })
    return within(heading.closest('section')!) // a card is a section
  }
  /** The name of the plan that stands out, and why. */
  const marked = () =>
    Array.from(
      document.querySelectorAll('.plan--recommended :is(.plan__name, .plan__flag)'),
      (part) => part.textContent,
    )
  /** A button, once it is known what can be bought. */
  const ready = (name: string) => screen.findByRole('button', { name, busy: false })
  async function open(at = '/pricing') {
    return visit(server, { at, token: server.addUser().token })
  }

  describe('the pricing page for visitors', () => {
    test('shows three plans; Free leads to registration, a paid plan to sign-in and back to the same choice', async () => {
      const { person } = await visit(server, { at: '/pricing' })
      expect(await screen.findByRole('heading', { level: 1 })).toBeVisible()
      const names = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
      expect(names).toEqual(['Free', 'Pro Monthly', 'Pro Yearly', 'Questions and answers'])
      expect((await card('Free')).getByRole('link', { name: 'Get Started' })).toHaveAttribute('href', '/register')
      const choose = (await card('Pro Yearly')).getByRole('link', { name: 'Choose Pro Yearly' })
      expect(choose).toHaveAttribute('href', '/login?return=%2Fpricing%3Fplan%3Dpro_yearly')
      expect(screen.getByRole('link', { name: 'Read the API documentation' })).toHaveAttribute('href', '/api-docs')
      for (const claim of [
        /QR codes are unlimited/,
        /No setup fee\. You pay/,
        /30-day money-back guarantee: within 30 days/,
        /photos are kept for 30 days/,
        /99\.9% uptime/,
      ])
        expect(screen.getByText(claim)).toBeInTheDocument()
      expect(screen.getByText('All prices include VAT where it is due.')).toBeVisible()
      // The monthly plan is marked first, and the yearly one on request.
      expect(screen.getByRole('radio', { name: 'Monthly' })).toBeChecked()
      expect(marked()).toEqual(['Cancel any time', 'Pro Monthly'])
      await person.click(screen.getByRole('radio', { name: /Yearly/ }))
      expect(marked()).toEqual(['Best value', 'Pro Yearly'])
      expect(screen.getByText('$179.88 a year')).toBeVisible()
    })

    test('keeps the choice through sign-in', async () => {
      server.addUser({ email: 'lotte@example.com' })
      const { person, where } = await visit(server, { at: '/pricing' })
      await person.click(await screen.findByRole('link', { name: 'Choose Pro Yearly' }))
      await person.type(await screen.findByLabelText('Email'), 'lotte@example.com')
      await person.type(screen.getByLabelText('Password'), 'Correct1!')
      await person.click(screen.getByRole('button', { name: 'Sign In' }))
      expect(await screen.findByText('You chose Pro Yearly, $149.99 per year.')).toBeVisible()
      await waitFor(() => expect(where()).toBe('/pricing?plan=pro_yearly'))
      expect(screen.getByRole('radio', { name: /Yearly/ })).toBeChecked()
      expect(checkouts()).toBe(0)
    })

    test('keeps the choice through registration', async () => {
      const { person, where } = await visit(server, { at: '/login?return=%2Fpricing%3Fplan%3Dpro_monthly' })
      await person.click(await screen.findByRole('link', { name: 'Register' }))
      await screen.findByLabelText('Confirm password')
      const fields = { Email: 'new@example.com', Password: 'Correct.Horse.9', 'Confirm password': 'Correct.Horse.9' }
      for (const [label, value] of Object.entries(fields)) {
        await person.click(screen.getByLabelText(label))
        await person.paste(value)
      }
      await person.click(screen.getByRole('button', { name: 'Register' }))
      await waitFor(() => expect(where()).toBe('/pricing?plan=pro_monthly'))
    })

    test('says where plans are not sold', async () => {
      server.answer(listPlans, () => plansForSale.map((plan) => ({ ...plan, stripe_price_id: null })))
      await visit(server, { at: '/pricing' })
      expect(await screen.findAllByText('This site doesn’t sell plans.')).toHaveLength(2)
    })

    test('shows the contract’s plans while the server’s cannot be fetched', async () => {
      server.answer(listPlans, () => noResponse)
      await visit(server, { at: '/pricing' })
      expect((await card('Pro Yearly')).getByText('$149.99')).toBeVisible()
      expect(screen.getByText('about $12.50 per month, Save 16%')).toBeVisible()
    })
  })

  describe('the pricing page for users', () => {
    test('of the free plan opens the checkout of a paid plan, once for two clicks, and again when the browser comes back', async () => {
      let body: unknown
      server.answer(openCheckout, (call) => {
        body = call.body
        return { checkout_url: 'https://pay.example/c/1' }
      })
      const { person } = await open()
      expect(await (await card('Free')).findByText('Your plan')).toBeVisible()
      expect((await card('Free')).queryByRole('link')).toBeNull()
      await person.dblClick(await ready('Choose Pro Monthly'))
      await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.example/c/1'))
      expect(body).toEqual({
        price_id: 'price_pro_monthly',
        success_url: 'http://keepsnap.test/subscription/success?session_id={CHECKOUT_SESSION_ID}',
        cancel_url: 'http://keepsnap.test/subscription/cancel',
      })
      expect(checkouts()).toBe(1)
      // The browser is leaving, and may come back.
      const choose = screen.getByRole('button', { name: 'Choose Pro Monthly' })
      expect(choose).toHaveAttribute('aria-busy', 'true')
      window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
      await waitFor(() => expect(choose).not.toHaveAttribute('aria-busy'))
      await person.click(choose)
      await waitFor(() => expect(assign).toHaveBeenCalledTimes(2))
      expect(checkouts()).toBe(2)
    })

    test('says when the checkout fails, logs it, and can be tried again', async () => {
      const log = vi.spyOn(console, 'error').mockImplementation(() => {})
      const { person } = await open()
      const failures = [
        [refuse(503, 'Please try again later.'), 'Please try again later.'],
        [noResponse, 'The payment page couldn’t be opened. Please try again.'],
      ] as const
      for (const [outcome, sentence] of failures) {
        server.answer(openCheckout, () => outcome)
        await person.click(await ready('Choose Pro Monthly'))
        const monthly = await card('Pro Monthly')
        await waitFor(() => expect(monthly.getByRole('alert')).toHaveTextContent(sentence))
      }
      expect(log).toHaveBeenCalledWith('The checkout could not be opened:', expect.anything())
      expect(assign).not.toHaveBeenCalled()
      server.answer(openCheckout, () => ({ checkout_url: '/pay' }))
      await person.click(await ready('Choose Pro Monthly'))
      await waitFor(() => expect(assign).toHaveBeenCalledOnce())
    })

    test('with a choice from before goes to its payment in one press', async () => {
      server.answer(openCheckout, () => ({ checkout_url: '/pay' }))
      const { person } = await open('/pricing?plan=pro_yearly')
      await person.click(await ready('Continue to payment'))
      await waitFor(() => expect(assign).toHaveBeenCalledWith('http://keepsnap.test/pay'))
    })

    test('with a choice that is their plan already says only that', async () => {
      server.answer(subscriptionStatus, () => subscribed('pro_yearly'))
      await open('/pricing?plan=pro_yearly')
      expect(await (await card('Pro Yearly')).findByText('Your plan')).toBeVisible()
      expect(screen.queryByText(/You chose/)).toBeNull()
    })

    test.each<[string, SubscriptionStatus, string[]]>([
      ['who pay for the largest plan', subscribed('pro_yearly'), ['Your plan', 'Pro Yearly']],
      ['who pay for the smaller plan', subscribed('pro_monthly'), ['Your plan', 'Pro Monthly']],
      ['who have a plan for free', complimentary('pro_yearly', null), ['Your plan', 'Pro Yearly']],
      ['of the free plan', samplePlanStatus(1), ['Cancel any time', 'Pro Monthly']],
    ])('%s see their own plan marked rather than a smaller one', async (_, status, expected) => {
      server.answer(subscriptionStatus, () => status)
      const { person } = await open()
      await waitFor(() => expect(marked()).toEqual(expected))
      const primary = Array.from(document.querySelectorAll('.plan .btn--primary'), ({ textContent }) => textContent)
      expect(primary).toEqual(expected[0] === 'Your plan' ? [] : ['Choose Pro Monthly'])
      await person.click(screen.getByRole('radio', { name: /Yearly/ }))
      expect(marked()[1]).toBe(expected[0] === 'Your plan' ? expected[1] : 'Pro Yearly')
    })

    test('who pay see Change Plan, which says what happens with the money, and why it failed', async () => {
      server.answer(subscriptionStatus, () => subscribed('pro_yearly'))
      server.answer(changeSubscription, () => noResponse)
      server.answer(previewChange, () => ({ charged_cents: null, credit_cents: null }))
      const { person } = await open()
      expect(await (await card('Pro Yearly')).findByText('Your plan')).toBeVisible()
      await person.click(await ready('Change Plan'))
      const dialog = await screen.findByRole('alertdialog', { name: 'Change to Pro Monthly' })
      // Where the payment provider gives no preview.
      expect(await within(dialog).findByText(/is credited towards the new price of \$14\.99/)).toBeVisible()
      expect(dialog).toHaveTextContent('After that it renews for $14.99 per month.')
      expect(dialog).toHaveTextContent('API access ends.')
      expect(dialog).toHaveTextContent('All prices include VAT where it is due.')
      await person.click(within(dialog).getByRole('button', { name: 'Change Plan' }))
      const problem = await within(dialog).findByRole('alert')
      expect(problem).toHaveTextContent('Failed to change the plan. Please try again.')
      server.answer(changeSubscription, () => subscribed('pro_monthly'))
      await person.click(within(dialog).getByRole('button', { name: 'Change Plan' }))
      expect(await screen.findByText('Your plan is Pro Monthly now.')).toBeVisible()
      expect(await (await card('Pro Monthly')).findByText('Your plan')).toBeVisible()
    })

    test('who have cancelled can change, which continues the subscription', async () => {
      server.answer(subscriptionStatus, () => subscribed('pro_monthly', { cancel_at_period_end: true }))
      const { person } = await open()
      expect(await (await card('Pro Monthly')).findByText('Ends on December 22, 2026')).toBeVisible()
      await person.click(await ready('Change Plan'))
      expect(await screen.findByRole('alertdialog')).toHaveTextContent('with this change your subscription continues')
    })

    test('whose payment is missing are led to Settings first', async () => {
      server.answer(subscriptionStatus, () => subscribed('pro_monthly', { status: 'past_due' }))
      await open()
      const yearly = await card('Pro Yearly')
      expect(await yearly.findByRole('link', { name: 'Open Settings' })).toHaveAttribute('href', '/settings#plan')
    })

    test('with a complimentary plan are told that paying makes no difference yet', async () => {
      server.answer(subscriptionStatus, () => complimentary('pro_yearly', '2027-03-01T12:00:00.000Z'))
      server.answer(openCheckout, () => ({ checkout_url: '/pay' }))
      const { person } = await open()
      expect(await (await card('Pro Yearly')).findByText('Complimentary until March 1, 2027')).toBeVisible()
      await person.click(await ready('Choose Pro Monthly'))
      const dialog = await screen.findByRole('alertdialog', { name: 'Pay for Pro Monthly now?' })
      expect(dialog).toHaveTextContent('continues until March 1, 2027')
      expect(within(dialog).getByRole('button', { name: 'Not now' })).toBeVisible()
      expect(checkouts()).toBe(0)
      await person.click(within(dialog).getByRole('button', { name: 'Continue to payment' }))
      await waitFor(() => expect(assign).toHaveBeenCalledOnce())
    })

    test.each([
      ['their status', subscriptionStatus, 'Failed to fetch subscription status'],
      ['the plans', listPlans, 'Plans can’t be bought right now'],
    ])('whose page could not fetch %s are told, and can try again', async (_, endpoint, sentence) => {
      server.answer(endpoint, () => refuse(500, 'x'))
      const { person, state } = await open()
      expect(await screen.findByRole('alert')).toHaveTextContent(sentence)
      expect((await card('Pro Monthly')).getByRole('button')).toBeDisabled()
      // A part of the page that was loaded later fetches it again.
      await waitFor(() => expect(state.queryClient.isFetching()).toBe(0))
      server.answer(listPlans, () => plansForSale)
      server.answer(subscriptionStatus, () => samplePlanStatus(1))
      await person.click(screen.getByRole('button', { name: 'Try Again' }))
      await waitFor(async () => expect((await card('Pro Monthly')).getByRole('button')).toBeEnabled())
      expect(screen.queryByRole('alert')).toBeNull()
    })
  })
})
