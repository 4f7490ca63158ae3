import { listPlans, openBillingPortal, subscriptionStatus } from '@keepsnap/contract/billing.ts'
import { latestPhoto, listPhotos } from '@keepsnap/contract/photos.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { eventually } from '../test/eventually.ts'
import { noResponse, startFakeServer, type FakeServer } from '../test/fake-server.ts'
import { visit } from '../test/render.tsx'
import { samplePhoto } from '../test/sample-photos.ts'
import { plansForSale, samplePlanStatus, subscribed } from '../test/sample-plan-status.ts'
import { serveSettings } from '../test/settings-page.ts'

let server: FakeServer
beforeEach(async () => {
  server = await startFakeServer()
  serveSettings(server)
  server.answer(listPlans, () => plansForSale)
})
afterEach(() => server.close())

const grace = { status: 'past_due', grace_until: '2026-12-29T12:00:00.000Z' } as const
const sentence = /^Your last payment failed. Your plan continues until December 29, 2026/
async function open(at: string, payments: 'stripe' | 'demo' = 'stripe') {
  server.answer(subscriptionStatus, () => ({ ...subscribed('pro_monthly', grace), payments }))
  const { token } = server.addUser({ subscription_tier: 'pro' })
  return visit(server, { at, token })
}

describe('while a payment is missing', () => {
  test.each(['/', '/upload', '/profile', '/pricing'])('%s says so and leads to the card', async (at) => {
    server.answer(openBillingPortal, () => ({ url: 'https://pay.example/portal' }))
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
    const { person } = await open(at)
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence)
    await person.click(screen.getByRole('button', { name: 'Update card' }))
    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.example/portal'))
  })

  test('it says when that page cannot be opened', async () => {
    server.answer(openBillingPortal, () => noResponse)
    const { person } = await open('/profile')
    await person.click(await screen.findByRole('button', { name: 'Update card' }))
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('The billing page couldn’t be opened.'))
  })

  test('with demo payments it leads to Settings', async () => {
    await open('/profile', 'demo')
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence)
    expect(screen.getByRole('link', { name: 'Open Settings' })).toHaveAttribute('href', '/settings#plan')
    expect(screen.queryByRole('button', { name: 'Update card' })).toBeNull()
  })

  test('Settings say it once, in their own section', async () => {
    await open('/settings')
    const plan = within(await screen.findByRole('region', { name: 'Subscription' }))
    expect(await plan.findByRole('alert')).toHaveTextContent(sentence)
    expect(screen.getAllByRole('alert')).toHaveLength(1)
  })

  test('the big screen has it with its controls', async () => {
    server.answer(latestPhoto, () => samplePhoto(1))
    server.answer(listPhotos, () => [samplePhoto(1)])
    await open('/latest')
    expect(
      await screen.findByRole('link', { name: 'Payment overdue: your plan ends on December 29, 2026' }),
    ).toHaveAttribute('href', '/settings#plan')
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

test('without a missing payment no page says anything', async () => {
  server.answer(subscriptionStatus, () => subscribed('pro_monthly'))
  const { token } = server.addUser({ subscription_tier: 'pro' })
  await visit(server, { at: '/profile', token })
  await waitFor(() => expect(server.calls).toContain('GET /subscriptions/status'))
  expect(screen.queryByRole('alert')).toBeNull()
})

describe('after a larger plan has ended', () => {
  const removal = { photos: 12, bytes: 3 * 1024 ** 3, at: '2026-12-29T12:00:00.000Z' }
  const removed_photos = { photos: 1, bytes: 5 * 1024 ** 2, until: '2027-01-05T12:00:00.000Z' }
  const sentence = '12 photos will be removed on December 29, 2026.'
  async function openAt(at: string) {
    server.answer(listPhotos, () => [])
    server.answer(subscriptionStatus, () => ({ ...samplePlanStatus(1), removal, removed_photos }))
    return visit(server, { at, token: server.addUser().token })
  }

  test.each(['/gallery', '/upload'])(
    '%s tells what will be removed and what was, and leads to Settings',
    async (at) => {
      await openAt(at)
      expect(await screen.findByText(sentence)).toBeVisible()
      expect(screen.getByText('1 photo was removed.')).toBeVisible()
      expect(screen.getByRole('link', { name: 'What you can do' })).toHaveAttribute('href', '/settings#plan')
    },
  )

  test('other pages say nothing', async () => {
    await openAt('/profile')
    await waitFor(() => expect(server.calls).toContain('GET /subscriptions/status'))
    expect(screen.queryByText(sentence)).toBeNull()
  })
})

test('the page is shown with its notices, and without them when they take more than a second to load', async () => {
  let answerNow = (): void => {}
  const answered = new Promise<void>((resolve) => (answerNow = resolve))
  server.answer(subscriptionStatus, async () => {
    await answered
    return subscribed('pro_monthly', grace)
  })
  const { token } = server.addUser({ subscription_tier: 'pro' })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await visit(server, { at: '/profile', token })
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
