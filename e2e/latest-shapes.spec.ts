import type { Event } from '@keepsnap/contract/events.ts'
import { isRecord } from '../server/test/statistics.ts'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { nextFrame } from './page-problems.ts'
import { codesIn, codesOn, keepPicture, sampleJpeg } from './pictures.ts'
import { useSharedServer } from './use-shared-server.ts'
import type { Visitor } from './visitor.ts'

/** The screens that show Latest: televisions, totems, projectors, very wide screens, phones. */
const shapes = [
  { name: '16:9', width: 1920, height: 1080 },
  { name: '9:16', width: 1080, height: 1920 },
  { name: '4:3', width: 1024, height: 768 },
  { name: '21:9', width: 2560, height: 1080 },
  { name: 'upright phone', width: 390, height: 844, density: 2 },
  { name: 'sideways phone', width: 844, height: 390, density: 2 },
]
type Shape = (typeof shapes)[number]
/** Those on which every code is read without the record run: the widest list of photos, and the smallest. */
const readShapes = isRecord ? shapes : shapes.filter(({ name }) => /^(16:9|sideways phone)$/.test(name))

interface Box {
  name: string
  left: number
  top: number
  right: number
  bottom: number
}

const phones: [number, number][] = [
  [320, 568],
  [390, 844],
  ...(isRecord
    ? ([
        [360, 640],
        [430, 932],
      ] as [number, number][])
    : []),
]

let branded: Page
let plain: Page
const server = useSharedServer()
beforeAll(async () => {
  const [owner, other] = await Promise.all([server.newUser({ plan: 'pro_yearly', isAdmin: true }), server.newUser()])
  const photo = await sampleJpeg('table-1200', 480)
  await owner.addBrand('/upload-logo', photo)
  await owner.addBrand('/upload-background', photo)
  const settings = { name: 'Lotte & Bram', gallery: 'link', code_on_latest: true }
  const event = (await (await owner.send('POST', '/user/events', settings)).json()) as Event // what the contract says
  await owner.send('PUT', '/user/current-event', { event_id: event.id })
  for (let number = 1; number <= 5; number++) await owner.upload(photo, { name: `${number}.jpg` })
  await other.upload(photo, { name: 'only.jpg' })
  ;[branded, plain] = await Promise.all([openLatest(owner), openLatest(other)])
  await branded.locator('.latest__logo').waitFor()
  await branded.locator('.latest__event img').waitFor()
  await branded.locator('.latest__recent-photo').nth(3).waitFor({ state: 'attached' })
})

async function openLatest(visitor: Visitor): Promise<Page> {
  const page = await server.newPage({ visitor })
  await page.goto('/latest')
  await page.getByText('Scan to keep this photo').waitFor()
  return page
}

/** Shows the page on a screen of this shape. Returns a function that takes a picture of it, once all its images are there. */
async function showOn(page: Page, { width, height, density: scale = 1 }: Shape): Promise<() => Promise<Buffer>> {
  await page.setViewportSize({ width, height })
  await page.waitForFunction((size) => innerWidth === size.width && innerHeight === size.height, { width, height })
  await nextFrame(page)
  return async () => {
    await page.waitForFunction(() =>
      Array.from(document.images).every(({ complete, loading }) => complete || loading === 'lazy'),
    )
    await nextFrame(page)
    const session = await page.context().newCDPSession(page)
    const clip = { x: 0, y: 0, width, height, scale }
    const { data } = await session.send('Page.captureScreenshot', { format: 'jpeg', quality: 90, clip })
    await session.detach()
    return Buffer.from(data, 'base64')
  }
}

/** Where the parts of the page are: those of `codes` that are not clipped, and what must not cover them. */
const layoutOf = (page: Page) =>
  page.evaluate(() => {
    const boxOf = (element: Element): Box => {
      const { left, top, right, bottom } = element.getBoundingClientRect()
      const picture = element.querySelector('img:last-child')
      const name =
        element instanceof HTMLImageElement ? element.src : (picture?.getAttribute('src') ?? element.className)
      return { name, left, top, right, bottom }
    }
    const visible = (selector: string): Element[] =>
      Array.from(document.querySelectorAll(selector)).filter((element) => {
        const { width } = element.getBoundingClientRect()
        return width > 0 && getComputedStyle(element).opacity !== '0'
      })
    const list = document.querySelector('.latest__recent-list')?.getBoundingClientRect()
    const isInList = (element: Element): boolean => {
      const { left } = element.getBoundingClientRect()
      return list !== undefined && left < list.right
    }
    return {
      main: visible('.latest__code img').map(boxOf),
      others: visible('.latest__recent-photo').filter(isInList).map(boxOf),
      otherCodes: [...visible('.latest__recent-photo > img').filter(isInList), ...visible('.latest__event > img')].map(
        boxOf,
      ),
      list: list ? { bottom: list.bottom, right: list.right } : { bottom: 0, right: 0 },
      covers: visible(
        '.latest__logo, .latest__event > img, .latest__note, .nav, .bottom-tabs, .latest__toolbar, .latest__admin, .latest__image',
      ).map(boxOf),
      scrolls: document.documentElement.scrollHeight > window.innerHeight,
    }
  })

