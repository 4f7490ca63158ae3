import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { button } from './browser.ts'
import { sampleJpeg } from './pictures.ts'
import { useSharedServer } from './use-shared-server.ts'

const server = useSharedServer()

const subscription = (page: Page) => page.getByRole('region', { name: 'Subscription' })

/** Until it is known what can be bought, buttons are busy. */
const pressWhenKnown = (page: Page, name: string) => button(page, name).and(page.locator(':not([aria-busy])')).click()

test('a plan is chosen, paid and refunded, on pages that stay open', async () => {
  const owner = await server.newUser()
  const [settings, shop] = await Promise.all([
    server.newPage({ visitor: owner, isWithoutPolling: true }),
    server.newPage({ visitor: owner, viewport: { width: 390, height: 844 } }),
  ])
  await settings.goto('/settings')
  await subscription(settings).getByText('0 of 10', { exact: true }).waitFor()
  const logo = await sampleJpeg('table-720', 360)
  const statusOfLogo = async () => (await owner.addBrand('/upload-logo', logo)).status
  expect(await statusOfLogo()).toBe(403)

  // A checkout that is left charges nothing.
  await shop.goto('/pricing?plan=pro_yearly')
  await shop.getByText('You chose Pro Yearly, $149.99 per year.').waitFor()
  await pressWhenKnown(shop, 'Continue to payment')
  await button(shop, 'Cancel and go back').click()
  await shop.getByRole('heading', { name: 'Subscription Cancelled' }).waitFor()
  await shop.getByText('Your plan is still Free.').waitFor()
  await shop.getByRole('link', { name: 'View Pricing Plans' }).click()

  // Declined, then paid: the limits rise on the page that is open.
  await pressWhenKnown(shop, 'Choose Pro Monthly')
  await shop.waitForURL('**/demo-checkout/**')
  await shop.getByText('Demo: no money moves').first().waitFor()
  await shop.getByLabel('Card that is declined').check()
  await button(shop, 'Pay $14.99 (demo)').click()
  await shop.getByRole('alert').getByText('The card was declined.').waitFor()
  // The browser moves the focus when it draws the page.
  await expect.poll(() => shop.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('alert')
  await shop.getByLabel('Card that is accepted').check()
  await button(shop, 'Pay $14.99 (demo)').click()
  await shop.getByRole('heading', { name: 'Welcome to Pro!' }).waitFor()
  await shop.getByText('$14.99 per month').waitFor()
  await subscription(settings).getByText('0 of 100', { exact: true }).waitFor()
  expect(await statusOfLogo()).toBe(200)

  await button(settings, 'Ask for my money back').click()
  await button(settings, /^End my plan and refund \$/).click()
  await settings.getByText(/^We’ve refunded \$.+\. Your subscription has ended\.$/).waitFor()
  await subscription(settings).getByText('0 of 10', { exact: true }).waitFor()
  await subscription(settings).getByText('Refunded', { exact: true }).first().waitFor()
  expect(await statusOfLogo()).toBe(403)
  expect(server.pageErrors).toEqual([])
})
