import { subscriptionStatus, verifySession } from '@keepsnap/contract/billing.ts'
import { plans } from '@keepsnap/contract/plans.ts'
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { noResponse, refuse, useFakeServer } from '../test/fake-server.ts'
import { pseudo, visit } from '../test/render.tsx'
import { samplePlanStatus, subscribed } from '../test/sample-plan-status.ts'
import { untranslatedTexts } from '../test/untranslated.ts'

const server = useFakeServer((server) => {
  server.answer(subscriptionStatus, () => samplePlanStatus(4))
})

const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
const paid = () => {
  const { name, price_cents, interval_type } = plans.pro_yearly
  return { plan: { name, price_cents, interval_type }, current_period_end: '2027-11-22T12:00:00.000Z' }
}
async function open(at: string) {
  const { token } = server.addUser()
  return visit(server, { at, token })
}
const success = '/subscription/success?session_id=cs_test_1'

describe('the page after a payment', () => {
  test('confirms it and says what was bought', async () => {
    let body: unknown
    server.answer(verifySession, (call) => {
      body = call.body
      server.answer(subscriptionStatus, () => ({
        ...subscribed('pro_yearly'),
        refundable_until: '2026-12-22T12:00:00.000Z',
      }))
      return paid()
    })
    await open(success)
    expect(await heading('Welcome to Pro!')).toBeVisible()
    expect(body).toEqual({ session_id: 'cs_test_1' })
    const facts = Array.from(document.querySelectorAll('dl div'), ({ textContent }) => textContent)
    expect(facts).toEqual(['PlanPro Yearly', 'Price$149.99 per year', 'Next billing dateNovember 22, 2027'])
    expect(screen.getByRole('link', { name: 'Go to Settings' })).toHaveAttribute('href', '/settings#plan')
    expect(screen.getByRole('link', { name: 'Upload Photos' })).toHaveAttribute('href', '/upload')
    expect(await screen.findByText(/Until December 22, 2026 you can request a refund/)).toBeVisible()
  })

  test('says that it is being checked', async () => {
    server.answer(verifySession, () => new Promise(() => {}))
    await open(success)
    expect(await heading('Checking your payment')).toBeVisible()
    expect(screen.getByText(/This takes a few seconds/)).toBeVisible()
  })

  test.each([
    ['not paid', refuse(409, 'It has expired.', 'conflict'), 'Your plan hasn’t started', true],
    ['unknown', refuse(404, 'x', 'not_found'), 'We don’t know this checkout', false],
    ['of an impossible id', refuse(422, [{ loc: ['session_id'], msg: 'x' }]), 'We don’t know this checkout', false],
    ['not confirmed, as the provider is down', refuse(503, 'x'), 'We can’t confirm your payment yet', true],
    ['not confirmed, as there is no connection', noResponse, 'We can’t confirm your payment yet', true],
  ] as const)('of a checkout that is %s says so and leads on', async (_, outcome, title, canRetry) => {
    server.answer(verifySession, () => outcome)
    const { person } = await open(success)
    expect(await heading(title)).toBeVisible()
    expect(screen.getByRole('link', { name: 'Go to Settings' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'View Pricing Plans' })).toHaveAttribute('href', '/pricing')
    const retry = screen.queryByRole('button', { name: 'Check again' })
    expect(retry !== null).toBe(canRetry)
    if (!retry) return
    server.answer(verifySession, paid)
    await person.click(retry)
    expect(await heading('Welcome to Pro!')).toBeVisible()
  })

  test('of a checkout that grants no plan says the server’s reason', async () => {
    server.answer(verifySession, () => refuse(409, 'This checkout has expired.', 'conflict'))
    await open(success)
    expect(await screen.findByText('This checkout has expired.')).toBeVisible()
  })

  test.each(['/subscription/success', '/subscription/success?session_id='])(
    'without a checkout (%s) leads to Settings and sends no request',
    async (at) => {
      await open(at)
      expect(await heading('There is no checkout to confirm')).toBeVisible()
      expect(screen.getByRole('link', { name: 'Go to Settings' })).toBeVisible()
      expect(server.calls).not.toContain('POST /subscriptions/verify-session')
    },
  )

  test.each([
    [success, '/login?return=%2Fsubscription%2Fsuccess%3Fsession_id%3Dcs_test_1'],
    ['/subscription/cancel', '/login?return=%2Fsubscription%2Fcancel'],
  ])('%s requires a user, and comes back', async (at, login) => {
    const { where } = await visit(server, { at })
    await waitFor(() => expect(where()).toBe(login))
  })

  test('takes every sentence from the catalogue', async () => {
    server.answer(verifySession, paid)
    const { token } = server.addUser()
    await visit(server, { at: success, token, language: pseudo })
    await screen.findByRole('heading', { level: 1, name: /^⟦Wélçömé tö Prö!/ })
    expect(untranslatedTexts(document.querySelector('main')!)).toEqual([])
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
