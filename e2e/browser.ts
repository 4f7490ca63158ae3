import { cookiePreferencesKey } from '@keepsnap/contract/site.ts'
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  type Request,
} from 'playwright-core'
import { waitLimitMs } from './program.ts'
import type { Visitor } from './visitor.ts'

/** For every Chromium of the tests. */
export const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A process less for each browser: a tenth of its CPU time.
  '--in-process-gpu',
  // Servers under a name that is not loopback are on this machine, too.
  '--host-resolver-rules=MAP *.test 127.0.0.1',
]

let browser: Promise<Browser> | undefined

/** One browser for all files of a worker process; it ends with the process. */
export function openBrowser(): Promise<Browser> {
  browser ??= chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args: browserArgs })
  return browser
}

/** `visitor`: who is signed in from the start. */
export interface PageOptions extends BrowserContextOptions {
  visitor?: Pick<Visitor, 'token'>
  /** In a context that no other test uses: for changes that cannot be reset, such as a fake clock or a script. */
  isIsolated?: boolean
  /** Whether the cookie notice is still to be answered; otherwise the visitor has chosen essential only. */
  hasCookieNotice?: boolean
  /** Whether queries are never repeated by a timer: the page sees changes only over the live connection. */
  isWithoutPolling?: boolean
}

export interface OpenedPage {
  page: Page
  close(): Promise<void>
}

const desk = { width: 1280, height: 800 }

/**
 * Pages of tests that are over. A new one starts a process and compiles the app again: to load the app in a used one takes
 * half the CPU time.
 */
const idle = new Map<string, Page[]>()

let clients = 0
/** An address that no other page or user has; worker processes of a run do not share any. */
export function nextClientAddress(): string {
  clients += 1
  return `10.${(process.pid >> 8) & 255}.${process.pid & 255}.${clients & 255}`
}

/** A page without cookies and stored data, apart from the token of the visitor. */
export async function openPage(address: string, options: PageOptions = {}): Promise<OpenedPage> {
  const { visitor, isIsolated, hasCookieNotice, isWithoutPolling, viewport = desk, ...contextOptions } = options
  const isReusable = !isIsolated && !hasCookieNotice && Object.keys(contextOptions).length === 0
  const used = isReusable ? idle.get(address)?.pop() : undefined
  const page = used ?? (await newPage(address, contextOptions, hasCookieNotice))
  await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': nextClientAddress() })
  watchRequests(page)
  if (viewport) await page.setViewportSize(viewport)
  const stored = {
    ...(visitor && { token: visitor.token }),
    ...(isWithoutPolling && { [pollingKey]: '' }),
  }
  if (Object.keys(stored).length > 0) await resetStorage(page, address, stored)
  return {
    page,
    async close() {
      const isReset =
        isReusable &&
        (await reset(page, address).then(
          () => true,
          () => false,
        ))
      if (isReset) idle.set(address, [...(idle.get(address) ?? []), page])
      else await page.context().close()
    },
  }
}

/** Those that tests listen to. */
const pageEvents =
  'request requestfinished requestfailed response pageerror console dialog filechooser websocket'.split(' ')

/** Leaves nothing of a test: a theme, other pages, requests under way, listeners, cookies and stored data. */
async function reset(page: Page, address: string): Promise<void> {
  const others = page.context().pages()
  await Promise.all(others.filter((each) => each !== page).map((each) => each.close()))
  for (const event of pageEvents) page.removeAllListeners(event)
  openPages.delete(page)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.context().clearCookies()
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await resetStorage(page, address, {})
}

/** Works on a page of the same origin that runs no script of the app. */
async function resetStorage(page: Page, address: string, stored: Record<string, string>): Promise<void> {
  const path = `${address}/robots.txt`
  if (page.url() !== path) await page.goto(path)
  await page.evaluate(async (entries) => {
    localStorage.clear()
    sessionStorage.clear()
    for (const { name } of await indexedDB.databases()) if (name) indexedDB.deleteDatabase(name)
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value)
  }, stored)
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

