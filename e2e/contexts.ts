import { cookiePreferencesKey } from '@keepsnap/contract/browser-storage.ts'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { openBrowser } from './browser.ts'
import { watchPresses, watchRequests } from './open-pages.ts'
import type { Visitor } from './visitor.ts'
import { waitLimitMs } from './wait-limit.ts'

/** `visitor`: who is signed in from the start. */
export interface PageOptions extends BrowserContextOptions {
  visitor?: Visitor
  /** In a context that no other test uses: for changes that cannot be reset, such as a fake clock. */
  isIsolated?: boolean
  /** Whether the cookie notice is still to be answered; otherwise the visitor has chosen essential only. */
  hasCookieNotice?: boolean
}

export interface OpenedPage {
  page: Page
  close(): Promise<void>
}

const desk = { width: 1280, height: 800 }

/**
 * Contexts of tests that are over. A new one loads and compiles the app again, which costs as much as several loads in a
 * used one.
 */
const idle = new Map<string, BrowserContext[]>()

let clients = 0
/** An address that no other page or user has; worker processes of a run do not share any. */
export function nextClientAddress(): string {
  clients += 1
  return `10.${(process.pid >> 8) & 255}.${process.pid & 255}.${clients & 255}`
}

/** A page without cookies and stored data, apart from the token of the visitor. */
export async function openPage(
  address: string,
  { visitor, isIsolated = false, hasCookieNotice = false, viewport = desk, ...options }: PageOptions = {},
): Promise<OpenedPage> {
  const isReusable = !isIsolated && !hasCookieNotice && Object.keys(options).length === 0
  const used = isReusable ? idle.get(address)?.pop() : undefined
  const context = used ?? (await newContext(address, options))
  if (!used && !hasCookieNotice) await context.addInitScript(answerCookieNotice, cookiePreferencesKey)
  await context.setExtraHTTPHeaders({ 'x-forwarded-for': nextClientAddress() })
  const page = await context.newPage()
  watchRequests(page)
  await page.addInitScript(watchPresses)
  if (options.javaScriptEnabled !== false) waitForApp(page)
  if (viewport) await page.setViewportSize(viewport)
  if (used || visitor) await prepareStorage(page, address, visitor?.token)
  return {
    page,
    async close() {
      if (!isReusable) return context.close()
      await Promise.all(context.pages().map((each) => each.close()))
      await context.setOffline(false)
      await context.clearCookies()
      idle.set(address, [...(idle.get(address) ?? []), context])
    },
  }
}

/** The page shows the logo only, or what the server rendered, or is about to be moved down by a notice above it. */
const unfinished = '#root:has(> .nav), #root[data-rendered], [data-notices-pending]'

/**
 * Makes `goto` wait until the app has rendered the page with the notices above it, unless the caller waits for `commit`
 * only. Something that moves while it is clicked does not always get the click.
 */
function waitForApp(page: Page): void {
  const open = page.goto.bind(page)
  page.goto = async (url, gotoOptions) => {
    const response = await open(url, gotoOptions)
    if (gotoOptions?.waitUntil !== 'commit') await page.locator(unfinished).first().waitFor({ state: 'detached' })
    return response
  }
}

/** Runs in every page before its own scripts. */
function answerCookieNotice(key: string): void {
  try {
    localStorage.setItem(key, localStorage.getItem(key) ?? '{"functional":true,"tracking":false}')
  } catch {
    // The page has no storage.
  }
}

async function newContext(address: string, options: BrowserContextOptions): Promise<BrowserContext> {
  const browser = await openBrowser()
  const context = await browser.newContext({ baseURL: address, locale: 'en-US', reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(waitLimitMs)
  return context
}

/** Works on a page of the same origin that runs no script of the app. */
async function prepareStorage(page: Page, address: string, token: string | undefined): Promise<void> {
  await page.goto(`${address}/robots.txt`)
  await page.evaluate(async (stored) => {
    localStorage.clear()
    sessionStorage.clear()
    for (const { name } of await indexedDB.databases()) if (name) indexedDB.deleteDatabase(name)
    if (stored) localStorage.setItem('token', stored)
  }, token)
}

/** Closes the contexts that are kept for a server which stops. */
export async function closeIdleContexts(address: string): Promise<void> {
  await Promise.all((idle.get(address) ?? []).map((context) => context.close()))
  idle.delete(address)
}
