import { LRUCache } from 'lru-cache'
import {
  defaultLanguage,
  isLanguage,
  type Language,
  languageCookieValue,
  languageInCookie,
  languageParameter,
} from '@keepsnap/contract/languages.ts'
import type { HttpReply } from './http-types.ts'

/** The parts of a request that determine the language of the response. */
interface LanguageRequest {
  url: string
  headers: { cookie?: string | undefined; 'accept-language'?: string | undefined }
}

/** The request headers that determine the language, for `Vary`. */
export const varyByLanguage = 'accept-language, cookie'
/** More than any browser sends; the rest is ignored. */
const maxAcceptedLanguages = 50

/** The first value of a parameter in a URL; null without one. */
export function parameterOf(url: string, name: string): string | null {
  const queryStart = url.indexOf('?')
  return queryStart < 0 ? null : new URLSearchParams(url.slice(queryStart)).get(name)
}

/** The language of `?lang=`; undefined without one, or with one that does not exist. */
export function requestedLanguage({ url }: LanguageRequest): Language | undefined {
  const value = parameterOf(url, languageParameter)
  return isLanguage(value) ? value : undefined
}

/** What browsers send is one of few texts. */
const acceptedLanguages = new LRUCache<string, { language: Language | undefined }>({ max: 500 })
const maxKeptHeaderChars = 200

/** The existing language that `Accept-Language` prefers, by its quality values (RFC 9110, 12.5.4); undefined if none. */
function acceptedLanguage(header: string): Language | undefined {
  const known = acceptedLanguages.get(header)
  if (known) return known.language
  const ranges = header.split(',', maxAcceptedLanguages).map((part) => {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2)
    const quality = weight === undefined ? 1 : /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0
    return { language: range.split('-', 1)[0], quality }
  })
  // The sort keeps the order of equal qualities, which is that of preference in all browsers.
  const preferred = ranges.filter(({ quality }) => quality > 0).toSorted((a, b) => b.quality - a.quality)
  const language = preferred.map((one) => one.language).find(isLanguage)
  if (header.length <= maxKeptHeaderChars) acceptedLanguages.set(header, { language })
  return language
}

/**
 * The language to answer in: `?lang=`, else the choice stored in the cookie, else that of the link that was followed, else the
 * browser's, else English.
 */
export function languageOf(req: LanguageRequest, linkLanguage?: string | null): Language {
  return (
    requestedLanguage(req) ??
    languageInCookie(req.headers.cookie ?? '') ??
    (isLanguage(linkLanguage) ? linkLanguage : undefined) ??
    acceptedLanguage(req.headers['accept-language'] ?? '') ??
    defaultLanguage
  )
}

/**
 * Stores the language of `?lang=`, which the language links of guest pages set, in the cookie. Returns whether there
 * was one; if so, the response must not be cached.
 */
export function rememberRequestedLanguage(reply: HttpReply, publicUrl: string): boolean {
  const { request } = reply
  const language = request.method === 'GET' ? requestedLanguage(request) : undefined
  // A proxy that is not trusted says nothing about https; a cookie that was sent over http must not be `Secure`.
  const isHttps = request.protocol === 'https' || publicUrl === `https://${request.headers.host}`
  if (language) reply.header('set-cookie', languageCookieValue(language, isHttps))
  return language !== undefined
}

/** A content coding that we send. */
type Coding = 'gzip' | 'br'

/** Whether an Accept-Encoding header allows a coding; RFC 9110 section 12.5.3. */
export function isCodingAccepted(header: string | undefined, coding: Coding): boolean {
  const codings = (header ?? '').split(',').map((one) => {
    const [name = '', ...parameters] = one.toLowerCase().split(';')
    const weight = parameters.find((parameter) => /^\s*q\s*=/.test(parameter))?.split('=')[1]
    return { name: name.trim(), isAllowed: weight === undefined || Number(weight) > 0 }
  })
  const named = codings.find(({ name }) => name === coding || name === `x-${coding}`)
  return (named ?? codings.find(({ name }) => name === '*'))?.isAllowed ?? false
}

/** Whether an Accept-Encoding header allows gzip. */
export const isGzipAccepted = (header: string | undefined): boolean => isCodingAccepted(header, 'gzip')

/** Whether an If-None-Match or If-Range header lists the entity tag. */
export const matchesTag = (header: string | undefined, entityTag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === entityTag))
