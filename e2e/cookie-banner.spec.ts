import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { button } from './browser.ts'
import { countLayoutShifts, shiftProblems } from './page-problems.ts'
import { useSharedServer } from './use-shared-server.ts'

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
const server = useSharedServer()
beforeAll(async () => {
  analyticsHost = createServer(async (request, response) => {
    requests.push(`${request.url} ${await text(request)} ${JSON.stringify(request.headers)}`)
    const isScript = request.url === '/matomo.js'
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/plain' }).end(isScript ? script : '')
  })
  const { analyticsPort } = inject('sharedServer')
  await new Promise<void>((resolve) => analyticsHost.listen(analyticsPort, '127.0.0.1', resolve))
})
afterAll(async () => {
  analyticsHost.closeAllConnections()
  analyticsHost.close()
})
beforeEach(() => void requests.splice(0))

const settingsButton = (page: Page) => page.locator('.cookie-settings-button')
const viewedUrls = () => requests.flatMap((request) => /"what":"view","?.*?"url":"([^"]+)"/.exec(request)?.[1] ?? [])

test('the notice moves nothing, is reached early, covers no button, and asks once; without consent nothing leaves', async () => {
  const phone = { width: 390, height: 844 }
  const page = await server.newPage({ hasCookieNotice: true, viewport: phone })
  const foreign: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(server.address)) foreign.push(request.url())
  })
  await countLayoutShifts(page)
  const notice = page.getByRole('region', { name: 'Cookie Notice' })
  for (const [path, action] of [
    ['/login', page.locator('main form').getByRole('button', { name: 'Sign In' })],
    ['/register', button(page, 'Register')],
  ] as const) {
    await page.setViewportSize(phone)
    await page.goto(path)
    await notice.waitFor()
    expect(await shiftProblems(page)).toEqual([])
    // As high as the window of a phone is with and without the bars of its browser.
    for (const height of [phone.height, 664]) {
      await page.setViewportSize({ ...phone, height })
      const isFree = async (): Promise<boolean> => {
        const [box, noticeBox] = await Promise.all([action.boundingBox(), notice.boundingBox()])
        return box!.y + box!.height <= Math.min(height, noticeBox!.y)
      }
      await expect.poll(isFree, { message: `${path} at ${height}` }).toBe(true)
    }
  }
  const boxes = await Promise.all(['Essential Only', 'Accept All'].map((name) => button(page, name).boundingBox()))
  const [essential, all] = boxes.map((box) => [box?.width, box?.height, box?.y])
  expect(all).toEqual(essential)
  for (let stop = 0; stop < 3; stop++) await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('.cookie-notice') !== null)).toBe(true)
  // Playwright scrolls to what it presses, and fails when something else is over it.
  await page.getByLabel('Email').fill('nobody')
  expect(await notice.isVisible()).toBe(false)
  await page.getByLabel('Email').blur()
  await notice.waitFor()
  await button(page, 'Essential Only').click()
  await settingsButton(page).waitFor()
  await page.reload()
  await settingsButton(page).waitFor()
  expect(await notice.count()).toBe(0)
  await page.goto('/demo-screen')
  expect([foreign, requests]).toEqual([[], []])
})

test('with consent the host learns paths of pages alone; withdrawn in one tab, nothing is sent from any', async () => {
  const page = await server.newPage({ hasCookieNotice: true })
  await page.goto('/reset-password?token=secret-token')
  await button(page, 'Accept All').click()
  await expect.poll(viewedUrls).toEqual([`${server.address}/reset-password`])
  await page.getByRole('link', { name: 'Keepsnap' }).first().click()
  await page.getByRole('link', { name: 'See the big screen' }).click()
  await page.locator('.latest-page').waitFor()
  await page.goBack()
  const urls = ['/reset-password', '/', '/'].map((path) => server.address + path)
  await expect.poll(viewedUrls).toEqual(urls)
  await page.goto('/sample/dance')
  expect(viewedUrls()).toEqual(urls)
  expect(requests.filter((request) => request.includes('secret'))).toEqual([])

  await page.goto('/pricing?plan=secret-plan')
  await expect.poll(() => viewedUrls().length).toBe(4)
  const other = await page.context().newPage()
  await other.goto('/login')
  await expect.poll(() => viewedUrls().length).toBe(5)
  expect(requests.filter((request) => request.includes('secret'))).toEqual([])
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
