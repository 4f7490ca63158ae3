import { Array, Boolean, Literal, Object, Optional, String, type Static } from 'typebox'
import { endpoint, nullable, oneOf, text } from './endpoint.ts'
import { languageCookie, languageParameter } from './languages.ts'
import { emailProblem, type EmailProblem, emailProblemMessages } from './form-rules.ts'
import { limits, supportLimits } from './limits.ts'

/** The product's name, as shown to people. */
export const productName = 'Keepsnap'

/** Paths of the web app's pages. For any other path the server answers 404. */
export const pages = {
  home: '/',
  login: '/login',
  register: '/register',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  latest: '/latest',
  demoScreen: '/demo-screen',
  gallery: '/gallery',
  upload: '/upload',
  /** Table cards and posters; `?photo=` names the photo. */
  print: '/print',
  photoRequests: '/photo-requests',
  insights: '/insights',
  events: '/events',
  profile: '/profile',
  settings: '/settings',
  pricing: '/pricing',
  about: '/about',
  support: '/support',
  withdraw: '/withdraw',
  privacy: '/privacy',
  terms: '/terms',
  accessibility: '/accessibility',
  admin: '/admin',
  apiDocs: '/api-docs',
  subscriptionSuccess: '/subscription/success',
  subscriptionCancel: '/subscription/cancel',
} as const
/** Pages of one event; that of a helper has the secret of the link in its hash. */
export const eventPages = { event: '/events/:id', eventReview: '/events/:id/review', helper: '/h' } as const
/** GET /photos is an API call and a page path; page loads are redirected to `pages.latest`. */
export const photosPage = '/photos'

/** Programs that count visits. */
export const analyticsProviders = ['matomo', 'plausible'] as const
/** Where visits are counted when a visitor agrees: the settings ANALYTICS_PROVIDER, ANALYTICS_HOST and ANALYTICS_SITE. */
export const Analytics = Object({
  provider: oneOf(...analyticsProviders),
  /** The origin from which its script comes and to which page views go: `https://stats.example.com`. */
  host: String(),
  /** The site at the provider: a number at Matomo, a domain at Plausible. */
  site: String(),
})
export type Analytics = Static<typeof Analytics>

/** Who runs this installation, from its settings (OPERATOR_*). */
export const Operator = Object({
  name: String(),
  address: String(),
  vat: String(),
  email: String(),
  /** One of these values, or `support_email`, is still the sample of the settings. */
  is_sample: Boolean(),
})

/** What public pages say about this installation. The same for everybody. */
export const SiteInfo = Object({
  operator: Operator,
  /** Who works on it and what they do (OPERATOR_TEAM); empty when the operator does not say. */
  team: Array(Object({ role: String(), name: String() })),
  /** Where people ask for help; the sample of the settings until an address is set. */
  support_email: String(),
  /** `smtp`: by a mail server. `outbox`: kept as files on the server. */
  emails: oneOf('smtp', 'outbox'),
  /** `demo`: a demonstration in which no money moves. `off`: plans are not sold here. */
  payments: oneOf('stripe', 'demo', 'off'),
  /** Host of the store of photos, to which downloads are redirected; null: they are files on the server. */
  storage_host: nullable(String()),
  /** Where visits are counted when a visitor agrees; null: they are not. */
  analytics: nullable(Analytics),
})
export type SiteInfo = Static<typeof SiteInfo>

export const siteInfo = endpoint({
  method: 'GET',
  path: '/site',
  access: 'public',
  summary: 'Get what public pages say about this installation.',
  cacheMaxAgeSeconds: 60,
  reply: SiteInfo,
})

export const health = endpoint({
  method: 'GET',
  path: '/health',
  access: 'public',
  summary: 'Check whether the service is up.',
  reply: Object({ status: oneOf('ok', 'degraded'), timestamp: String() }),
})
/** For load balancers: 200 if this node can take requests, 503 otherwise. */
export const ready = endpoint({
  method: 'GET',
  path: '/ready',
  access: 'public',
  summary: 'Check whether this node accepts requests.',
  reply: Object({
    status: Literal('ready'),
    /**
     * `off`: PUBLIC_URL is public but no mail server is configured, so guests cannot request photos. `waiting`: emails to
     * guests wait, because there is no room for them in the outbox folder.
     */
    mail: oneOf('on', 'off', 'waiting'),
    timestamp: String(),
  }),
})

