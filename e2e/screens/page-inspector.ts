import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page, Request } from 'playwright-core'
import { languageCookie, type Language } from '@keepsnap/contract/languages.ts'
import { nextClientAddress } from '../contexts.ts'
import type { DedicatedServer } from '../test-server.ts'
import type { Visitor } from '../visitor.ts'
import { waitLimitMs } from '../wait-limit.ts'
import { wordChecker } from './words.ts'
import { countLayoutShifts, layoutProblems, shiftProblems } from './layout-problems.ts'
import type { Route } from './routes.ts'

const folder = join(import.meta.dirname, '../../test-results/screens-13')
/** Longer pages are cut off in their pictures. */
const maxPictureHeight = 4_000
const height = { phone: 844, desk: 900 }
const isPhone = (width: number): boolean => width < 600

/** One width at which a page is checked, and the themes of its screenshots. `isCold`: with an empty cache. */
export type ScreenVariant = { width: number; themes: readonly ('light' | 'dark')[]; isCold?: boolean }

/** English is checked in both themes, the other languages at the narrowest, a usual and a wide width. */
export const variantsFor = (language: Language, { isRepeated = false }: Route): ScreenVariant[] => {
  if (isRepeated) return language === 'en' ? [{ width: 390, themes: ['light'] }] : []
  if (language !== 'en') return [320, 390, 1280].map((width) => ({ width, themes: ['light'] }))
  return [390, 768, 1280, 1920].map((width) => ({ width, themes: ['light', 'dark'], isCold: isPhone(width) }))
}

/** One page of a browser. */
export interface PageInspector {
  /** Opens a page in one size, and saves its pictures. What is wrong with it; undefined if it redirects this viewer. */
  look(route: Route, look: ScreenVariant): Promise<string[] | undefined>
}

/** One page of a browser that looks at all routes of a viewer in one language. */
export async function createPageInspector(
  server: DedicatedServer,
  { language, visitor, hasCookieNotice }: { language: Language; visitor?: Visitor; hasCookieNotice: boolean },
): Promise<PageInspector> {
  const page = await server.newPage({ isIsolated: true, hasCookieNotice, ...(visitor && { visitor }) })
  const context = page.context()
  // Several pages share the processor.
  context.setDefaultTimeout(90_000)
  await context.addCookies([{ name: languageCookie, value: language, url: server.address }])
  await countLayoutShifts(page)
  const devTools = await context.newCDPSession(page)
  await devTools.send('Network.enable')
  const wordProblems = await wordChecker(language)
  const errors = watchErrors(page)
  const requests = watchRequests(page)
  const told = new Set<string>()

  return {
    async look(route, { width, themes, isCold = false }) {
      errors.length = 0
      const { name, path, reach } = route
      // Nobody loads pages as quickly as this: each comes from another address.
      await context.setExtraHTTPHeaders({ 'x-forwarded-for': nextClientAddress() })
      // As on a first visit with network latency, when late fonts and responses cause layout shifts.
      await devTools.send('Network.setCacheDisabled', { cacheDisabled: isCold })
      const speed = { downloadThroughput: -1, uploadThroughput: -1 }
      await devTools.send('Network.emulateNetworkConditions', { offline: false, latency: isCold ? 60 : 0, ...speed })
      await page.setViewportSize({ width, height: isPhone(width) ? height.phone : height.desk })
      await page.emulateMedia({ colorScheme: 'light' })
      requests.forget()
      await page.goto(path)
      await requests.untilNone()
      await showAll(page)
      if (new URL(page.url()).pathname !== new URL(path, server.address).pathname) return undefined
      const problems = await shiftProblems(page)
      await reach?.(page)
      problems.push(...(await layoutProblems(page)))
      const isMainEnglish = route.englishIn?.includes(language) ?? false
      // Once for each page, not for each width.
      const wrong = (await wordProblems(page, isMainEnglish)).filter((problem) => !told.has(name + problem))
      for (const problem of wrong) told.add(name + problem)
      problems.push(...wrong)
      const lang = await page.evaluate(() => document.documentElement.lang)
      if (lang !== language) problems.push(`lang is ${lang}`)
      for (const theme of themes) await takePicture(page, join(language, `${width}-${theme}`, `${name}.png`), theme)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      return [...problems, ...errors].map((problem) => `${name} ${width}: ${problem}`)
    },
  }
}

/** Errors of the page in its console, with what the Content-Security-Policy refused. */
function watchErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(`error: ${message}`))
  page.on('console', (message) => {
    // Answers such as 404 of an account without photos. The pages say what they mean.
    const isAnswer = /^Failed to load resource: the server responded with a status of 4(00|01|04|10|22)/.test(
      message.text(),
    )
    if (message.type() === 'error' && !isAnswer) errors.push(`console: ${message.text()}`)
  })
  return errors
}

/** The requests of a page that are not answered yet. */
function watchRequests(page: Page) {
  const underWay = new Set<Request>()
  const onEnd = (request: Request): void => void underWay.delete(request)
  page.on('request', (request) => underWay.add(request))
  page.on('requestfinished', onEnd)
  page.on('requestfailed', onEnd)
  return {
    /** Forgets the requests of the previous page, whose end is not reported. */
    forget: () => underWay.clear(),
    /** Waits until the page has a heading and no request, and none follows from what the last answers made it draw. */
    async untilNone(): Promise<void> {
      await page.locator('h1').first().waitFor({ state: 'attached' })
      const until = performance.now() + waitLimitMs
      for (let quietTimes = 0; quietTimes < 5;) {
        quietTimes = underWay.size === 0 ? quietTimes + 1 : 0
        if (performance.now() > until)
          throw new Error(`no answer to ${[...underWay].map((one) => one.url()).join(', ')}`)
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
      }
    },
  }
}

/** Lets the page load what it loads when it is scrolled, and waits until all fonts and pictures are there. */
async function showAll(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const end = Math.min(document.documentElement.scrollHeight, 8_000)
    for (let y = window.innerHeight; y < end; y += window.innerHeight) {
      window.scrollTo({ top: y, behavior: 'instant' })
      await drawn()
    }
    window.scrollTo({ top: 0, behavior: 'instant' })
    await document.fonts.ready
    await drawn()
  })
  await page.waitForFunction(() =>
    Array.from(document.images).every((image) => image.complete || !image.checkVisibility()),
  )
}

async function takePicture(page: Page, file: string, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  const size = await page.evaluate(() => ({
    width: window.innerWidth,
    height: document.documentElement.scrollHeight,
  }))
  const clip = { x: 0, y: 0, width: size.width, height: Math.min(size.height, maxPictureHeight) }
  const path = join(folder, file)
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, await page.screenshot({ fullPage: true, clip, animations: 'disabled' }))
}
