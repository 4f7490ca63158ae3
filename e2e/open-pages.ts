import type { Page, Request } from 'playwright-core'

declare global {
  interface Window {
    /** The newest presses, for tests that fail. */
    notedPresses?: string[]
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
export function watchRequests(page: Page): void {
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

/** Runs in every page before its own scripts: notes what was pressed, and whether that became a click, for `describePages`. */
export function watchPresses(): void {
  const maxNoted = 9
  for (const type of ['pointerdown', 'pointerup', 'click'])
    document.addEventListener(
      type,
      ({ target }) => {
        const pressed =
          target instanceof Element ? `${target.localName} '${target.textContent.slice(0, 40)}'` : 'document'
        const noted = window.notedPresses ?? []
        window.notedPresses = [...noted, `${type} ${pressed}`].slice(-maxNoted)
      },
      { capture: true, passive: true },
    )
}

const listed = (lines: Iterable<string>): string => [...lines].join(', ') || 'none'

/**
 * URL, unanswered and failed requests, presses and text of all open pages: a timeout alone does not say what a page waited
 * for.
 */
export async function describePages(): Promise<string> {
  const texts = [...openPages].map(async ([page, { pending, failed }]) => {
    const text = await page.locator('body').innerText({ timeout: 2000 }).catch(String)
    const presses = await page.evaluate(() => window.notedPresses ?? []).catch((error: unknown) => [String(error)])
    return [
      `Page ${page.url()}`,
      `not answered: ${listed([...pending].map(nameOf))}`,
      `failed: ${listed(failed)}`,
      `pressed: ${listed(presses)}`,
      text.replaceAll(/\s+/g, ' ').slice(0, 6000),
    ].join('\n')
  })
  return (await Promise.all(texts)).join('\n')
}