/**
 * The versions of the Privacy Policy and of the General Conditions that apply, by their dates; new accounts store that of the
 * conditions. The texts, also of versions that are announced, are in web/features/legal.
 */
export const legalVersions = { privacy: '2026-11-23', terms: '2026-11-23' } as const
/** The documents with versions. */
export type LegalDocument = keyof typeof legalVersions
/** Their names. */
export const legalDocumentNames = ['privacy', 'terms'] as const satisfies readonly LegalDocument[]

/** `?version=2026-11-23` shows a version. */
export const versionParameter = 'version'

/** How long before it applies a new version is published. Where the texts promise an email about it, the operator sends it. */
export const legalNoticeDays = 30

/** The target of availability, in percent of the minutes of the last 30 days: a target, no guarantee with compensation. */
export const availabilityTarget = { percent: 99.9, days: 30 } as const

/** Where the browser keeps an entry. `sessionStorage`: until the tab is closed. */
export type StorageArea = 'localStorage' | 'sessionStorage' | 'IndexedDB' | 'cookie'

/** What the app keeps on a visitor's device. */
export interface StoredEntry {
  area: StorageArea
  /** The key, or the name of the database. One that ends with * stands for all keys that begin so. */
  name: string
  purpose:
    | 'sign-in'
    | 'known-browser'
    | 'theme'
    | 'language'
    | 'cookie-choice'
    | 'hidden-notice'
    | 'big-screen'
    | 'scroll-positions'
    | 'waiting-uploads'
    | 'chosen-event'
    | 'guest-photos'
    | 'support-message'
}

/**
 * The cookie of a browser that has signed in, which is sent with further sign-ins: they have a queue of their own, and are no news
 * to the account. It carries no right, and scripts cannot read it.
 */
export const deviceCookie = 'device'
/** How long it is kept after the last sign-in: longer than any session, or it would be gone when it is needed. */
export const deviceCookieDays = 365

/** The key of the choice that the cookie notice asks for. Its value: `CookiePreferences` as JSON. */
export const cookiePreferencesKey = 'cookie_preferences'
/** The key of what belongs to that choice: when it was made, and for which analytics. */
export const cookieDecisionKey = 'cookie_decision'

/** What the visitor agreed to. Nothing but the first is on before. */
export interface CookiePreferences {
  functional: true
  tracking: boolean
}

/** What the app works with: no consent is needed for it. The cookie of the language exists once one was chosen. */
export const essentialStorage: readonly StoredEntry[] = [
  { area: 'localStorage', name: 'token', purpose: 'sign-in' },
  { area: 'cookie', name: deviceCookie, purpose: 'known-browser' },
  { area: 'localStorage', name: 'theme', purpose: 'theme' },
  { area: 'cookie', name: languageCookie, purpose: 'language' },
  { area: 'localStorage', name: cookiePreferencesKey, purpose: 'cookie-choice' },
  { area: 'localStorage', name: cookieDecisionKey, purpose: 'cookie-choice' },
  { area: 'localStorage', name: 'hidden-usage-warning', purpose: 'hidden-notice' },
  { area: 'sessionStorage', name: 'report-later-*', purpose: 'hidden-notice' },
  { area: 'localStorage', name: 'stage-prints', purpose: 'big-screen' },
  { area: 'sessionStorage', name: 'stage-full', purpose: 'big-screen' },
  { area: 'sessionStorage', name: 'stage-reloaded', purpose: 'big-screen' },
  { area: 'sessionStorage', name: 'places', purpose: 'scroll-positions' },
  { area: 'sessionStorage', name: 'gallery-order', purpose: 'chosen-event' },
  { area: 'IndexedDB', name: 'keepsnap-uploads', purpose: 'waiting-uploads' },
  { area: 'localStorage', name: 'unsent-uploads-*', purpose: 'waiting-uploads' },
  { area: 'localStorage', name: 'shown-event-*', purpose: 'chosen-event' },
  { area: 'localStorage', name: 'has-events', purpose: 'chosen-event' },
  { area: 'cookie', name: 'contributor-*', purpose: 'guest-photos' },
  { area: 'cookie', name: 'helper', purpose: 'guest-photos' },
  { area: 'localStorage', name: 'guest-name', purpose: 'guest-photos' },
  { area: 'IndexedDB', name: 'keepsnap-guest-photos', purpose: 'guest-photos' },
  { area: 'localStorage', name: 'scanned-photos', purpose: 'guest-photos' },
  { area: 'sessionStorage', name: 'support-draft', purpose: 'support-message' },
]