/** Pages whose storage has this key do not poll. Queries repeat after 30 seconds at the earliest. */
const pollingKey = 'is-without-polling'

/** Runs in every page before its own scripts. */
function preventPolling(key: string): void {
  try {
    if (localStorage.getItem(key) === null) return
  } catch {
    return // The page has no storage.
  }
  const start = window.setInterval
  window.setInterval = ((work: () => void, delay = 0) =>
    delay < 30_000 ? start(work, delay) : 0) as typeof window.setInterval // the browser's returns a number
}

async function newPage(address: string, options: BrowserContextOptions, hasCookieNotice = false): Promise<Page> {
  const opened = await openBrowser()
  const context = await opened.newContext({ baseURL: address, locale: 'en-US', reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(waitLimitMs)
  if (!hasCookieNotice) await context.addInitScript(answerCookieNotice, cookiePreferencesKey)
  await context.addInitScript(preventPolling, pollingKey)
  const page = await context.newPage()
  if (options.javaScriptEnabled !== false) waitForApp(page)
  return page
}

/** Closes the pages that are kept for a server which stops. */
export async function closeIdlePages(address: string): Promise<void> {
  await Promise.all((idle.get(address) ?? []).map((page) => page.context().close()))
  idle.delete(address)
}

export const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })

/** The field that takes photos on the page Upload. */
export const filePicker = (page: Page) => page.getByLabel('Choose photos').and(page.locator('input'))

/**
 * Presses one of the controls of the big screen, which hide some seconds after the pointer was moved last. A slow press may
 * have an effect and fail all the same; `result` is what is on the page from then on, if the control has gone.
 */
export async function pressControl(page: Page, control: Locator, result?: Locator): Promise<void> {
  for (const end = Date.now() + waitLimitMs; ;) {
    for (const x of [200, 210]) await page.mouse.move(x, 200)
    if (await result?.isVisible()) return
    const more = page.getByRole('button', { name: 'More', expanded: false })
    if (!(await control.isVisible())) await more.click({ timeout: 3_000 }).catch(() => {})
    try {
      return await control.click({ timeout: 3_000 })
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}

interface PageRequests {
  pending: Set<Request>
  /** Those that failed or were refused, with the reason; the newest ones. */
  failed: string[]
}

const maxFailed = 10
const openPages = new Map<Page, PageRequests>()

const nameOf = (request: Request): string => `${request.method()} ${request.url()}`

/** Notes the requests of a page for `describePages`. */
function watchRequests(page: Page): void {
  const requests: PageRequests = { pending: new Set(), failed: [] }
  const fail = (request: Request, reason: string): void => {
    requests.failed = [...requests.failed, `${nameOf(request)}: ${reason}`].slice(-maxFailed)
  }
  openPages.set(page, requests)
  page.on('request', (request) => requests.pending.add(request))
  page.on('requestfinished', (request) => requests.pending.delete(request))
  page.on('requestfailed', (request) => {
    requests.pending.delete(request)
    fail(request, request.failure()?.errorText ?? 'failed')
  })
  page.on('response', (response) => {
    if (response.status() >= 400) fail(response.request(), String(response.status()))
  })
  page.on('close', () => openPages.delete(page))
}

/** URL, unanswered and failed requests and text of all open pages: a timeout alone does not say what a page waited for. */
export async function describePages(): Promise<string> {
  const texts = [...openPages].map(async ([page, { pending, failed }]) => {
    const text = await page.locator('body').innerText({ timeout: 2000 }).catch(String)
    const unanswered = [...pending].map(nameOf).join(', ')
    return `Page ${page.url()}\nnot answered: ${unanswered}\nfailed: ${failed.join(', ')}\n${text.replaceAll(/\s+/g, ' ').slice(0, 6000)}`
  })
  return (await Promise.all(texts)).join('\n')
}
