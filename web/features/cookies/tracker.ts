import type { Analytics } from '@keepsnap/contract/analytics.ts'
import { parseUrl } from '../../lib/parse-url.ts'

/** The script of a provider of analytics in this page. It is loaded when the tracker starts. */
export interface Tracker {
  /** Counts a view of a page, by its path without parameters or ids. */
  pageViewed(path: string): void
  /** The visitor has left the pages that are counted. */
  pause(): void
  /** Counts nothing more. */
  stop(): void
}

/** Starts the script of one provider. */
export type StartTracker = (analytics: Analytics, page: Window) => Tracker

/** Adds a script to the page; the security policy allows it by its host. */
export function insertScript(page: Window, src: string, data: Record<string, string> = {}): void {
  const script = page.document.createElement('script')
  Object.assign(script.dataset, data)
  script.async = true
  script.src = src
  page.document.head.append(script)
}

/** The website from which the visitor came, without the address of a page there; empty when it is unknown or this one. */
export function referringOrigin({ document, location }: Window): string {
  const origin = parseUrl(document.referrer)?.origin
  return origin === undefined || origin === location.origin ? '' : `${origin}/`
}
