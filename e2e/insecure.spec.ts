import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type DedicatedServer } from './test-server.ts'
import { codePolling, codesOn } from './codes.ts'
import { sampleJpeg } from './pictures.ts'
import { serveUsageWarning } from './screens/plan-screens.ts'
import { pressControl } from './press-control.ts'
import { password } from './visitor.ts'

let server: DedicatedServer
beforeAll(async () => {
  server = await startTestServer({ hostname: 'booth.test' })
})
afterAll(async () => server.close())

/** Presses "Full screen", and never what takes its place. */
const fillScreen = (page: Page): Promise<void> =>
  pressControl(
    page,
    page.getByRole('button', { name: 'Full screen', exact: true }),
    page.getByRole('button', { name: 'Exit full screen' }),
  )

test('everything works over plain HTTP and a host name that is not loopback, as in a local network', async () => {
  const page = await server.newPage()
  await page.goto('/register')
  expect(await page.evaluate(() => [window.isSecureContext, 'randomUUID' in crypto, 'wakeLock' in navigator])).toEqual([
    false,
    false,
    false,
  ])
  await page.getByLabel('Email').fill('booth@example.com')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('button', { name: 'Register' }).click()
  await page.waitForURL(`${server.address}/`)

  await page.goto('/upload')
  const files = await Promise.all(['table-720', 'bouquet-640'].map((name) => sampleJpeg(name, 640)))
  await page
    .getByLabel('Choose photos')
    .and(page.locator('input'))
    .setInputFiles(files.map((buffer, n) => ({ name: `${n + 1}.jpg`, mimeType: 'image/jpeg', buffer })))
  await page.getByText('2 done').waitFor()
  await page.getByRole('link', { name: 'See them on the big screen' }).click()
  const latest = page.getByRole('img', { name: /^[12]\.jpg, / })
  await latest.waitFor()

  const isCode = expect.stringMatching(new RegExp(`^${server.address}/d/`))
  await expect.poll(() => codesOn(page), codePolling).toEqual([isCode, isCode])

  // The screen is kept awake by a silent video.
  await expect.poll(() => page.evaluate(() => document.querySelector('video')?.paused)).toBe(false)

  const [photo] = await Promise.all([
    page.waitForEvent('download'),
    pressControl(page, page.getByRole('link', { name: 'Download' })),
  ])
  expect(photo.suggestedFilename()).toMatch(/^[12]\.jpg$/)

  const dialog = page.getByRole('dialog', { name: 'QR code' })
  await pressControl(page, page.getByRole('button', { name: 'QR code' }), dialog)
  const [code] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('link', { name: 'download QR' }).click(),
  ])
  expect(code.suggestedFilename()).toMatch(/^[12]-code\.png$/)
  await dialog.getByRole('button', { name: 'Close' }).click()

  await fillScreen(page)
  // Not its buttons: they hide some seconds after the last movement.
  await page.locator('.latest--full-screen').waitFor()
  await page.getByRole('navigation', { name: 'Main', exact: true }).waitFor({ state: 'hidden' })
  await page.keyboard.press('Escape')
  await page.locator('.latest--full-screen').waitFor({ state: 'detached' })
  expect(server.pageErrors).toEqual([])
})

test('full screen hides everything else also where the browser has no full screen', async () => {
  const visitor = await server.newUser()
  await visitor.upload(Uint8Array.from(await sampleJpeg('table-720', 640)))
  const page = await server.newPage({ visitor })
  await page.addInitScript(() => Object.assign(Element.prototype, { requestFullscreen: undefined }))
  await serveUsageWarning(page)
  await page.goto('/latest')
  const usageWarning = page.getByText('93 of 100')
  await usageWarning.waitFor()
  await fillScreen(page)
  await page.getByRole('navigation', { name: 'Main', exact: true }).waitFor({ state: 'hidden' })
  expect(await usageWarning.isVisible()).toBe(false)
  const latest = await page.locator('.latest').boundingBox()
  expect(latest).toEqual({ x: 0, y: 0, width: 1280, height: 800 })
})
