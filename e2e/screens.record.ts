import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultLanguage, type Language, languageCookie, languages } from '@keepsnap/contract/languages.ts'
import { contextIn, samplePictures, sampleRenderer, samplesIn, withPictures } from '../scripts/email-samples.ts'
import {
  axeViolations,
  countLayoutShifts,
  forcedColourProblems,
  layoutProblems,
  nextFrame,
  shiftProblems,
  showTheme,
  zoomProblems,
} from './page-problems.ts'
import { nextClientAddress, openBrowser } from './browser.ts'
import { keepPicture } from './pictures.ts'
import { type Content, populate } from './populate-server.ts'
import { waitLimitMs } from './program.ts'
import { allStates, openState, type State, type Viewer } from './states.ts'
import { useSharedServer } from './use-shared-server.ts'
import { planIds, plans } from '@keepsnap/contract/plans.ts'

const timeout = 3_600_000
const viewers = ['visitor', 'undecided', 'free', 'pro', 'offline'] as const satisfies Viewer[]
/** KEEPSNAP_SCREENS=de/settings looks at some pages only: those whose language and name contain the two parts. */
const [wantedLanguage = '', wantedName = ''] = (process.env['KEEPSNAP_SCREENS'] ?? '/').split('/')
const wantedLanguages = languages.filter((language) => language.includes(wantedLanguage))
const themes = ['light', 'dark'] as const
/** Longer pages are cut off in their pictures. */
const maxPictureHeight = 4_000

let content: Content
/** Opened before the tests: concurrent tests could not tell which of them has to close a page. */
const pages = new Map<string, Page>()
const server = useSharedServer()
beforeAll(async () => {
  content = await populate(server)
  const visitors: Partial<Record<Viewer, object>> = {
    undecided: { hasCookieNotice: true },
    free: { visitor: content.free },
    pro: { visitor: content.pro },
    offline: { visitor: content.pro },
  }
  for (const language of wantedLanguages)
    for (const viewer of viewers) {
      const page = await server.newPage({ isIsolated: true, ...visitors[viewer] })
      // Several pages share the processor.
      page.context().setDefaultTimeout(90_000)
      await page.context().addCookies([{ name: languageCookie, value: language, url: server.address }])
      await countLayoutShifts(page)
      if (viewer === 'offline') await page.routeWebSocket(/\/ws\?/, () => {})
      pages.set(`${language} ${viewer}`, page)
    }
}, timeout)
afterAll(() => server?.close())

/** English at four widths in both themes, the other languages at the narrowest, a usual and a wide width. */
function looksAt(language: Language, { isRepeated }: State): { width: number; isCold?: boolean }[] {
  if (isRepeated) return language === defaultLanguage ? [{ width: 390 }] : []
  if (language !== defaultLanguage) return [{ width: 320 }, { width: 390 }, { width: 1280 }]
  return [{ width: 320 }, { width: 390, isCold: true }, { width: 1280 }, { width: 1920 }]
}

test.concurrent.for(wantedLanguages.flatMap((language) => viewers.map((viewer) => ({ language, viewer }))))(
  '$language, $viewer: nothing is cut off, moves, fails, is inaccessible, lost in forced colours or at 400 %, or in another language',
  { timeout },
  async ({ language, viewer }) => {
    const page = pages.get(`${language} ${viewer}`)! // opened above
    const isDefault = language === defaultLanguage
    const states = (await allStates(content))
      .filter((state) => state.viewer === viewer && state.name.includes(wantedName))
      .filter(({ reach, says }) => isDefault || (!reach && !says))
    const look = await createInspector(page, language)
    const problems: string[] = []
    let count = 0
    for (const state of states)
      for (const { width, isCold = false } of looksAt(language, state)) {
        // One page that cannot be looked at does not hide what is wrong with the others.
        const found = await look(state, width, isCold).catch((error: unknown) => [String(error)])
        if (!found) break
        count += 1
        problems.push(...new Set(found.map((problem) => `${state.name} ${width}: ${problem}`)))
      }
    console.log(`screens: ${language}, ${viewer}: ${count} pages`)
    expect(problems).toEqual([])
  },
)

