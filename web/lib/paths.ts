import { pages, photosPage } from '@keepsnap/contract/pages.ts'

/** Every page of the app by name; the only place of the app that spells paths. */
export const paths = { ...pages, photos: photosPage } as const

/** The plans and their prices. */
export const pricingSection = `${paths.home}#pricing`

/** Name of the query parameter that carries the photo in the viewer. */
const photoName = 'photo'

/** The gallery with one photo in the viewer. */
export const galleryPhoto = (id: string): string => `${paths.gallery}?${new URLSearchParams({ [photoName]: id })}`

/** The photo that an address of the gallery shows in the viewer. */
export const photoIn = (search: URLSearchParams): string | null => search.get(photoName) || null

/** Name of the query parameter that carries where to go after signing in. */
const returnName = 'return'

/** The sign-in page, which leads back to the given place of this app. */
export function loginFor(place: { pathname: string; search: string; hash: string }): string {
  const back = place.pathname + place.search + place.hash
  return back === paths.home ? paths.login : `${paths.login}?${new URLSearchParams({ [returnName]: back })}`
}

/** Where to go after signing in: the place asked for when it is a page of this app, otherwise home. */
export function returnPath(search: string, origin: string): string {
  const wanted = new URLSearchParams(search).get(returnName)
  return (wanted !== null && ownPath(wanted, origin)) || paths.home
}

const longest = 2048
/** What browsers drop, turn around or decode into a slash on the way from text to address. */
const odd = /[^\x21-\x7e]|\\|%(?:0|1|2e|2f|5c|7f|25)/i

/**
 * The text as a path of this app, or null. It must look like one as written, stay on the very origin when parsed, and
 * name one of our pages; promises.md T19 has the tricks.
 */
export function ownPath(text: string, origin: string): string | null {
  if (text.length > longest || !/^\/(?!\/)/.test(text) || odd.test(text)) return null
  if (!URL.canParse(text, origin)) return null
  const url = new URL(text, origin)
  const known = Object.values<string>(paths).includes(url.pathname)
  return url.origin === origin && known ? url.pathname + url.search + url.hash : null
}
