import { pages } from '@keepsnap/contract/pages.ts'
import { invalidField } from '../../faults.ts'
import type { Origins } from '../../http/origins.ts'

/** What the payment provider replaces with the id of the checkout. */
const checkoutIdPlaceholder = '{CHECKOUT_SESSION_ID}'

const pagePaths = new Set<string>(Object.values(pages))
// Printable ASCII: no spaces, no control characters and no other scripts, which parsers remove or convert.
const plainUrl = /^https?:\/\/[\x21-\x7e]+$/

/**
 * A URL to return to from a checkout, as it was written: exactly an accepted origin, then exactly the path of one of our
 * pages. docs/security.md T19. Otherwise 422.
 */
export function readReturnUrl(field: 'success_url' | 'cancel_url', url: string, origins: Origins): string {
  const refusal = invalidField(field, 'Give the full URL of a page of this site')
  if (!plainUrl.test(url) || url.includes('\\') || !URL.canParse(url)) throw refusal
  const { origin } = new URL(url)
  // As written, so that what browsers and the provider read is what was checked.
  const [path = ''] = url.slice(origin.length).split(/[?#]/)
  if (!url.startsWith(origin) || !origins.isOrigin(origin) || !pagePaths.has(path)) throw refusal
  return url
}

/** The URL with a place for the id of the checkout: the page needs it to ask whether the checkout was paid. */
export function withCheckoutId(url: string): string {
  if (url.includes(checkoutIdPlaceholder)) return url
  const [beforeFragment = '', ...fragment] = url.split('#')
  const separator = beforeFragment.includes('?') ? '&' : '?'
  return [`${beforeFragment}${separator}session_id=${checkoutIdPlaceholder}`, ...fragment].join('#')
}
