/** An account after a season: finding, selecting and deleting photos, requests and insights. `npm run record -- season` has all of it. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { isRecord } from '@keepsnap/server/test/statistics.ts'
import { sampleJpeg } from './pictures.ts'
import { fillSeason } from './season.ts'
import { useSharedServer } from './use-shared-server.ts'
import type { Visitor } from './visitor.ts'

const sizes = isRecord
  ? { photos: 20_000, evenings: 50, requests: 8_000 }
  : { photos: 2_000, evenings: 20, requests: 1_000 }
const timeout = 1_200_000

let visitor: Visitor
const server = useSharedServer()
beforeAll(async () => {
  visitor = await server.newUser({ plan: 'pro_yearly' })
  await visitor.send('PUT', '/user/settings', { time_zone: 'Europe/Brussels' })
  for (const name of ['dance-1200', 'table-1200', 'rings-1000'])
    await visitor.addPhoto(await sampleJpeg(name, 600), `${name}.jpg`)
  await fillSeason(server, visitor, sizes)
}, timeout)

/** What is shown with the results of a record run; times are never tested. */
const tell = (line: string): void => {
  if (isRecord) console.log(`season: ${line}`)
}
const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`

/** The calls of the list of photos from now on. */
function listCallsOf(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname === '/photos' && request.method() === 'GET') calls.push(search)
  })
  return calls
}

const tiles = (page: Page) => page.locator('[data-photo]')
/** A photo in the middle of the page. */
const middlePhoto = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const isBelow = (tile: Element): boolean => tile.getBoundingClientRect().top > window.innerHeight / 3
    return [...document.querySelectorAll<HTMLElement>('[data-photo]')].find(isBelow)?.dataset['photo'] ?? ''
  })
/** Rows are laid out anew from where the list begins, so that a photo may be beside its place. */
const isInView = (page: Page, id: string): Promise<boolean> =>
  page.evaluate((photo) => {
    const box = document.querySelector(`[data-photo="${photo}"]`)?.getBoundingClientRect()
    return box !== undefined && box.bottom > 0 && box.top < window.innerHeight
  }, id)

test('an evening is found without loading those between, and nothing is loaded again', { timeout }, async () => {
  const page = await server.newPage({ visitor })
  const calls = listCallsOf(page)
  let start = performance.now()
  await page.goto('/gallery')
  await tiles(page).first().waitFor()
  tell(`first photos after ${seconds(start)}`)

  await page.waitForTimeout(1_500)
  await page.keyboard.press('End')
  await page.waitForTimeout(3_000)
  tell(`End once: ${calls.length} pages loaded`)
  expect(calls.length).toBeLessThanOrEqual(3)

  await page.getByRole('button', { name: 'Go to date' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Go to date' })
  const evening = dialog.getByRole('listitem').last().getByRole('button')
  const day = (await evening.textContent())?.replace(/[\d.,]+$/, '').trim()
  calls.length = 0
  start = performance.now()
  await evening.click()
  await page.getByRole('heading', { name: day! }).waitFor()
  tell(`the oldest evening after ${seconds(start)}, ${calls.length} pages loaded`)
  expect(calls.filter((search) => search.includes('from='))).toHaveLength(1)
  // Beside it, at most one page on each side.
  expect(calls.length).toBeLessThanOrEqual(3)
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
  tell(`${nodes} nodes`)
  expect(nodes).toBeLessThan(1_000)

  await page.mouse.move(600, 500)
  await page.mouse.wheel(0, 900)
  await page.waitForTimeout(1_000)
  const photo = await middlePhoto(page)
  await page.reload()
  await expect.poll(() => isInView(page, photo)).toBe(true)
  // Newer photos are loaded above it.
  await page.waitForTimeout(2_000)

  calls.length = 0
  await page.getByRole('link', { name: 'Upload', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Upload', exact: false }).first().waitFor()
  await page.goBack()
  await expect.poll(() => isInView(page, photo)).toBe(true)
  await page.context().setOffline(true)
  await page.waitForTimeout(1_000)
  await page.context().setOffline(false)
  await page.waitForTimeout(3_000)
  tell(`Back from Upload, and a lost network: ${calls.length} pages loaded`)
  expect(calls.length).toBeLessThanOrEqual(2)

  const search = page.getByRole('textbox', { name: 'Search by file name' })
  start = performance.now()
  await search.fill('img_99000')
  await expect.poll(() => tiles(page).count()).toBe(sizes.photos > 1_000 ? 1 : 0)
  tell(`a file name after ${seconds(start)}`)
  expect(server.pageErrors).toEqual([])
})

test('the viewer keeps every key', { timeout }, async () => {
  const page = await server.newPage({ visitor })
  await page.goto('/gallery')
  await tiles(page).first().click()
  const viewer = page.getByRole('dialog')
  await viewer.getByText(/^Photo 1 of /).waitFor()
  await page.waitForTimeout(500)
  const start = performance.now()
  for (let n = 0; n < 300; n++) await page.keyboard.press('ArrowRight')
  await viewer.getByText(/^Photo 301 of /).waitFor()
  tell(`300 keys in ${seconds(start)}`)
  expect(server.pageErrors).toEqual([])
})

test('an evening is selected, and its deletion is stopped and continued', { timeout }, async () => {
  const page = await server.newPage({ visitor, isIsolated: true })
  await page.addInitScript(() => {
    const longTasks: number[] = []
    Object.assign(window, { longTasks })
    new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    })
  })
  const statusCalls: string[] = []
  page.on(
    'request',
    (request) => /\/(subscriptions\/status|user\/me)/.test(request.url()) && statusCalls.push(request.url()),
  )
  await page.goto('/gallery')
  const evenings = page.getByRole('button', { name: /^Select all photos of / })
  await evenings.nth(1).click()
  const bar = page.getByRole('region', { name: 'Selected photos' })
  const perEvening = sizes.photos / sizes.evenings
  await expect
    .poll(async () => Number(/[\d,]+/.exec(await bar.getByRole('status').innerText())?.[0].replace(',', '')))
    .toBeGreaterThanOrEqual(perEvening - 5)
  const selected = Number(/[\d,]+/.exec(await bar.getByRole('status').innerText())?.[0].replace(',', ''))
  const countOf = async (): Promise<number> =>
    Number(((await page.locator('.page-head output').innerText()).match(/[\d,]+/) ?? ['0'])[0].replaceAll(',', ''))
  const before = await countOf()
  await page.waitForTimeout(2_000)
  statusCalls.length = 0
  await page.evaluate(() => ((window as unknown as { longTasks: number[] }).longTasks.length = 0))

  await bar.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByText(/cannot be undone/).waitFor()
  await dialog.getByRole('button', { name: /^Delete/ }).click()
  await dialog.getByText(/^Deleting [1-9]/).waitFor()
  let start = performance.now()
  await page.keyboard.press('Escape')
  await dialog.getByText('Deletion stopped').waitFor()
  tell(`stopped after ${seconds(start)}`)
  const gone = Number(/[\d,]+/.exec(await dialog.getByText(/deleted\./).innerText())?.[0].replace(',', ''))
  expect(gone).toBeGreaterThan(0)
  expect(gone).toBeLessThan(selected)
  await expect.poll(countOf).toBe(before - gone)

  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await bar.getByRole('button', { name: 'Delete' }).click()
  start = performance.now()
  await dialog.getByRole('button', { name: /^Delete/ }).click()
  await dialog.waitFor({ state: 'hidden' })
  tell(`${selected - gone} deleted in ${seconds(start)}`)
  await expect.poll(countOf).toBe(before - selected)
  await page.waitForTimeout(3_000)
  const longTasks = await page.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks)
  tell(
    `${longTasks.length} long tasks, the longest ${Math.round(Math.max(0, ...longTasks))} ms; ${statusCalls.length} calls for counts`,
  )
  expect(statusCalls.length).toBeLessThanOrEqual(8)
  expect(server.pageErrors).toEqual([])
})

test('requests are drawn as needed, and searched', { timeout }, async () => {
  const page = await server.newPage({ visitor })
  let start = performance.now()
  await page.goto('/photo-requests')
  await page
    .getByText(/^guest\d+@example\.com$/)
    .first()
    .waitFor()
  tell(`first requests after ${seconds(start)}`)
  for (let n = 0; n < 6; n++) {
    await page.keyboard.press('End')
    await page.waitForTimeout(500)
  }
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
  tell(`${nodes} nodes on Photo Requests`)
  expect(nodes).toBeLessThan(1_500)
  start = performance.now()
  await page.getByRole('searchbox', { name: 'Search by email address' }).fill('guest77@')
  await expect.poll(() => page.getByText(/^guest\d+@example\.com$/).allInnerTexts()).toEqual(['guest77@example.com'])
  tell(`an address after ${seconds(start)}`)
  expect(server.pageErrors).toEqual([])
})

test('insights of twelve months compare two evenings', { timeout }, async () => {
  const page = await server.newPage({ visitor })
  await page.goto('/insights')
  await page.getByRole('radio', { name: '12 months' }).click()
  await page.getByRole('heading', { name: 'Two evenings side by side' }).waitFor()
  expect(server.pageErrors).toEqual([])
})
