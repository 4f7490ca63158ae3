import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { stopPolling } from './stop-polling.ts'
import { useSharedServer, type TestServer } from './test-server.ts'
import { sampleJpeg } from './pictures.ts'
import { password } from './visitor.ts'
import { waitLimitMs } from './wait-limit.ts'

let server: TestServer
beforeAll(async () => {
  server = await useSharedServer()
})
afterAll(async () => server.close())

const phone = { viewport: { width: 390, height: 844 } }
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const said = (page: Page, text: string | RegExp) => page.getByText(text).waitFor()

/** The newest link to this page in the emails to this address. */
async function linkTo(path: string, email: string): Promise<string> {
  const folder = join(server.dataDir, 'outbox')
  const find = async (): Promise<string | undefined> => {
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'))
    const emails = await Promise.all(names.map(async (name) => readFile(join(folder, name), 'utf8')))
    const sources = emails.filter((source) => source.includes(email)).map((source) => source.replace(/=\r?\n/g, ''))
    return sources.map((source) => new RegExp(`${path}\\?token=(?:3D)?[\\w=-]+`).exec(source)?.[0]).find(Boolean)
  }
  const found = await vi.waitUntil(find, { timeout: waitLimitMs, interval: 200 })
  return found.replace('=3D', '=')
}

test('a forgotten password is reset once by the link of an email, using only the keyboard', async () => {
  const visitor = await server.newUser()
  const page = await server.newPage(phone)
  await page.goto('/login')
  await page.getByLabel('Email').focus()
  await page.keyboard.type(visitor.email)
  await page.getByRole('link', { name: 'Forgot your password?' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
  await page.getByLabel('Email').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  const link = await linkTo('/reset-password', visitor.email)

  await page.goto(link)
  await page.getByLabel('New password').fill('Brand!new1')
  await page.getByLabel('Confirm password').fill('Brand!new1')
  await page.keyboard.press('Enter')
  await said(page, 'Your password has been changed. Please sign in.')
  expect(new URL(page.url()).pathname).toBe('/login')
  const invalid = page.getByRole('heading', { name: 'Invalid Reset Link' })
  const field = page.getByLabel('New password')
  // A check of the link that takes more than five seconds is given up, and the form shown.
  await expect
    .poll(async () => {
      await page.goto(link)
      await invalid.or(field).waitFor()
      return field.count()
    })
    .toBe(0)
  expect(await invalid.isVisible()).toBe(true)
  expect((await visitor.call('GET', '/user/me')).status).toBe(401)
})

test('an address is confirmed with one click, and Settings shows it', async () => {
  const visitor = await server.registerUser()
  const page = await server.newPage({ visitor, ...phone })
  await page.goto('/settings')
  await button(page, 'Resend email').waitFor()
  await page.goto(await linkTo('/verify-email', visitor.email))
  await button(page, 'Confirm my address').click()
  await page.getByRole('heading', { name: 'Your address is confirmed' }).waitFor()
  await page.getByRole('link', { name: 'Go to Settings' }).click()
  await page.getByText('Confirmed', { exact: true }).waitFor()
  expect(await button(page, 'Resend email').count()).toBe(0)
})

test('a brand is uploaded, previewed, applied to photos, removed and deleted, on a phone', async () => {
  const visitor = await server.newUser({ plan: 'pro_monthly' })
  const picture = await sampleJpeg('dance-720', 720)
  await visitor.upload(Uint8Array.from(picture), { name: 'one.jpg' })
  const page = await server.newPage({ visitor, ...phone })
  await page.goto('/settings')
  const logo = page.getByRole('group', { name: 'Logo' })
  const file = { name: 'logo.jpg', mimeType: 'image/jpeg', buffer: picture }
  const upload = logo.getByRole('button', { name: 'Upload logo' })
  expect(await upload.isDisabled()).toBe(true)
  await logo.getByLabel('Choose file for the logo').setInputFiles(file)
  await logo.getByText('logo.jpg').waitFor()
  await upload.click()
  await said(page, 'Logo uploaded successfully')
  expect(await logo.getByRole('button', { name: 'Replace logo' }).isDisabled()).toBe(true)
  await page.getByRole('img', { name: /newest photo with your logo/ }).waitFor()
  await button(page, 'Add to existing photos').click()
  await said(page, 'Your logo can be removed from 1 photo.')
  await button(page, 'Remove from photos').click()
  await said(page, '1 photo doesn’t have this watermark.')

  await page.goto('/gallery')
  await page.locator('.page-head__logo').waitFor()
  await page.goto('/settings')
  await logo.getByRole('button', { name: 'Delete logo' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete logo' }).click()
  await said(page, 'Logo deleted successfully')
  await said(page, 'No logo yet')
})

test('data is collected, the password changed and the account deleted', async () => {
  const visitor = await server.newUser()
  const page = await server.newPage({ visitor })
  await stopPolling(page)
  await page.goto('/settings')
  await button(page, 'Export my data').click()
  await said(page, /^Your file of .+ is ready/)

  await button(page, 'Change password').click()
  await page.getByLabel('Current password').fill(password)
  await page.getByLabel('New password').fill('Brand!new1')
  await page.getByLabel('Confirm password').fill('Brand!new1')
  const reconnected = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'))
  await page.keyboard.press('Enter')
  await said(page, 'Your password has been changed. Other devices are signed out.')
  await reconnected
  await server.changeAccount(visitor.email, { granted_plan: 'pro_monthly', granted_until: null })
  await page.locator('.current-plan__name').getByText('Pro Monthly').waitFor()
  expect((await visitor.call('GET', '/user/me')).status).toBe(401)

  await button(page, 'Delete my account').click()
  await page.getByLabel('Your password').fill(password)
  await page.keyboard.press('Enter')
  await said(page, 'This is not your current password.')
  await page.getByLabel('Your password').fill('Brand!new1')
  await page.keyboard.press('Enter')
  await said(page, 'Your account has been deleted. We’ve sent you a confirmation email.')
  await page.waitForURL('**/login')
})

test('signing out everywhere signs out here and there', async () => {
  const visitor = await server.newUser()
  const here = await server.newPage({ visitor })
  const there = await server.newPage({ visitor })
  await stopPolling(there)
  await Promise.all([here.goto('/settings'), there.goto('/gallery')])
  await there.getByText('No photos yet.').waitFor()
  await button(here, 'Sign out everywhere').click()
  await here.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await said(here, 'You’re signed out on all devices.')
  // The live connection of the other one is closed, whereupon it asks who it is.
  await there.waitForURL(/\/login/)
  expect((await visitor.call('GET', '/user/me')).status).toBe(401)
})

test('no page had unexpected errors', () => {
  expect(server.pageErrors).toEqual([])
})