const overlap = (a: Box, b: Box): boolean =>
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5 &&
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5

/** The names of parts that cover each other or leave the screen. */
async function problemsOf(page: Page, { width, height }: Shape): Promise<string[]> {
  const { main, others, covers, list } = await layoutOf(page)
  const cards = [...main, ...others]
  const logo = covers.filter(({ name }) => name.includes('/b/') || name.includes('/qr/e/') || name === 'latest__note')
  const pairs = [...cards, ...logo].flatMap((card) => [...cards, ...covers].map((other) => [card, other] as const))
  return [
    ...pairs.filter(([a, b]) => a.name !== b.name && overlap(a, b)).map(([a, b]) => `${a.name} and ${b.name} overlap`),
    ...cards
      .filter((card) => card.left < 0 || card.top < 0 || card.right > width || card.bottom > height)
      .map(({ name }) => `${name} is not on the screen`),
    ...others.filter((card) => card.bottom > list.bottom + 0.5).map(({ name }) => `${name} is cut`),
  ]
}

/** Every code that is shown scans, is at most two thirds as large as the photo's own, and nothing covers it. */
async function expectAllCodes(shape: Shape): Promise<void> {
  const takePicture = await showOn(branded, shape)
  await keepPicture(`screens/latest/${shape.name} with brand`, takePicture)
  expect(await problemsOf(branded, shape)).toEqual([])
  const { main, otherCodes, scrolls } = await layoutOf(branded)
  const shown = [...main, ...otherCodes].map(({ name }) => name.split('/').at(-1)!.replace('.svg', ''))
  expect(shown.length).toBeGreaterThan(1)
  expect(scrolls).toBe(false)
  const read = (await codesIn(await takePicture())).map((text) => text.split('/').at(-1)!)
  expect(read.toSorted()).toEqual(shown.toSorted())
  const widths = [...main, ...otherCodes].map(({ left, right }) => right - left)
  expect(Math.max(...widths.slice(1))).toBeLessThanOrEqual((widths[0]! * 2) / 3)
}

test.each(readShapes)('$name: with its controls, every code scans and nothing is covered or cut', async (shape) => {
  await branded.keyboard.press('Shift')
  await branded.locator('.latest:not(.latest--idle)').waitFor()
  await expectAllCodes(shape)
})

test('one photo without logo, background and other photos fits every screen', async () => {
  for (const shape of shapes) {
    const takePicture = await showOn(plain, shape)
    await keepPicture(`screens/latest/${shape.name} plain`, takePicture)
    expect([shape.name, await problemsOf(plain, shape)]).toEqual([shape.name, []])
  }
})

test('the page loads at most 25 files', async () => {
  await plain.reload()
  await plain.getByText('Scan to keep this photo').waitFor()
  const others = await plain.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  // On a busy machine the live connection comes late, and what has changed meanwhile is asked for again.
  expect(new Set(['/latest', ...others]).size).toBeLessThanOrEqual(25)
})

test('on phones the photo is large, controls are above the tabs, and all others in a menu', async () => {
  for (const [width, height] of phones) {
    await showOn(branded, { name: 'phone', width, height })
    const more = branded.getByRole('button', { name: 'More' })
    await more.waitFor()
    const parts = await branded.evaluate(() => {
      const boxOf = (selector: string) => document.querySelector(selector)!.getBoundingClientRect()
      return {
        photo: boxOf('.latest__photo').height,
        controls: boxOf('.latest__toolbar').bottom,
        tabs: boxOf('.bottom-tabs').top,
        sideways: document.documentElement.scrollWidth - window.innerWidth,
      }
    })
    expect(parts.photo / height).toBeGreaterThan(height < 600 ? 0.43 : 0.449)
    expect(parts.controls).toBeLessThanOrEqual(parts.tabs)
    expect(parts.sideways).toBe(0)
    await more.click()
    const names = ['Ask for email: off', 'Refresh', 'QR code', 'Other photos', 'Keyboard shortcuts']
    const buttons = names.map((name) => branded.getByRole('button', { name }))
    const list = branded.getByRole('combobox', { name: 'Slideshow' })
    for (const control of [...buttons, list, branded.getByRole('link', { name: 'Download' })])
      expect([width, await isOnScreen(control)]).toEqual([width, true])
    await branded.getByRole('button', { name: 'QR code' }).click()
    await branded.getByRole('dialog', { name: 'QR code' }).waitFor()
    await branded.keyboard.press('Escape')
    await expect.poll(() => more.evaluate((button) => button === document.activeElement)).toBe(true)
  }
})

