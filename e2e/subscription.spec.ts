import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { pixelsOf, sampleJpeg } from './pictures.ts'
import { button } from './screen.ts'
import { stopPolling } from './stop-polling.ts'
import { useSharedServer, type TestServer } from './test-server.ts'
import type { Visitor } from './visitor.ts'

let server: TestServer
beforeAll(async () => {
  server = await useSharedServer()
})
afterAll(() => server.close())

const subscription = (page: Page) => page.getByRole('region', { name: 'Subscription' })

/** From the pricing page over the demonstration of a checkout to the page after the payment. */
async function buy(page: Page, plan: 'Pro Monthly' | 'Pro Yearly'): Promise<void> {
  await page.goto('/pricing')
  // Until it is known what can be bought, the button is busy.
  await page
    .getByRole('button', { name: `Choose ${plan}` })
    .and(page.locator(':not([aria-busy])'))
    .click()
  await page.waitForURL('**/demo-checkout/**')
  await page.getByText('Demo: no money moves').first().waitFor()
  await button(page, /^Pay /).click()
  await page.getByRole('heading', { name: 'Welcome to Pro!' }).waitFor()
}

async function uploadLogo(owner: Visitor): Promise<number> {
  const logo = new FormData()
  const file = Uint8Array.from(await sampleJpeg('table-720', 720))
  logo.append('file', new Blob([file], { type: 'image/jpeg' }), 'logo.jpg')
  return (await owner.call('POST', '/upload-logo', { body: logo })).status
}

/** Uploads a photo: whether guests get the picture as it was uploaded, and whether its page shows the logo. */
async function brandingForGuests(owner: Visitor): Promise<{ hasWatermark: boolean; hasLogo: boolean }> {
  const file = await sampleJpeg('bouquet-640', 640)
  const { id, qr_code_url } = (await owner.upload(Uint8Array.from(file)))!
  const isReady = async (): Promise<boolean> =>
    ((await (await owner.call('GET', `/photos/${id}`)).json()) as Photo).processing_complete // what the contract says
  await expect.poll(isReady).toBe(true)
  const saved = await fetch(`${server.address}/d/${qr_code_url.split('/').at(-1)!}`)
  const [given, uploaded] = await Promise.all([pixelsOf(Buffer.from(await saved.arrayBuffer())), pixelsOf(file)])
  expect([given.width, given.height]).toEqual([uploaded.width, uploaded.height])
  const page = await (await fetch(`${server.address}/request-photo/${id}`)).text()
  expect(page).toContain(`data-id="${id}"`)
  return { hasWatermark: !given.data.equals(uploaded.data), hasLogo: page.includes('class="guest__logo"') }
}

test('a subscription from the choice of a plan to its end, on pages that stay open', async () => {
  const owner = await server.newUser()
  const [settings, shop] = await Promise.all([
    server.newPage({ visitor: owner }),
    server.newPage({ visitor: owner, viewport: { width: 390, height: 844 } }),
  ])
  await stopPolling(settings)
  await settings.goto('/settings')
  await subscription(settings).getByText('0 of 10', { exact: true }).waitFor()
  expect(await uploadLogo(owner)).toBe(403)

  // Subscribing: the limits rise on the page that is open.
  await buy(shop, 'Pro Monthly')
  await shop.getByText('$14.99 per month').waitFor()
  await subscription(settings).getByText('0 of 100', { exact: true }).waitFor()
  expect(await uploadLogo(owner)).toBe(200)
  await owner.call('PUT', '/user/settings', {
    body: JSON.stringify({ use_logo_as_watermark: true }),
    headers: { 'content-type': 'application/json' },
  })
  expect(await brandingForGuests(owner)).toEqual({ hasWatermark: true, hasLogo: true })
  await shop.reload()
  await shop.getByRole('heading', { name: 'Welcome to Pro!' }).waitFor()

  await button(settings, 'Change to yearly').click()
  await settings.getByRole('alertdialog').getByText('You pay $149.99 today').waitFor()
  await button(settings, 'Change Plan').click()
  await subscription(settings).getByText('Your plan is Pro Yearly now.').waitFor()
  await subscription(settings).getByText('1 of 1000', { exact: true }).waitFor()

  await button(settings, 'Cancel Subscription').click()
  await settings.getByRole('alertdialog').getByRole('button', { name: 'Cancel Subscription' }).click()
  await settings
    .getByText('Subscription cancelled successfully. You will retain access until the end of your billing period.')
    .waitFor()
  await button(settings, 'Resume Subscription').click()
  await settings.getByText('Your subscription continues.').waitFor()
  await button(settings, 'Cancel Subscription').click()
  await settings.getByRole('alertdialog').getByRole('button', { name: 'Cancel Subscription' }).click()
  await button(settings, 'Resume Subscription').waitFor()

  // The period ends: the limits follow on the page that is open, and guests see no branding on new photos.
  await server.runCommand('demo-clock', '+366d')
  await subscription(settings).getByText('1 of 10', { exact: true }).waitFor()
  await subscription(settings).getByRole('link', { name: 'Upgrade Plan' }).waitFor()
  expect(await uploadLogo(owner)).toBe(403)
  expect(await brandingForGuests(owner)).toEqual({ hasWatermark: false, hasLogo: false })
  expect(server.pageErrors).toEqual([])
})

test('a checkout that is left charges nothing, and money that was paid is refunded on request', async () => {
  const owner = await server.newUser()
  const page = await server.newPage({ visitor: owner })
  await page.goto('/pricing?plan=pro_yearly')
  await page.getByText('You chose Pro Yearly, $149.99 per year.').waitFor()
  await button(page, 'Continue to payment').and(page.locator(':not([aria-busy])')).click()
  await button(page, 'Cancel and go back').click()
  await page.getByRole('heading', { name: 'Subscription Cancelled' }).waitFor()
  await page.getByText('Your plan is still Free.').waitFor()

  await buy(page, 'Pro Yearly')
  await page.getByRole('link', { name: 'Go to Settings' }).click()
  await subscription(page).getByRole('list', { name: 'Payments' }).getByText('$149.99').waitFor()
  await button(page, 'Request a refund').click()
  await button(page, 'End my plan and refund $149.99').click()
  await page.getByText('We’ve refunded $149.99. Your subscription has ended.').waitFor()
  await subscription(page).getByText('0 of 10', { exact: true }).waitFor()
  await subscription(page).getByText('Refunded', { exact: true }).waitFor()
  expect(server.pageErrors).toEqual([])
})
