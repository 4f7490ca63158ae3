import { subscriptionStatus } from '@keepsnap/contract/billing.ts'
import { screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { refuse, startFakeServer, type FakeServer } from '../../test/fake-server.ts'
import { samplePlanStatus } from '../../test/sample-plan-status.ts'
import { openSettings, serveSettings } from '../../test/settings-page.ts'

let server: FakeServer
beforeEach(async () => {
  server = await startFakeServer()
  serveSettings(server)
})
afterEach(() => server.close())

const section = (name: string) => screen.findByRole('region', { name })

describe('the subscription section', () => {
  test('of the free plan links to the plans', async () => {
    await openSettings(server)
    const plan = await section('Subscription')
    expect(within(plan).getByText('Free')).toBeVisible()
    const upgrade = within(plan).getByRole('link', { name: 'Upgrade Plan' })
    expect(upgrade).toHaveAttribute('href', '/#pricing')
    // Not the most prominent button of the page while plans cannot be changed here.
    expect(within(plan).getByText(/can’t be changed here/)).toBeVisible()
    expect(upgrade).not.toHaveClass('btn--primary')
    expect(
      within(plan)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['10 photos a month', 'Files up to 50 MB'])
  })

  test('of a Pro plan shows its start date and its features', async () => {
    await openSettings(server, { subscription_tier: 'pro', became_subscriber_at: '2026-03-03T10:00:00.000Z' })
    const plan = await section('Subscription')
    expect(within(plan).getByText('Pro since March 3, 2026')).toBeVisible()
    expect(within(plan).getByText('Custom branding')).toBeVisible()
    expect(within(plan).queryByRole('link', { name: 'Upgrade Plan' })).toBeNull()
  })

  test('shows what is used of the month and the storage', async () => {
    await openSettings(server)
    const plan = within(await section('Subscription'))
    expect(await plan.findByText('7 of 10')).toBeVisible()
    expect(plan.getByText('70%, 3 left until December 1, 2026')).toBeVisible()
    expect(plan.getByText('512 MB of 1 GB')).toBeVisible()
    expect(plan.getByRole('meter', { name: 'Photos' })).toHaveAttribute('value', '70')
  })

  test('says when the usage cannot be fetched', async () => {
    server.answer(subscriptionStatus, () => refuse(500, 'no'))
    const { person } = await openSettings(server)
    expect(await screen.findByText('Failed to fetch subscription status')).toBeVisible()
    server.answer(subscriptionStatus, () => samplePlanStatus(1))
    await person.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByText('1 of 10')).toBeVisible()
  })
})
