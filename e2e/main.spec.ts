import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { button, filePicker, pressControl } from './browser.ts'
import { cameraPhoto, codePolling, codesOn, isSamePicture } from './pictures.ts'
import { useSharedServer } from './use-shared-server.ts'
import { password } from './visitor.ts'

/** Over plain HTTP and a host name that is not loopback, as in a local network: browsers offer less there. */
const server = useSharedServer({ hasLongName: true })

/** Presses "Full screen", never what takes its place, and returns when the page fills the window. */
async function fillScreen(page: Page): Promise<void> {
  await pressControl(page, button(page, 'Full screen'), button(page, 'Exit full screen'))
  // Not its buttons: they hide some seconds after the last movement.
  await page.locator('.latest--full-screen').waitFor()
  await page.getByRole('navigation', { name: 'Main', exact: true }).waitFor({ state: 'hidden' })
  expect(await page.locator('.latest').boundingBox()).toEqual({ x: 0, y: 0, width: 1280, height: 800 })
}

test('somebody registers, uploads a photo, shows it with its code, and a guest who scans has the same picture', async () => {
  const page = await server.newPage()
  await page.goto('/')
  const secureOnly = () => [window.isSecureContext, 'randomUUID' in crypto, 'wakeLock' in navigator]
  expect(await page.evaluate(secureOnly)).toEqual([false, false, false])
  await page.getByRole('link', { name: 'Get Started' }).first().click()
  await page.getByLabel('Email').fill('booth@example.com')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('button', { name: 'Register' }).click()
  await page.waitForURL(`${server.address}/`)

  await page.getByRole('link', { name: 'Upload Photos' }).first().click()
  const file = await cameraPhoto('dance-1200', 1200)
  await filePicker(page).setInputFiles({ name: 'DSC_0042.JPG', mimeType: 'image/jpeg', buffer: file })
  await page.getByRole('img', { name: 'Preview of DSC_0042.JPG' }).waitFor()
  await button(page, 'Upload Photo').click()
  await page.waitForURL('**/latest')
  await page.getByRole('img', { name: /^DSC_0042\.JPG, / }).waitFor()
  await page.getByText('Scan to keep this photo').waitFor()
  // Guests use the address of the settings, whatever the one in the browser.
  const isCode = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/d\/[A-Za-z0-9]{22}$/)
  await expect.poll(() => codesOn(page), codePolling).toEqual([isCode])
  const [code = ''] = await codesOn(page)
  const answer = await fetch(code)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename="?keepsnap-\d{4}-\d\d-\d\d-\d{4}\.jpg"?/,
  )
  expect(await isSamePicture(file, Buffer.from(await answer.arrayBuffer()))).toBe(true)

  // The screen is kept awake by a silent video.
  await expect.poll(() => page.evaluate(() => document.querySelector('video')?.paused)).toBe(false)
  const [photo] = await Promise.all([
    page.waitForEvent('download'),
    pressControl(page, page.getByRole('link', { name: 'Download' })),
  ])
  expect(photo.suggestedFilename()).toBe('DSC_0042.jpg')
  const dialog = page.getByRole('dialog', { name: 'QR code' })
  await pressControl(page, button(page, 'QR code'), dialog)
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('link', { name: 'download QR' }).click(),
  ])
  expect(saved.suggestedFilename()).toBe('DSC_0042-code.png')
  await dialog.getByRole('button', { name: 'Close' }).click()

  for (const hasFullScreen of [true, false]) {
    if (!hasFullScreen) await page.evaluate(() => Object.assign(Element.prototype, { requestFullscreen: undefined }))
    await fillScreen(page)
    await page.keyboard.press('Escape')
    await page.locator('.latest--full-screen').waitFor({ state: 'detached' })
  }
  expect(server.pageErrors).toEqual([])
})
