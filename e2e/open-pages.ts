import type { Page, Request } from 'playwright-core'

const openPages = new Map<Page, Set<Request>>()

/** Notes the requests of a page for `describePages`. */
export function watchRequests(page: Page): void {
  const pending = new Set<Request>()
  openPages.set(page, pending)
  page.on('request', (request) => pending.add(request))
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  page.on('close', () => openPages.delete(page))
}

/** URL, unanswered requests and text of all open pages: a timeout alone does not say what a page waited for. */
export async function describePages(): Promise<string> {
  const texts = [...openPages].map(async ([page, pending]) => {
    const text = await page.locator('body').innerText({ timeout: 2000 }).catch(String)
    const requests = [...pending].map((request) => `${request.method()} ${request.url()}`)
    return `Page ${page.url()}\nnot answered: ${requests.join(', ') || 'none'}\n${text.replaceAll(/\s+/g, ' ').slice(0, 1000)}`
  })
  return (await Promise.all(texts)).join('\n')
}