/** Whether nothing covers or cuts it. */
const isOnScreen = (control: Locator): Promise<boolean> =>
  control.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    const corners = [top + 2, bottom - 2].map((y) => document.elementFromPoint((left + right) / 2, y))
    return corners.every((found) => element.contains(found))
  })

/** Every code leads to the page of a sample picture of this server. */
async function expectSamplePages(codes: string[]): Promise<void> {
  expect(codes.length).toBeGreaterThan(0)
  for (const code of codes) {
    expect(code).toMatch(new RegExp(`^${server.address}/sample/[a-z]+$`))
    const answer = await fetch(code, { headers: { accept: 'text/html' } })
    const page = await answer.text()
    expect([answer.status, page.includes('Download')]).toEqual([200, true])
    const picture = /href="([^"]+)" download=/.exec(page)?.[1]
    const file = await fetch(`${server.address}${picture}`)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect(file.headers.get('cache-control')).toContain('immutable')
  }
}

test('the home page leads to the demonstration, which fits its screen; the codes of both lead to sample pictures of this server', async () => {
  const page = await server.newPage()
  await page.goto('/')
  // Of the app: the pictures of the page before it go away.
  const app = page.locator('#root:not([data-rendered])')
  const code = app.getByRole('img', { name: 'QR code of the example photo' })
  await code.evaluate((picture: HTMLImageElement) => picture.decode())
  await expectSamplePages(await codesOn(page))
  await page.getByRole('link', { name: 'See the big screen' }).click()
  await page.getByText('Scan to keep this photo').waitFor()
  await page.locator('.latest__recent-photo').nth(3).waitFor({ state: 'attached' })
  for (const shape of isRecord ? shapes : shapes.filter(({ name }) => name === '16:9')) {
    const takePicture = await showOn(page, shape)
    // A phone scrolls to the other photos.
    const isPhone = shape.name === 'upright phone'
    const problems = (await problemsOf(page, shape)).filter((problem) => !isPhone || !problem.endsWith('on the screen'))
    expect([shape.name, problems]).toEqual([shape.name, []])
    await page.locator('.latest__note').getByRole('link', { name: 'Get Started' }).waitFor()
    if (shape.name !== '16:9') continue
    const [{ main, others }, read] = [await layoutOf(page), await codesIn(await takePicture())]
    expect(read.length).toBe(main.length + others.length)
    await expectSamplePages(read)
  }
  expect(server.pageErrors).toEqual([])
})

/** A page with a clock of its own, and how to break what it loads until it is whole again. */
async function openBroken(files: string, body: string) {
  const page = await server.newPage({ isIsolated: true })
  await page.clock.install()
  await page.route(files, (route) => route.fulfill({ contentType: 'text/javascript', body }))
  await page.goto('/demo-screen', { waitUntil: 'commit' })
  return page
}

test('a screen whose script does not parse says what it needs, and loads itself again once it is whole', async () => {
  const page = await openBroken('**/assets/*.js', '!!!')
  await page.getByText('Keepsnap needs a newer browser').waitFor()
  await page.unrouteAll()
  await page.clock.runFor(10_000)
  await page.getByText('Scan to keep this photo').first().waitFor()
  expect(await page.getByText('Keepsnap needs a newer browser').isVisible()).toBe(false)
})

test('a screen that stops with an exception says so in colours that can be read, and loads itself again', async () => {
  const page = await openBroken(
    '**/assets/DemoScreenPage-*.js',
    'export const DemoScreenPage = () => { throw new Error("a bug of a test") }',
  )
  const alert = page.getByRole('alert')
  await alert.getByText('It reloads by itself').waitFor()
  const colours = await alert.evaluate((element) => [
    getComputedStyle(element).color,
    getComputedStyle(element.closest('.latest-page')!).backgroundColor,
  ])
  expect(colours).toEqual(['rgb(251, 246, 238)', 'rgb(15, 13, 11)'])
  await page.unrouteAll()
  await page.clock.runFor(10_000)
  await page.getByText('Scan to keep this photo').first().waitFor()
})
