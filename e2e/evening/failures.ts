import type { Page } from 'playwright-core'

/** The simulation is faster than a real evening, so uploads hit the rate limit; the app retries them automatically. */
const isUploadLimit = (status: number, url: string): boolean => status === 429 && url.includes('/photos/upload?')

/** Adds errors of the console and failed requests of a page to a list. */
export function watchFailures(page: Page, failures: string[]): void {
  const add = (text: string): void => void failures.push(`${page.url()}: ${text}`)
  page.on('pageerror', ({ message }) => add(message))
  page.on('console', (message) => {
    // The `response` event below covers it.
    const isStatus = message.text().startsWith('Failed to load resource: the server responded')
    if (message.type() === 'error' && !isStatus) add(`${message.text()} ${message.location().url}`)
  })
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText
    // The page itself no longer wants the answer.
    if (reason !== 'net::ERR_ABORTED') add(`${request.method()} ${request.url()}: ${reason}`)
  })
  page.on('response', (response) => {
    const [status, url] = [response.status(), response.url()]
    if (status >= 400 && !isUploadLimit(status, url)) add(`${response.request().method()} ${url}: ${status}`)
  })
}