/**
 * What the providers of analytics could keep on the device. With the settings that the app gives to their scripts they keep
 * nothing while visits are counted: Matomo runs without cookies, Plausible has none. The app removes these whenever consent
 * is missing.
 */
export const analyticsCookiePrefixes = ['_pk_', 'mtm_'] as const

/** The sample pictures, which need no account; `web/pictures/samples.ts` has their files. */
export const sampleNames = ['table', 'topper', 'dance', 'balloons', 'rings', 'family'] as const
export type SampleName = (typeof sampleNames)[number]

/** The page to which a sample picture's QR code leads. */
export const samplePagePath = <Name extends string>(name: Name) => `/sample/${name}` as const
/** A sample picture's QR code: PNG; with `.svg` appended, SVG. */
export const sampleCodePath = <Name extends string>(name: Name) => `/qr/s/${name}` as const

/** Within how many working days the operator answers who reports a problem with accessibility; the runbook says so, too. */
export const accessibilityAnswerDays = 5

/** The fields of the contact form on the support page; all are required. */
export interface SupportFields {
  name: string
  email: string
  subject: string
  message: string
}
/** The fields in the order of the form. */
export const supportFields = ['name', 'email', 'subject', 'message'] as const satisfies (keyof SupportFields)[]

/** How long each text may be, in UTF-16 code units as browsers count them. */
export const supportFieldChars = {
  name: supportLimits.nameChars,
  subject: supportLimits.subjectChars,
  message: supportLimits.messageChars,
} as const

/** Why a field is refused. */
export type SupportProblem = 'missing' | 'long' | EmailProblem
/** The fields that are refused. */
export type SupportProblems = Partial<Record<keyof SupportFields, SupportProblem>>

// A text without any visible character says nothing.
const hasContent = (text: string): boolean => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text)

function textProblem(name: keyof typeof supportFieldChars, text: string): SupportProblem | null {
  if (!hasContent(text)) return 'missing'
  return text.length > supportFieldChars[name] ? 'long' : null
}

/** What is wrong with the fields of the form: the same rules on the page and on the server. */
export function supportProblems(fields: SupportFields): SupportProblems {
  const problems: SupportProblems = {}
  for (const name of supportFields) {
    const problem = name === 'email' ? emailProblem(fields.email) : textProblem(name, fields[name].trim())
    if (problem !== null) problems[name] = problem
  }
  return problems
}

/** The sentence of the server for a field that is refused; the page has its own in each language. */
export function supportProblemMessage(field: keyof SupportFields, problem: SupportProblem): string {
  if (field === 'email') return emailProblemMessages[problem]
  return problem === 'long'
    ? `Please use at most ${supportFieldChars[field]} characters`
    : { name: 'Please enter your name', subject: 'Please enter a subject', message: 'Please write a message' }[field]
}

// Limited by the body size only: `supportProblems` checks lengths, so that a form without JavaScript shows the error.
const Text = Optional(text(limits.jsonBodyBytes))

/** The answer to every accepted message. */
export const supportReceived = 'Your message has been sent.'

/**
 * JSON is answered with JSON; a form, for browsers without JavaScript, with a page. With a session, the message belongs to
 * that account, whose plan decides about priority; without a valid one it is a visitor's.
 */
export const sendSupportMessage = endpoint({
  method: 'POST',
  path: '/support',
  access: ['public', 'user'],
  rate: 'support',
  summary: 'Send a message to support. The answer is the same for every address.',
  form: 'or JSON',
  // Of the page: the confirmation is in this language. Without it, that of the browser.
  query: Object({ [languageParameter]: Optional(String({ maxLength: 8 })) }),
  // `website` is a honeypot: people do not see the field, so only bots fill it in.
  body: Object(
    // `website` has no limit: a message whose honeypot is filled in is accepted, too.
    { name: Text, email: Text, subject: Text, message: Text, website: Optional(String()) },
    { additionalProperties: false },
  ),
  reply: Object({ detail: String() }),
})
