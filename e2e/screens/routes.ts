import type { Page } from 'playwright-core'
import type { Language } from '@keepsnap/contract/languages.ts'
import { pages } from '@keepsnap/contract/pages.ts'
import type { Links, ViewerName } from './viewers.ts'

/** A page as one viewer opens it. */
export interface Route {
  /** What its pictures are called. */
  name: string
  path: string
  /** What is done after it is loaded. Finds nothing by its words, which are in four languages. */
  reach?: (page: Page) => Promise<unknown>
  /** Languages in which the main part is in English on purpose. */
  englishIn?: readonly Language[]
  /** Looked at in few sizes, because another viewer has the same page in all. */
  isRepeated?: boolean
}
type PageName = keyof typeof pages

const translations = ['nl', 'fr', 'de'] as const

/** The content comes from the OpenAPI document, is for operators, or is law that has two languages only. */
const englishIn: Partial<Record<string, readonly Language[]>> = {
  apiDocs: translations,
  admin: translations,
  privacy: ['fr', 'de'],
  terms: ['fr', 'de'],
}

/** Pages that show each user something else. */
const personal: readonly PageName[] = [
  'home',
  'latest',
  'gallery',
  'upload',
  'print',
  'photoRequests',
  'insights',
  'profile',
  'settings',
  'pricing',
  'subscriptionSuccess',
  'subscriptionCancel',
]

const paths = (links: Links): Partial<Record<string, string>> => ({
  resetPassword: `${pages.resetPassword}?token=abc`,
  verifyEmail: `${pages.verifyEmail}?token=abc`,
  subscriptionSuccess: links.success,
})

const opened = (selector: string) => (page: Page) => page.locator(selector).first().click()

/** What is not a page of the web app, or a page in another state. */
const visitorRoutes = (links: Links): Route[] => [
  { name: 'not-found', path: '/no-such-page' },
  { name: 'demo-checkout', path: links.checkout },
  { name: 'demo-checkout-unknown', path: '/demo-checkout/unknown' },
  { name: 'guest-request', path: links.request },
  {
    name: 'guest-sent',
    path: links.request,
    async reach(page) {
      // Each address may ask a few times only.
      await page.route('**/request-email', (route) => route.fulfill({ json: { detail: 'Sent.' } }))
      await page.locator('input[type=email]').fill('maximiliane.oberhuber-schwarzenberg@fotografie.example.com')
      await page.keyboard.press('Enter')
      await page.locator('[data-name]').waitFor()
    },
  },
  { name: 'guest-report', path: links.request, reach: opened('details.report > summary') },
  { name: 'guest-photo', path: links.grant },
  { name: 'guest-gone', path: '/request-photo/unknown' },
  { name: 'guest-expired', path: `/g/${'a'.repeat(43)}` },
  { name: 'guest-sample', path: '/sample/dance' },
  { name: 'guest-unsubscribe', path: links.unsubscribe },
  { name: 'guest-unsubscribe-unknown', path: '/stop/unknown' },
]
const cookieRoutes: Route[] = [
  { name: 'cookie-notice', path: pages.home },
  { name: 'cookie-notice-and-form', path: pages.register },
  { name: 'cookie-settings', path: pages.pricing, reach: opened('.cookie-notice__customize') },
]

/** Every page of contract/pages.ts for each viewer, and all others. Pages that redirect a viewer are left out later. */
export function routesOf(viewer: ViewerName, links: Links): Route[] {
  if (viewer === 'undecided') return cookieRoutes
  const names = Object.keys(pages) as PageName[] // of a constant
  const all = names.map((name): Route => {
    const languages = englishIn[name]
    const route = { name: `${name}-${viewer}`, path: paths(links)[name] ?? pages[name] }
    return {
      ...route,
      ...(languages && { englishIn: languages }),
      isRepeated: viewer !== 'visitor' && name !== 'admin' && !personal.includes(name),
    }
  })
  if (viewer === 'admin') return all.filter(({ path }) => path === pages.admin)
  const others = all.filter(({ path }) => path !== pages.admin)
  return viewer === 'visitor' ? [...others, ...visitorRoutes(links)] : others
}