/** A function that opens a state at a width, keeps its pictures, and says what is wrong; nothing if it redirects this viewer. */
async function createInspector(page: Page, language: Language) {
  const context = page.context()
  const devTools = await context.newCDPSession(page)
  await devTools.send('Network.enable')
  const wordProblems = await wordChecker(language)
  const errors = watchErrors(page)
  const untilQuiet = watchRequests(page)
  return async (state: State, width: number, isCold: boolean): Promise<string[] | undefined> => {
    const { name, path, within, englishIn = [] } = state
    errors.length = 0
    // Nobody loads pages as quickly as this: each comes from another address.
    await context.setExtraHTTPHeaders({ 'x-forwarded-for': nextClientAddress() })
    // As on a first visit with network latency, when late fonts and responses cause layout shifts.
    await devTools.send('Network.setCacheDisabled', { cacheDisabled: isCold })
    const speed = { downloadThroughput: -1, uploadThroughput: -1 }
    await devTools.send('Network.emulateNetworkConditions', { offline: false, latency: isCold ? 60 : 0, ...speed })
    const viewport = { width, height: width < 600 ? 844 : 900 }
    await page.setViewportSize(viewport)
    await showTheme(page, 'light')
    try {
      await openState(page, state, content)
      await untilQuiet()
      await showAll(page)
      if (new URL(page.url()).pathname !== new URL(path, server.address).pathname && !state.reach) return undefined
      const isAsLoaded = !state.reach && !state.act
      const problems = [...(isAsLoaded ? await shiftProblems(page) : []), ...(await layoutProblems(page))]
      problems.push(...(await wordProblems(page, englishIn.includes(language))))
      if ((await page.evaluate(() => document.documentElement.lang)) !== language) problems.push('has another lang')
      for (const theme of language === defaultLanguage ? themes : (['light'] as const)) {
        await showTheme(page, theme)
        await keepPicture(`screens/${language}/${width}-${theme}/${name}`, () => picture(page))
        if (language === defaultLanguage && (width === 390 || width === 1280))
          problems.push(...(await axeViolations(page, within)).map((violation) => `${theme}: ${violation}`))
        if (language === defaultLanguage && width === 1280 && !within)
          problems.push(...(await forcedColourProblems(page)), ...(await zoomProblems(page)))
        await page.setViewportSize(viewport)
      }
      return [...problems, ...errors]
    } finally {
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    }
  }
}

/** Errors of the page in its console, with what the Content-Security-Policy refused. */
function watchErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(`error: ${message}`))
  page.on('console', (message) => {
    // Answers such as 404 of an account without photos, or none. The pages say what they mean.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      errors.push(`console: ${message.text()}`)
  })
  return errors
}

