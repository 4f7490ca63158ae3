import type { Page, WebSocketRoute } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { startTestServer, useSharedServer, type TestServer } from './test-server.ts'
import { sampleJpeg } from './pictures.ts'
import { pressControl } from './press-control.ts'
import type { Visitor } from './visitor.ts'
import { waitLimitMs } from './wait-limit.ts'

let server: TestServer
let file: Uint8Array<ArrayBuffer>
beforeAll(async () => {
  server = await useSharedServer()
  file = Uint8Array.from(await sampleJpeg('table-720', 720))
})
afterAll(() => server.close())

/** The live connection of a page, which a test can cut and restore. Other requests are not affected. */
interface LiveConnection {
  cut(): Promise<void>
  restore(): void
  attempts(): number
}
async function interceptConnection(page: Page): Promise<LiveConnection> {
  let isCut = false
  let attempts = 0
  const open = new Set<WebSocketRoute>()
  // Not a close code of our protocol, so the page treats it as a lost connection.
  const drop = (socket: WebSocketRoute): Promise<void> => socket.close({ code: 4000 })
  // Each attempt begins with a ticket; when that takes too long, there is no socket.
  page.on('request', (request) => {
    if (request.url().endsWith('/ws/ticket')) attempts += 1
  })
  await page.routeWebSocket(/\/ws\?/, async (socket) => {
    if (isCut) return drop(socket)
    socket.connectToServer()
    open.add(socket)
  })
  return {
    async cut() {
      isCut = true
      await Promise.all([...open].map(drop))
      open.clear()
    },
    restore() {
      isCut = false
    },
    attempts: () => attempts,
  }
}

const photoOn = (page: Page, name: string) => page.getByRole('img', { name: new RegExp(`^${name}, `) })
const sign = (page: Page) => page.locator('.latest__connection')

async function openLatest(visitor: Visitor): Promise<{ page: Page; connection: LiveConnection }> {
  await visitor.upload(file, { name: 'before.jpg' })
  const page = await server.newPage({ visitor, isIsolated: true })
  const connection = await interceptConnection(page)
  await page.goto('/latest')
  await photoOn(page, 'before.jpg').waitFor()
  await sign(page).waitFor({ state: 'detached' })
  return { page, connection }
}

test('a lost connection shows a small badge beside the last photo; once restored, missed photos appear automatically', async () => {
  const visitor = await server.newUser()
  const { page, connection } = await openLatest(visitor)
  await connection.cut()
  await page.getByText('Reconnecting', { exact: true }).waitFor()
  expect(await photoOn(page, 'before.jpg').isVisible()).toBe(true)
  await visitor.upload(file, { name: 'missed.jpg' })
  connection.restore()
  await photoOn(page, 'missed.jpg').waitFor()
  await sign(page).waitFor({ state: 'detached' })
})

test('after five failed attempts the page asks every minute, and reconnects when the page becomes visible', async () => {
  const visitor = await server.newUser()
  const { page, connection } = await openLatest(visitor)
  await page.clock.install()
  await connection.cut()
  await giveUp(page)
  expect(connection.attempts()).toBeGreaterThanOrEqual(6)

  await visitor.upload(file, { name: 'polled.jpg' })
  // Each jump of the clock aborts the requests that have not been answered.
  await expect
    .poll(
      async () => {
        await page.clock.fastForward(61_000)
        return photoOn(page, 'polled.jpg').count()
      },
      { interval: 1_000 },
    )
    .toBe(1)
  await giveUp(page)

  const answerPolls = await holdPolls(page)
  connection.restore()
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await sign(page).waitFor({ state: 'detached' })
  answerPolls()
  await visitor.upload(file, { name: 'pushed.jpg' })
  await photoOn(page, 'pushed.jpg').waitFor()
})

test('the live connection is back as soon as the network is', async () => {
  const visitor = await server.newUser()
  const { page, connection } = await openLatest(visitor)
  await page.clock.install()
  await page.context().setOffline(true)
  await connection.cut()
  await expect
    .poll(async () => {
      await page.clock.fastForward(31_000)
      return page.getByText('Checking every minute').or(page.getByText('No connection')).count()
    })
    .toBe(1)
  expect(await photoOn(page, 'before.jpg').isVisible()).toBe(true)
  // Without an answer until the page closes: to continue a request then would be an error.
  await holdPolls(page)
  connection.restore()
  await page.context().setOffline(false)
  await sign(page).waitFor({ state: 'detached' })
})

/** Keeps polls without an answer, which would bring the live connection back, too, until the returned function is called. */
async function holdPolls(page: Page): Promise<() => void> {
  const released = Promise.withResolvers<void>()
  await page.route('**/photos/latest', async (route) => {
    await released.promise
    await route.continue()
  })
  return released.resolve
}

/** Advances the clock until the page has stopped trying by itself. */
async function giveUp(page: Page): Promise<void> {
  await vi.waitUntil(
    async () => {
      await page.clock.fastForward(31_000)
      return page.getByText('Checking every minute').isVisible()
    },
    { timeout: waitLimitMs, interval: 100 },
  )
}

test('an admin sees on every page whether the connection is open, and can test it on Latest', async () => {
  const visitor = await server.newUser({ isAdmin: true })
  const { page, connection } = await openLatest(visitor)
  await page.getByText('WS: Connected').waitFor()
  const panel = page.getByRole('region', { name: 'Debug' })
  await pressControl(page, page.getByRole('button', { name: 'Show Debug' }), panel)
  await panel.getByText('Connected', { exact: true }).waitFor()
  await panel.getByRole('button', { name: 'Test' }).click()
  await panel.getByText(/^Test answered at /).waitFor()

  await connection.cut()
  await page.getByText('WS: Disconnected').waitFor()
  await panel.getByText('Reconnecting', { exact: true }).waitFor()
  await panel.getByRole('button', { name: 'Test' }).click()
  await panel.getByText('The live channel isn’t connected.').waitFor()
  connection.restore()
  await page.getByText('WS: Connected').waitFor()
  expect(server.pageErrors).toEqual([])
})

test('a program that is killed and started again under an open screen leaves no trace on it', async () => {
  const own = await startTestServer()
  onTestFinished(own.close)
  const visitor = await own.newUser()
  await visitor.upload(file, { name: 'before.jpg' })
  const page = await own.newPage({ visitor, isIsolated: true })
  await page.goto('/latest')
  await photoOn(page, 'before.jpg').waitFor()
  await page.clock.install()

  own.program.kill('SIGKILL')
  await own.program.ended
  await page.getByText('Reconnecting', { exact: true }).waitFor()
  expect(await photoOn(page, 'before.jpg').isVisible()).toBe(true)
  await own.restart()
  // The page waits longer after each failed attempt, at most a minute.
  await expect
    .poll(
      async () => {
        await page.clock.fastForward(61_000)
        return sign(page).count()
      },
      { interval: 1_000 },
    )
    .toBe(0)
  await visitor.upload(file, { name: 'after.jpg' })
  await photoOn(page, 'after.jpg').waitFor()
  expect(own.pageErrors).toEqual([])
})
