import type { Page, Request } from 'playwright-core'

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

const listed = (lines: Iterable<string>): string => [...lines].join(', ') || 'none'

/** URL, unanswered and failed requests and text of all open pages: a timeout alone does not say what a page waited for. */
export async function describePages(): Promise<string> {
  const texts = [...openPages].map(async ([page, { pending, failed }]) => {
    const text = await page.locator('body').innerText({ timeout: 2000 }).catch(String)
    return [
      `Page ${page.url()}`,
      `not answered: ${listed([...pending].map(nameOf))}`,
      `failed: ${listed(failed)}`,
      text.replaceAll(/\s+/g, ' ').slice(0, 1000),
    ].join('\n')
  })
  return (await Promise.all(texts)).join('\n')
}
