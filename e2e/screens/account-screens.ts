import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { button, dialogOnly, waitForText, type Screen } from '../screen.ts'

/** The file that a module of the app was built into, in English. */
async function chunkOf(module: string): Promise<string> {
  const manifest = new URL('../../web/dist/.vite/manifest.json', import.meta.url)
  const chunks = JSON.parse(await readFile(manifest, 'utf8')) as Record<string, { file: string }> // Vite's own format
  return chunks[module]!.file // otherwise the page does not exist
}

/** A dialog of a page that an earlier screen may have opened already. */
async function openDialog(page: Page, path: string, name: string): Promise<void> {
  await page.keyboard.press('Escape')
  if (new URL(page.url()).pathname !== path) await page.goto(path)
  await button(page, name).click()
}
export const publicScreens: Screen[] = [
  { name: 'Home', viewer: 'nobody', reach: (page) => page.goto('/'), axe: { differsOnDesktop: true } },
  {
    name: 'Sign-in, refused',
    inRecordOnly: true,
    viewer: 'nobody',
    async reach(page) {
      await page.goto('/login')
      await page.getByLabel('Email').fill('nobody@example.com')
      await page.getByLabel('Password', { exact: true }).fill('wrong')
      await button(page, 'Sign In').click()
      await waitForText(page, 'Invalid email or password.')
    },
  },
  {
    name: 'Registration with all its complaints',
    viewer: 'nobody',
    async reach(page) {
      await page.goto('/register')
      await page.getByLabel('Email').fill('not an address')
      await page.getByLabel('Password', { exact: true }).fill('short')
      await page.keyboard.press('Enter')
      await waitForText(page, 'Password must be at least 8 characters long')
    },
  },
  {
    name: 'Demonstration of the big screen',
    inRecordOnly: true,
    viewer: 'nobody',
    async reach(page) {
      await page.goto('/demo-screen')
      await waitForText(page, 'Scan to keep this photo')
    },
  },
  {
    name: 'API documentation, with a call and an event open',
    inRecordOnly: true,
    viewer: 'nobody',
    async reach(page) {
      await page.goto('/api-docs#get-api-photos')
      await page.getByRole('heading', { name: 'Rate limits' }).waitFor()
      await page.locator('#photo-failed > summary').click()
      await page.locator('#get-api-photos').getByText('Errors').click()
    },
  },
  {
    name: 'API documentation that cannot be loaded',
    viewer: 'nobody',
    inRecordOnly: true,
    async reach(page) {
      await page.route('**/openapi.json', (route) => route.abort())
      await page.goto('/api-docs')
      await waitForText(page, 'The documentation couldn’t be loaded.')
    },
  },
  {
    name: 'A page that does not exist',
    inRecordOnly: true,
    viewer: 'nobody',
    reach: (page) => page.goto('/no-such-page'),
  },
  {
    name: 'Forgot password, sent',
    inRecordOnly: true,
    viewer: 'nobody',
    async reach(page) {
      await page.goto('/forgot-password')
      await page.getByLabel('Email').fill('a-very-long-name.of-somebody@a-very-long-name-of-a-company.example.com')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    },
  },
  {
    name: 'Reset password with a complaint',
    inRecordOnly: true,
    viewer: 'nobody',
    async reach(page) {
      await page.route('**/reset-password/check', (route) => route.fulfill({ json: { detail: 'This link works.' } }))
      await page.goto('/reset-password?token=abc')
      await page.getByLabel('New password').fill('short')
      await page.keyboard.press('Enter')
      await waitForText(page, 'Password must be at least 8 characters long')
    },
  },
  {
    name: 'Reset password with a used link',
    inRecordOnly: true,
    viewer: 'nobody',
    async reach(page) {
      await page.unroute('**/reset-password/check')
      await page.goto('/reset-password?token=abc')
      await page.getByRole('heading', { name: 'Invalid Reset Link' }).waitFor()
    },
  },
  {
    name: 'Confirm an address',
    inRecordOnly: true,
    viewer: 'nobody',
    reach: (page) => page.goto('/verify-email?token=abc'),
  },
]