/** A function that waits until the page has no request that is not answered, and none follows from the last answers. */
function watchRequests(page: Page): () => Promise<void> {
  const underWay = new Set<Request>()
  const onEnd = (request: Request): void => void underWay.delete(request)
  page.on('request', (request) => {
    // The end of the requests of the page before is not reported.
    if (request.isNavigationRequest()) underWay.clear()
    underWay.add(request)
  })
  page.on('requestfinished', onEnd)
  page.on('requestfailed', onEnd)
  return async () => {
    const until = performance.now() + waitLimitMs
    for (let quietTimes = 0; quietTimes < 5;) {
      quietTimes = underWay.size === 0 ? quietTimes + 1 : 0
      if (performance.now() > until) throw new Error(`no answer to ${[...underWay].map((one) => one.url()).join(', ')}`)
      await nextFrame(page)
    }
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

async function picture(page: Page): Promise<Buffer> {
  const [width, height] = await page.evaluate(() => [window.innerWidth, document.documentElement.scrollHeight] as const)
  const clip = { x: 0, y: 0, width, height: Math.min(height, maxPictureHeight) }
  return page.screenshot({ fullPage: true, clip, animations: 'disabled' })
}

test.concurrent.for(wantedLanguages)(
  'every email in %s: nothing is cut off or in another language',
  { timeout },
  async (language) => {
    const [renderer, pictures] = [await sampleRenderer(), await samplePictures()]
    const [wordProblems, isEnglish] = [await wordChecker(language), await englishFinder(language)]
    const page = await (await openBrowser()).newPage()
    const problems: string[] = []
    for (const { name, email } of samplesIn(language).filter((sample) => sample.name.includes(wantedName))) {
      const { subject, html, text } = renderer.renderEmail(email, contextIn(language))
      await page.setContent(withPictures(html, pictures))
      const found = await wordProblems(page, false)
      if (language !== defaultLanguage) found.push(...[subject, ...text.split('\n')].filter(isEnglish))
      // About as much as mail programs show.
      if (subject.length > 90) found.push('has a long subject')
      for (const width of [390, 700]) {
        await page.setViewportSize({ width, height: 844 })
        found.push(...(await layoutProblems(page)))
        for (const colorScheme of themes) {
          await page.emulateMedia({ colorScheme })
          const take = () => page.screenshot({ fullPage: true, animations: 'disabled' })
          await keepPicture(`screens/emails/${language}/${width}-${colorScheme}/${name}`, take)
        }
      }
      problems.push(...new Set(found.map((problem) => `${name}: ${problem}`)))
    }
    await page.close()
    expect(problems).toEqual([])
  },
)

const folder = join(import.meta.dirname, '../web/messages')
/** Names that are the same in every language. */
const names = new Set<string>([...planIds.map((id) => plans[id].name), 'Keepsnap', 'API', 'Pro'])
/** Words of English that are words in none of the other languages. */
const englishWords =
  /\b(the|and|you|your|this|that|with|from|have|they|are|it[’']s|don[’']t|can[’']t|(mon|tues|wednes|thurs|fri|satur|sun)day)\b/i
/** What a value that is missing or none looks like. */
const brokenValue = /\bNaN\b|Invalid Date|\[object /
/** What stands for the values in a sentence with values. */
const gap = 7

/** All sentences of a catalogue; of sentences with values, the parts between them. */
function sentencesIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'function') {
    try {
      const made: unknown = Reflect.apply(value, undefined, [gap, gap, gap, gap])
      return sentencesIn(made).flatMap((text) => text.split(String(gap)))
    } catch {
      // It takes more than numbers. Its translation is recognized by `englishWords`.
      return []
    }
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(sentencesIn) : []
}

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

async function catalogue(language: Language): Promise<Set<string>> {
  const files = (await readdir(join(folder, language))).filter((name) => name.endsWith('.ts'))
  const parts = await Promise.all(files.map((name) => import(join(folder, language, name)) as Promise<object>)) // a module
  return new Set(parts.flatMap(sentencesIn).map(plain).filter(Boolean))
}

/** What a page shows and says to screen readers, apart from what its users wrote, code, and parts in a stated language. */
const wordsOn = (page: Page, isMainEnglish: boolean): Promise<string[]> =>
  page.evaluate((isMainLeftOut) => {
    const leftOut = `script, style, noscript, code, pre, [translate=no]:not(time), [lang]:not(html)${isMainLeftOut ? ', main' : ''}`
    const texts: string[] = []
    for (const element of document.querySelectorAll('body *')) {
      if (element.closest(leftOut) || !element.checkVisibility()) continue
      for (const node of element.childNodes) if (node instanceof Text) texts.push(node.data)
      for (const name of ['placeholder', 'aria-label', 'alt', 'title']) texts.push(element.getAttribute(name) ?? '')
    }
    return [document.title, ...texts]
  }, isMainEnglish)

/** Says whether a text is in English where it should be in another language. */
async function englishFinder(language: Language): Promise<(text: string) => boolean> {
  const [english, translated] = await Promise.all([catalogue(defaultLanguage), catalogue(language)])
  // A word such as Logo is the same in both.
  const onlyEnglish = english.difference(translated).difference(names)
  const longer = [...onlyEnglish].filter((text) => text.split(' ').length > 2)
  return (text) =>
    onlyEnglish.has(text) || englishWords.test(text) || longer.some((sentence) => text.includes(sentence))
}

/** Finds values that could not be written, and English sentences on pages in another language. */
async function wordChecker(language: Language): Promise<(page: Page, isMainEnglish: boolean) => Promise<string[]>> {
  const isDefault = language === defaultLanguage
  const isEnglish = await englishFinder(language)
  return async (page, isMainEnglish) => {
    const texts = [...new Set((await wordsOn(page, isMainEnglish)).map(plain))]
    const untranslated = isDefault ? [] : texts.filter(isEnglish)
    const lines = (await page.locator('body').innerText()).split('\n')
    return [
      ...untranslated.map((text) => `in English: "${text.slice(0, 80)}"`),
      ...lines.filter((line) => brokenValue.test(line)).map((line) => `says "${plain(line).slice(0, 80)}"`),
    ]
  }
}
