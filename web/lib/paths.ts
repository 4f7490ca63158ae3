import type { ComponentType } from 'react'
import { eventPages, pages, photosPage } from '@keepsnap/contract/site.ts'
import { parseUrl } from './urls.ts'

export interface PageLayout {
  /** Class of the frame around the page. */
  className: string
  /** The big screen: dark in both themes, a compact navigation bar, no footer, toasts away from the QR code. */
  bigScreen?: boolean
  /** Neither navigation nor footer, also for those who are signed in. */
  bare?: boolean
}

/** One page of the app. */
export interface PageRoute {
  path: string
  Page: ComponentType
  /** `signed-in` requires a user. The `signed-out` pages redirect a signed-in user: home, or to where they came from. */
  access: 'anyone' | 'signed-in' | 'signed-out-home' | 'signed-out-return'
  layout: PageLayout
}

/** The paths of all pages. No other file of the app hard-codes them. */
export const paths = { ...pages, ...eventPages, photos: photosPage } as const

/** The plans and their prices. */
export const pricingSection = `${paths.home}#pricing`

/** The subscription of the user, in Settings. */
export const subscriptionSection = `${paths.settings}#plan`

/** The query parameter that lets Settings show what else opens the account, after a password reset. */
export const reviewParameter = 'review'
export const accessReview = `${paths.settings}?${reviewParameter}=access`

/** Whether a path of the app is the pricing page with a chosen plan. */
export const isPlanChoice = (path: string): boolean => path.startsWith(`${paths.pricing}?`)

/** The query parameter with the photo in the viewer. */
const photoParameter = 'photo'

/** The gallery with one photo in the viewer. */
export const galleryPhoto = (id: string): string => `${paths.gallery}?${new URLSearchParams({ [photoParameter]: id })}`

/** Table cards and posters of a photo. */
export const printOfPhoto = (id: string): string => `${paths.print}?${new URLSearchParams({ [photoParameter]: id })}`

/** Table cards and posters with a code of an event: its own, or that of a table. */
export const printOfEvent = (event: string, code?: string): string =>
  `${paths.print}?${new URLSearchParams({ event, ...(code !== undefined && { code }) })}`

/** Id of the photo that a URL of the gallery shows in the viewer, or a URL of the prints prints. */
export const photoIdIn = (search: URLSearchParams): string | null => search.get(photoParameter) || null

/** The page of an event. */
export const eventPath = (id: string): string => paths.event.replace(':id', encodeURIComponent(id))

/** The page where the owner of an event looks at the photos of guests. */
export const eventReviewPath = (id: string): string => paths.eventReview.replace(':id', encodeURIComponent(id))

/** The query parameter with the event that a page shows: its id, `none`, or nothing for all photos. */
export const eventParameter = 'event'

/** A page that shows the photos of one event. */
export const pageOfEvent = (path: string, id: string): string =>
  `${path}?${new URLSearchParams({ [eventParameter]: id })}`

/** The query parameter with the path to open after signing in. */
const returnParameter = 'return'

/** The sign-in page, which afterwards returns to the given location. */
export const loginPath = (location: { pathname: string; search: string; hash: string }): string =>
  loginPathTo(location.pathname + location.search + location.hash)

/** The sign-in page, which afterwards opens the given path. */
export const loginPathTo = (returnTo: string): string =>
  returnTo === paths.home ? paths.login : `${paths.login}?${new URLSearchParams({ [returnParameter]: returnTo })}`

/** The path to open after signing in: the requested one if it is a page of this app, otherwise home. */
export function returnPath(search: string, origin: string): string {
  const requested = new URLSearchParams(search).get(returnParameter)
  return (requested !== null && internalPath(requested, origin)) || paths.home
}

const maxPathChars = 2048
/** Characters that browsers drop, or convert to a slash, when they parse a URL. */
const suspiciousCharacters = /[^\x21-\x7e]|\\|%(?:0|1|2e|2f|5c|7f|25)/i

/** A path with parameters: `/events/:id`. */
const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)

/**
 * The text as a path of this app, or null: an allowlist against open redirects (docs/security.md T19). It has to be a
 * path as written, stay on this origin when parsed, and name one of our pages.
 */
export function internalPath(text: string, origin: string): string | null {
  if (text.length > maxPathChars || !/^\/(?!\/)/.test(text) || suspiciousCharacters.test(text)) return null
  const url = parseUrl(text, origin)
  if (!url) return null
  const isPage = Object.values<string>(paths).some((path) => patternOf(path).test(url.pathname))
  return url.origin === origin && isPage ? url.pathname + url.search + url.hash : null
}
