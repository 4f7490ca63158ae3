import { subscriptionStatus, verifySession } from '@keepsnap/contract/subscriptions.ts'
import { plans } from '@keepsnap/contract/plans.ts'
import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { noResponse, refuse, useFakeServer } from '../../test/fake-server.ts'
import { visit } from '../../test/render.tsx'
import { complimentary, samplePlanStatus, subscribed } from '../../test/samples.ts'

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
  expect(await screen.findByText('You left before paying. Nothing was charged. Your plan is still Free.')).toBeVisible()
  expect(screen.getByRole('link', { name: 'View Pricing Plans' })).toHaveAttribute('href', '/pricing')
  expect(screen.getByRole('link', { name: 'Go Home' })).toHaveAttribute('href', '/')
  expect(screen.getByRole('link', { name: 'Upload Photos' })).toHaveAttribute('href', '/upload')
})
