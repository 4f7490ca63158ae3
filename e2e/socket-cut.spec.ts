import type { Page, WebSocketRoute } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { startTestServer, useSharedServer, type TestServer } from './test-server.ts'
import { sampleJpeg } from './pictures.ts'
import type { Visitor } from './visitor.ts'

let server: TestServer
let file: Uint8Array<ArrayBuffer>
beforeAll(async () => {
  server = await useSharedServer()
  file = Uint8Array.from(await sampleJpeg('table-720', 720))
})
afterAll(() => server.close())

/** The line between a page and the live channel, to be cut and mended. Everything else still gets through. */
interface Line {
  cut(): Promise<void>
  mend(): void
  attempts(): number
}
async function lineOf(page: Page): Promise<Line> {
  let isCut = false
  let attempts = 0
  const open = new Set<WebSocketRoute>()
  // No code that the protocol knows: to the page it is a line that broke.
  const drop = (socket: WebSocketRoute): Promise<void> => socket.close({ code: 4000 })
  await page.routeWebSocket(/\/ws\?/, async (socket) => {
    attempts += 1
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
    mend() {
      isCut = false
    },
    attempts: () => attempts,
  }
}

const photoOn = (page: Page, name: string) => page.getByRole('img', { name: new RegExp(`^${name}, `) })
const sign = (page: Page) => page.locator('.latest__connection')

async function stageOf(visitor: Visitor): Promise<{ page: Page; line: Line }> {
  await visitor.upload(file, { name: 'before.jpg' })
  const page = await server.newPage({ visitor })
  const line = await lineOf(page)
  await page.goto('/latest')
  await photoOn(page, 'before.jpg').waitFor()
  await sign(page).waitFor({ state: 'detached' })
  return { page, line }
}

test('a cut line shows a small sign beside the last photo; once mended, what was missed appears by itself', async () => {
  const visitor = await server.newUser()
  const { page, line } = await stageOf(visitor)
  await line.cut()
  await page.getByText('Reconnecting', { exact: true }).waitFor()
  expect(await photoOn(page, 'before.jpg').isVisible()).toBe(true)
  await visitor.upload(file, { name: 'missed.jpg' })
  line.mend()
  await photoOn(page, 'missed.jpg').waitFor()
  await sign(page).waitFor({ state: 'detached' })
})

test('after five attempts in vain the page asks every minute, and connects again when somebody looks at it', async () => {
  const visitor = await server.newUser()
  const { page, line } = await stageOf(visitor)
  await page.clock.install()
  await line.cut()
  await giveUp(page)
  expect(line.attempts()).toBeGreaterThanOrEqual(6)

  await visitor.upload(file, { name: 'polled.jpg' })
  await expect
    .poll(async () => {
      await page.clock.fastForward(61_000)
      return photoOn(page, 'polled.jpg').count()
    })
    .toBe(1)
  await giveUp(page)

  line.mend()
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await sign(page).waitFor({ state: 'detached' })
  await visitor.upload(file, { name: 'pushed.jpg' })
  await photoOn(page, 'pushed.jpg').waitFor()
})

test('a network that was gone and returns brings the channel back at once', async () => {
  const visitor = await server.newUser()
  const { page, line } = await stageOf(visitor)
  await page.clock.install()
  await page.context().setOffline(true)
  await line.cut()
  await expect
    .poll(async () => {
      await page.clock.fastForward(31_000)
      return page.getByText('Checking every minute').or(page.getByText('No connection')).count()
    })
    .toBe(1)
  expect(await photoOn(page, 'before.jpg').isVisible()).toBe(true)
  line.mend()
  await page.context().setOffline(false)
  await sign(page).waitFor({ state: 'detached' })
})

/** Lets time pass until the page has stopped trying by itself. */
async function giveUp(page: Page): Promise<void> {
  await vi.waitUntil(
    async () => {
      await page.clock.fastForward(31_000)
      return page.getByText('Checking every minute').isVisible()
    },
    { timeout: 10_000, interval: 100 },
  )
}

test('an admin sees whether the channel stands, on every page, and can test it on the stage', async () => {
  const visitor = await server.newUser({ isAdmin: true })
  const { page, line } = await stageOf(visitor)
  await page.getByText('WS: Connected').waitFor()
  await page.getByRole('button', { name: 'Show Debug' }).click()
  const panel = page.getByRole('region', { name: 'Debug' })
  await panel.getByText('Connected', { exact: true }).waitFor()
  await panel.getByRole('button', { name: 'Test' }).click()
  await panel.getByText(/^Test answered at /).waitFor()

  await line.cut()
  await page.getByText('WS: Disconnected').waitFor()
  await panel.getByText('Reconnecting', { exact: true }).waitFor()
  await panel.getByRole('button', { name: 'Test' }).click()
  await panel.getByText('The live channel isn’t connected.').waitFor()
  line.mend()
  await page.getByText('WS: Connected').waitFor()
  expect(server.pageErrors).toEqual([])
})

test('a program that is killed and started again under an open screen leaves no trace on it', async () => {
  const own = await startTestServer()
  onTestFinished(own.close)
  const visitor = await own.newUser()
  await visitor.upload(file, { name: 'before.jpg' })
  const page = await own.newPage({ visitor })
  await page.goto('/latest')
  await photoOn(page, 'before.jpg').waitFor()

  own.program.kill('SIGKILL')
  await own.program.ended
  await page.getByText('Reconnecting', { exact: true }).waitFor()
  expect(await photoOn(page, 'before.jpg').isVisible()).toBe(true)
  await own.restart()
  await sign(page).waitFor({ state: 'detached', timeout: 30_000 })
  await visitor.upload(file, { name: 'after.jpg' })
  await photoOn(page, 'after.jpg').waitFor()
  expect(own.pageErrors).toEqual([])
})
