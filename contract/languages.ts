/** Words of the server in CSV files and in the names of ZIP files: headings of columns, states, and yes and no. The web app translates them. */
export const csvWords = [
  'API key',
  'Added by',
  'Attempts',
  'Consent',
  'Created (UTC)',
  'Decided (UTC)',
  'Decision of an operator',
  'Downloads',
  'Evening',
  'Event',
  'Event ID',
  'Event of the photo',
  'Files',
  'Finished (UTC)',
  'Guests who joined',
  'Height',
  'Hidden from guests',
  'Hour',
  'Hour (UTC)',
  'Last answer',
  'Last error',
  'Message of the operator',
  'Name',
  'Per 100 scans',
  'Photo',
  'Photo ID',
  'Photos added',
  'Reason',
  'Replay',
  'Requested (UTC)',
  'Requester',
  'Requests',
  'Review',
  'Scans',
  'Scans of photos',
  'Scans of the event',
  'Sent (UTC)',
  'State',
  'Taken (UTC)',
  'Uploaded (UTC)',
  'Views',
  'Webhook ID',
  'Width',
  'approved',
  'cancelled',
  'delivered',
  'failed',
  'guest',
  'hide',
  'no',
  'photo',
  'photos',
  'queued',
  'ready',
  'rejected',
  'sent',
  'show',
  'waiting',
  'yes',
  'you',
] as const
/** A word of the server in CSV files. */
export type CsvWord = (typeof csvWords)[number]

/** The languages of the web app, guest pages and emails, by their BCP 47 tags. The first is that of unknown visitors. */
export const languages = ['en', 'nl', 'fr', 'de'] as const
/** A language of the web app, guest pages and emails. */
export type Language = (typeof languages)[number]

/** The language of visitors who ask for none that exists; every sentence exists in it. */
export const defaultLanguage: Language = 'en'

/** The languages' own names: a person must recognize theirs on a page in any other. */
export const languageNames: Record<Language, string> = {
  en: 'English',
  nl: 'Nederlands',
  fr: 'Français',
  de: 'Deutsch',
}

/** The cookie with the language that was chosen in this browser. The page reads it too, so it is not HttpOnly. */
export const languageCookie = 'language'
/** How long the cookie is kept. */
export const languageCookieSeconds = 365 * 86_400
/** `?lang=nl` shows a page in this language, whatever the cookie and the browser say. */
export const languageParameter = 'lang'

/** Whether a value is the tag of a language that exists. */
export const isLanguage = (value: unknown): value is Language =>
  typeof value === 'string' && (languages as readonly string[]).includes(value) // widened, to look for any string

/** The `Set-Cookie` or `document.cookie` value that stores a choice for all pages of this origin. */
export const languageCookieValue = (language: Language, isHttps: boolean): string =>
  `${languageCookie}=${language}; Max-Age=${languageCookieSeconds}; Path=/; SameSite=Lax${isHttps ? '; Secure' : ''}`

/** The language that the value of a `Cookie` header, or `document.cookie`, contains; undefined without one. */
export function languageInCookie(cookies: string): Language | undefined {
  const values = cookies.split(';').map((pair) => pair.trim().split('='))
  return values.map(([name, value]) => (name === languageCookie ? value : '')).find(isLanguage)
}

/** Names of the IANA time zone database, such as `Europe/Brussels`; no offsets such as `+01:00`. */
const zoneNamePattern = /^[A-Za-z][\w+-]*(\/[\w+-]+){0,3}$/

/** The canonical spelling of a time zone's name; undefined for a text that names none. */
export function canonicalTimeZone(name: string): string | undefined {
  if (name.length > 64 || !zoneNamePattern.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined // Intl throws for unknown names
  }
}
