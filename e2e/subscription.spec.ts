import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { button } from './browser.ts'
import { waitForEmail } from './guest-phone.ts'
import { sampleJpeg } from './pictures.ts'
import { useSharedServer } from './use-shared-server.ts'
import type { Visitor } from './visitor.ts'

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

/** Pays for a plan with demo payments. */
async function buy(visitor: Visitor): Promise<string> {
  const returnTo = `${server.address}/subscription/success?session_id={CHECKOUT_SESSION_ID}`
  const urls = { success_url: returnTo, cancel_url: `${server.address}/pricing` }
  const answer = await visitor.send('POST', '/subscriptions/checkout', { price_id: 'demo_pro_monthly', ...urls })
  const { checkout_url: checkout } = (await answer.json()) as { checkout_url: string } // what the contract says
  const body = new URLSearchParams({ outcome: 'succeed' })
  const payment = await fetch(checkout, { method: 'POST', body, redirect: 'manual' })
  return payment.headers.get('location') ?? ''
}
const planOf = async (visitor: Visitor): Promise<string> => {
  const answer = await visitor.call('GET', '/subscriptions/status')
  return ((await answer.json()) as { plan: { id: string } }).plan.id // what the contract says
}

test('a contract is withdrawn from in Settings, and without JavaScript and a password by the link in the receipt', async () => {
  const [owner, forgetful] = await Promise.all([server.newUser(), server.newUser()])
  const page = await server.newPage({ visitor: owner, viewport: { width: 390, height: 844 } })
  await page.goto(await buy(owner))
  // The confirmation of the plan says where.
  await page.getByRole('link', { name: 'Withdraw from contract here' }).first().waitFor()
  await page.goto('/settings')
  await subscription(page).getByRole('link', { name: 'Withdraw from contract' }).click()
  await page.getByRole('heading', { name: 'Your contract' }).waitFor()
  await button(page, 'Withdraw from contract').click()
  expect(await planOf(owner)).toBe('pro_monthly')
  await button(page, 'Confirm withdrawal').click()
  await page.getByText(/^Your withdrawal was made on /).waitFor()
  await page.getByText(/We have paid back \$14\.99/).waitFor()
  expect(await planOf(owner)).toBe('free')
  await waitForEmail(server, owner.email, /withdrawal/)

  await buy(forgetful)
  const plain = await server.newPage({ javaScriptEnabled: false })
  await plain.goto('/about')
  await plain.getByRole('link', { name: 'Withdraw from contract here' }).click()
  await plain.getByLabel('Name').fill('Ann Peeters')
  await plain.getByLabel('Email').fill(forgetful.email)
  await plain.getByLabel('Which contract').fill('Pro Monthly of today')
  await button(plain, 'Withdraw from contract').click()
  await plain.getByText('I withdraw from this contract.').waitFor()
  await button(plain, 'Confirm withdrawal').click()
  await plain.getByText(/^Your withdrawal was made on /).waitFor()
  expect(await planOf(forgetful)).toBe('pro_monthly')
  const { text = '' } = await waitForEmail(server, forgetful.email, /withdrawal/)
  expect(text).toContain('Ann Peeters')
  await plain.goto(/https?:\/\/\S+\/withdraw\/\S+/.exec(text)![0])
  expect(await planOf(forgetful)).toBe('pro_monthly')
  await button(plain, 'End plan and get the money back').click()
  await plain.getByRole('heading', { name: 'Pro Monthly has ended' }).waitFor()
  expect(await planOf(forgetful)).toBe('free')
  expect(server.pageErrors).toEqual([])
})
