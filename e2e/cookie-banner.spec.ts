import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { accessibilityProblems, viewports } from './axe.ts'
import { dialogOnly } from './screen.ts'
import { startTestServer, type DedicatedServer } from './test-server.ts'

/**
 * Stub for Matomo's script: it sends page views as configured, sets a cookie, and sends another request when the page
 * is left, regardless of its configuration.
 */
const script = `(() => {
  const told = {}
  let target = ''
  document.cookie = '_pk_id.1.1fff=1; path=/'
  const send = (what) => navigator.sendBeacon(target, JSON.stringify({ what, ...told }))
  const run = ([name, value]) => {
    if (name === 'setTrackerUrl') target = value
    if (name === 'setCustomUrl') told.url = value
    if (name === 'setReferrerUrl') told.referrer = value
    if (name === 'setDocumentTitle') told.title = value
    if (name === 'trackPageView') send('view')
  }
  for (const command of window._paq) run(command)
  window._paq = { push: (...commands) => commands.forEach(run) }
  addEventListener('pagehide', () => send('leaving'))
})()`

/** Requests that the analytics host received: paths, bodies and headers. */
const requests: string[] = []
let analyticsHost: Server
let server: DedicatedServer
beforeAll(async () => {
  analyticsHost = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer) // a stream without an encoding yields buffers
    requests.push(`${request.url} ${Buffer.concat(parts).toString()} ${JSON.stringify(request.headers)}`)
    const isScript = request.url === '/matomo.js'
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/plain' }).end(isScript ? script : '')
  })
  await new Promise<void>((resolve) => analyticsHost.listen(0, '127.0.0.1', resolve))
  const { port } = analyticsHost.address() as AddressInfo // it listens on TCP
  server = await startTestServer({
    env: { ANALYTICS_PROVIDER: 'matomo', ANALYTICS_HOST: `http://127.0.0.1:${port}`, ANALYTICS_SITE: '1' },
  })
})
afterAll(async () => {
  await server?.close()
  analyticsHost?.closeAllConnections()
  analyticsHost?.close()
})
beforeEach(() => void requests.splice(0))

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const settingsButton = (page: Page) => page.locator('.cookie-settings-button')
const viewedUrls = () => requests.flatMap((request) => /"what":"view","?.*?"url":"([^"]+)"/.exec(request)?.[1] ?? [])

test('the notice moves nothing, is reached early, covers no button, and asks once; without consent nothing leaves', async () => {
  const page = await server.newPage({ hasCookieNotice: true, viewport: viewports.phone })
  const foreign: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(server.address)) foreign.push(request.url())
  })
  await page.addInitScript(() => {
    const state = Object.assign(window, { shift: 0 })
    new PerformanceObserver((list) => {
      // The type of its entries is missing in TypeScript's library.
      for (const entry of list.getEntries()) state.shift += (entry as unknown as { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto('/register')
  const notice = page.getByRole('region', { name: 'Cookie Notice' })
  await notice.waitFor()
  expect(await page.evaluate(() => (window as unknown as { shift: number }).shift)).toBeLessThan(0.02) // set above
  const [essential, all] = await Promise.all(
    ['Essential Only', 'Accept All'].map((name) => button(page, name).boundingBox()),
  )
  expect([all?.width, all?.height, all?.y]).toEqual([essential?.width, essential?.height, essential?.y])
  for (const [path, action] of [
    ['/', page.getByRole('link', { name: 'Get Started' }).first()],
    ['/login', page.locator('main form').getByRole('button', { name: 'Sign In' })],
    ['/register', button(page, 'Register')],
  ] as const) {
    await page.goto(path)
    await notice.waitFor()
    // As high as the window of a phone is with and without the bars of its browser.
    for (const height of [664, viewports.phone.height]) {
      await page.setViewportSize({ ...viewports.phone, height })
      const isFree = async (): Promise<boolean> => {
        const [box, noticeBox] = await Promise.all([action.boundingBox(), notice.boundingBox()])
        return box!.y + box!.height <= Math.min(height, noticeBox!.y)
      }
      await expect.poll(isFree, { message: `${path} at ${height}` }).toBe(true)
    }
  }
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('.cookie-notice') !== null)).toBe(true)
  // Playwright scrolls to what it presses, and fails when something else is over it.
  await page.getByLabel('Email').fill('nobody')
  expect(await notice.isVisible()).toBe(false)
  await page.getByLabel('Email').blur()
  await notice.waitFor()
  await page.getByRole('link', { name: 'Sign In' }).last().click()
  await page.waitForURL('**/login')
  await button(page, 'Essential Only').click()
  await settingsButton(page).waitFor()
  await page.reload()
  await settingsButton(page).waitFor()
  expect(await notice.count()).toBe(0)
  for (const path of ['/sample/dance', '/demo-screen']) await page.goto(path)
  expect([foreign, requests]).toEqual([[], []])
})

test('with consent the host learns paths of pages alone; withdrawn in one tab, nothing is sent from any', async () => {
  const page = await server.newPage({ hasCookieNotice: true })
  await page.goto('/reset-password?token=secret-token')
  await button(page, 'Accept All').click()
  await expect.poll(viewedUrls).toEqual([`${server.address}/reset-password`])
  await page.goto('/pricing?plan=secret-plan')
  await expect.poll(() => viewedUrls().length).toBe(2)
  await page.getByRole('link', { name: 'Keepsnap' }).first().click()
  await page.getByRole('link', { name: 'See the big screen' }).click()
  await page.locator('.latest-page').waitFor()
  await page.goBack()
  const urls = ['/reset-password', '/pricing', '/', '/'].map((path) => server.address + path)
  await expect.poll(viewedUrls).toEqual(urls)
  expect(requests.filter((request) => request.includes('secret'))).toEqual([])
  await page.goto('/demo-screen')
  await page.goto('/sample/dance')
  expect(viewedUrls()).toEqual(urls)

  await page.goto('/pricing')
  await expect.poll(() => viewedUrls().length).toBe(5)
  const other = await page.context().newPage()
  await other.goto('/login')
  await expect.poll(() => viewedUrls().length).toBe(6)
  await settingsButton(page).click()
  await page.getByRole('checkbox', { name: 'Analytics' }).uncheck()
  requests.splice(0)
  await Promise.all([page.waitForEvent('load'), button(page, 'Save Preferences').click()])
  await settingsButton(page).waitFor()
  await other.getByRole('link', { name: 'Pricing' }).click()
  await other.waitForURL('**/pricing')
  await other.close({ runBeforeUnload: true })
  await page.goto('/login')
  await settingsButton(page).waitFor()
  expect(requests).toEqual([])
  expect(await page.evaluate(() => document.cookie)).toBe('')
})

test('axe finds nothing in the notice, its settings and the button that remains; nothing is cut off at 320 px', async () => {
  const page = await server.newPage({ hasCookieNotice: true })
  await page.goto('/login')
  await page.locator('.cookie-notice').waitFor()
  expect(await accessibilityProblems(page, { screenshotName: 'Cookie notice', differsOnDesktop: true })).toEqual([])
  await button(page, 'Customize').click()
  expect(await accessibilityProblems(page, { ...dialogOnly, screenshotName: 'Cookie settings' })).toEqual([])
  await button(page, 'Save Preferences').click()
  await settingsButton(page).waitFor()
  expect(await accessibilityProblems(page, { screenshotName: 'Cookie notice, decided' })).toEqual([])
})