export const accountScreens: Screen[] = [
  {
    name: 'Home of a user, with the menu open',
    viewer: 'owner',
    async reach(page) {
      await page.goto('/')
      await button(page, 'Account menu').click()
    },
  },
  {
    name: 'Profile',
    inRecordOnly: true,
    viewer: 'owner',
    async reach(page, { ownerEmail }) {
      await page.goto('/profile')
      await waitForText(page, ownerEmail)
    },
  },
  {
    name: 'Settings with a brand, devices and an unconfirmed address',
    viewer: 'owner',
    async reach(page) {
      await page.goto('/settings')
      await page.getByRole('img', { name: /newest photo with your logo/ }).waitFor()
      await button(page, 'Show devices').click()
    },
  },
  ...['Change password', 'Change email', 'Delete my account', 'Delete logo'].map((name): Screen => ({
    name: `Settings, ${name}`,
    inRecordOnly: true,
    viewer: 'owner',
    axe: dialogOnly,
    async reach(page) {
      await openDialog(page, '/settings', name)
      await page.getByRole('heading', { name, level: 2 }).waitFor()
    },
  })),
  {
    name: 'Settings of the free plan, with a watermark that has no effect',
    inRecordOnly: true,
    viewer: 'newcomer',
    async reach(page) {
      await page.goto('/settings')
      await page.getByRole('checkbox', { name: 'Watermark' }).check()
      await waitForText(page, 'You need to upload a logo to use as a watermark.')
    },
  },
  {
    name: 'Photo Requests without requests',
    inRecordOnly: true,
    viewer: 'newcomer',
    async reach(page) {
      await page.goto('/photo-requests')
      await waitForText(page, 'No requests yet.')
    },
  },
  {
    name: 'Insights',
    inRecordOnly: true,
    viewer: 'owner',
    async reach(page, { latest }) {
      const scan = await page.request.get(`/d/${latest.qr_code_url.split('/').at(-1)}`)
      expect(scan.ok()).toBe(true)
      // The counts are written after a moment, and fetched when the page is opened.
      await expect
        .poll(async () => {
          await page.goto('/insights')
          const tiles = page.locator('dl.insights-tiles')
          await tiles.or(page.getByText('No scans yet.')).waitFor()
          return tiles.isVisible()
        })
        .toBe(true)
    },
  },
  {
    // Near the end, because from now on every page of the owner shows the report.
    name: 'Photo Requests with a request and a report',
    inRecordOnly: true,
    viewer: 'owner',
    async reach(page, { latest }) {
      const email = 'a-very-long-name-that-somebody-has@a-very-long-name-of-a-company.example.com'
      const answers = [
        await page.request.post(`/photos/${latest.id}/request-email`, { data: { email } }),
        await page.request.post(`/photos/${latest.id}/report`, { data: { reason: 'me', note: 'Please remove it.' } }),
      ]
      expect(answers.map((answer) => answer.ok())).toEqual([true, true])
      await page.goto('/photo-requests')
      await waitForText(page, email)
      await waitForText(page, 'Please remove it.')
    },
  },
  {
    // Last, because what was intercepted is answered from the browser's cache otherwise.
    name: 'A page whose code cannot be loaded',
    inRecordOnly: true,
    viewer: 'offline',
    async reach(page) {
      await page.route(`**/${await chunkOf('pages/UploadPage.tsx')}`, (route) => route.abort())
      await page.goto('/upload')
      // The app loads the page once more by itself before it gives up.
      await page.waitForFunction(() => {
        const [navigation] = performance.getEntriesByType('navigation')
        const isReloaded = navigation instanceof PerformanceNavigationTiming && navigation.type === 'reload'
        return isReloaded && document.body.innerText.includes('Something went wrong')
      })
    },
  },
]
