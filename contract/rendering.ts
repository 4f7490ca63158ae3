import { Object } from 'typebox'
import type { LogoGrounds } from './accounts.ts'
import type { BusinessFields, BusinessProblems } from './businesses.ts'
import type { Email, EmailContext, RenderedEmail } from './emails.ts'
import type { Adding } from './event-photos.ts'
import type { GalleryPhoto } from './event-guests.ts'
import type { ReportReason } from './guests.ts'
import type { Language } from './languages.ts'
import type { EventOrder, PhotoHour } from './photos.ts'
import type { PlanId } from './plans.ts'
import type { SampleName, SupportFields, SupportProblems } from './site.ts'
import type { WithdrawalFields, WithdrawalProblems } from './withdrawals.ts'
import { endpoint, pathId } from './endpoint.ts'

/** A photo as a guest page shows it. URLs are paths of this origin or absolute. */
export interface GuestPhoto {
  /** Path below which its calls are: `visits`, `request-email`, `report` and, while it is processed, `public`. */
  callsPath: string
  /** Path of the page on which it is requested. */
  pagePath: string
  /** The action of the form of that page without JavaScript. */
  formPath: string
  /** The neutral download name, never the owner's file name. */
  filename: string
  /** Null while the photo is being processed. */
  thumbnailUrl: string | null
  /** In pixels, after rotation; null while unknown. */
  width: number | null
  height: number | null
  /** ThumbHash in base64, drawn as a placeholder until the photo has loaded. */
  thumbhash: string | null
}

/** The owner's logo, for plans with custom branding. */
export interface GuestLogo {
  /** Public URL of a PNG. */
  url: string
  /** In pixels. */
  width: number
  height: number
  grounds: Pick<LogoGrounds, 'light' | 'dark'>
}

/** The full-size file, for a guest who is allowed to have it. */
export interface GuestFile {
  /** URL that downloads the file. */
  downloadUrl: string
  /** URL of the image for screens, which the page shows. */
  screenUrl: string
  /** URL of the same file for the share sheet, and for display where a long press saves what is shown. */
  inlineUrl: string
  bytes: number
  /** Media type. */
  type: string
}

/** The form to report a photo, collapsed at first. */
export interface GuestReport {
  /** The form's action without JavaScript. The script calls `report` below `callsPath` of the photo. */
  action: string
  reasons: readonly ReportReason[]
}

/** Adding photos on the page of an event. The page is the same for all guests: its script asks for the rest. */
export type GuestAdding = Pick<Adding, 'reviewed'>

/** The page that the code of an event leads to. */
export interface EventGuestPage {
  page: 'event'
  /**
   * `open`: photos are shown. `coming`: the gallery opens at `opensAt`. `ended`: the event has ended. `off`: there are no photos to see,
   * and maybe never will be.
   */
  state: 'open' | 'coming' | 'ended' | 'off'
  /** Path of the page; photos are below it, by their tokens. */
  path: string
  /** Of the event; null where its name is not to be shown. */
  name: string | null
  /** The name that the owner is known by to guests; null without one. */
  owner: string | null
  /** Newest first; empty unless `open`. */
  photos: readonly GalleryPhoto[]
  /** The token with which the next page begins; null on the last one. */
  next: string | null
  /** Whether these are the newest photos; otherwise the page links to them. */
  isNewest: boolean
  order: EventOrder
  /** The hours that have photos in this order, newest first; `until` is the one whose photos are shown, or null. */
  hours: readonly PhotoHour[]
  until: string | null
  /** ISO 8601 in UTC; only of `coming`. */
  opensAt: string | null
  /** IANA time zone of the times; the server's if null. */
  timeZone: string | null
  /** All photos as one file; null where that is not offered. `url`: null where its link comes by email, which `emails` asks for. */
  archive: { photos: number; bytes: number; url: string | null } | null
  /** What guests can ask for by email; null while none can be sent. */
  emails?: EventEmails | null
  /** How guests add photos; null where they cannot. */
  adding: GuestAdding | null
  /** `event` of `KeptPhoto`. */
  mark: string
  logo?: GuestLogo | null
}

/** What a guest can have sent by `requestFromEvent`: photos of an open gallery, `archive`, or a notice while it is `coming`. */
export interface EventEmails {
  /** Whether guests give an email address to get photos. */
  required: boolean
  /** The answer to a form without a script; null on other pages. */
  answer: {
    to: 'archive' | 'tell_me'
    state: 'bad' | 'failed' | 'sent'
    /** The address that was entered. */
    email: string
    /** Why the address is invalid or the request was refused, as a sentence. */
    problem: string | null
  } | null
}

/** A photo of an event on its own pages, which the phone can keep to request several at once. */
export interface KeptPhoto {
  /** What `requestPhotos` calls it: its code, or its id where its code is not known. */
  code: string
  /** The mark of its event: equal on all of its pages, and it opens nothing. */
  event: string
  /** Whether emails can be sent. */
  canEmail: boolean
}

/**
 * The props of every guest page. `server/platform/http/pages.ts` renders them with the module built from `web/guest/`.
 * Nothing here identifies the owner but the logo.
 */
export type GuestPage =
  | {
      page: 'request'
      /** `bad`: the address is invalid. `failed`: the request was refused. `off`: no mail server is configured. */
      state: 'form' | 'bad' | 'failed' | 'sent' | 'off'
      photo: GuestPhoto
      /** Whether the photo is still being processed; the page then shows it when it is ready. */
      processing: boolean
      /** The address that was entered, for `bad`, `failed` and `sent`. */
      email: string
      /** Why the address is invalid or the request was refused, as a sentence. */
      problem: string | null
      /** When the gallery of its event opens, ISO 8601 in UTC: the form offers `tell_me`. Null when it is open, or there is none. */
      opensAt?: string | null
      /** Null of a photo without an event, and on pages of a guest gallery. */
      kept?: KeptPhoto | null
      /** IANA time zone of `opensAt`; the server's if null. */
      timeZone?: string | null
      /** Path of the guest gallery that it links to; null for none. */
      galleryPath?: string | null
      report: GuestReport
      logo?: GuestLogo | null
    }
  | {
      page: 'photo'
      /** What the guest opened: a link in an email, the direct QR code, or a guest gallery. */
      by: 'grant' | 'code' | 'gallery'
      photo: GuestPhoto
      /** Null while the photo is being processed. */
      file: GuestFile | null
      /** ISO 8601 in UTC; null if the link does not expire. */
      expiresAt: string | null
      /** Whether the device runs iOS or iPadOS, where the page offers the share sheet. */
      ios: boolean
      /** IANA time zone of `expiresAt` without JavaScript; the server's if null. */
      timeZone: string | null
      /** Null of a photo without an event, and unless its own code was scanned. */
      kept?: KeptPhoto | null
      /** Path of the guest gallery that it links to; null for none. */
      galleryPath?: string | null
      report: GuestReport
      logo?: GuestLogo | null
    }
  | EventGuestPage
  /** A sample picture, as a guest would get a photo. It belongs to nobody and cannot be reported. */
  | { page: 'sample'; name: SampleName; ios: boolean }
  /** After a report without JavaScript; `ok` is false if no reason was chosen, and the form keeps the note. */
  | { page: 'reported'; ok: boolean; note: string; photo: GuestPhoto; report: GuestReport; logo?: GuestLogo | null }
  /** Where the recipient of photo emails unsubscribes and subscribes again. */
  | {
      page: 'unsubscribe'
      /** `ask`: not unsubscribed. `stopped`: unsubscribed. `allowed`: subscribed again. */
      state: 'ask' | 'stopped' | 'allowed'
      /** The action of the page's form; null if it has none. */
      action: string | null
    }
  | { page: 'gone'; why: 'photo' | 'event' | 'expired' | 'unsubscribe' | 'withdrawal' | 'event-grant' | 'unavailable' }
  /** All photos of an event, for those to whom its owner sent the link. */
  | {
      page: 'event-grant'
      eventName: string
      brandName: string | null
      photos: number
      bytes: number
      /** Photos that are being processed. */
      processing: number
      /** URL of the ZIP file with all of them; null without photos. */
      archiveUrl: string | null
      /** Some of them, the newest first. */
      tiles: { url: string; thumbnailUrl: string; width: number | null; height: number | null }[]
      /** URLs of the next older ones, and of the first page on others; null for none. */
      olderUrl: string | null
      newestUrl: string | null
      /** ISO 8601 in UTC. */
      expiresAt: string
      /** IANA time zone of `expiresAt`; the server's if null. */
      timeZone: string | null
      logo: GuestLogo | null
    }
  /** Where a plan is paid with demo payments. `declined`: the last attempt was; it can be tried again. */
  | {
      page: 'demo-checkout'
      /** `bad`: fields of the business are refused. */
      state: 'open' | 'declined' | 'bad'
      plan: PlanId
      action: string
      /** The business that the invoices are to name, as it was entered or is known. */
      business: { isChosen: boolean; fields: BusinessFields; problems: BusinessProblems }
    }
  /** The page that answers the contact form of the support page without JavaScript. */
  | {
      page: 'support'
      /** `bad`: fields are refused. `failed`: the message was refused; `problem` says why, as a sentence. */
      state: 'bad' | 'failed' | 'sent'
      /** What was entered. */
      fields: SupportFields
      problems: SupportProblems
      problem: string | null
    }
  /** The page that answers the form of withdrawals without JavaScript. */
  | {
      page: 'withdraw'
      /**
       * `form`: back from the second step. `bad`: fields are refused. `confirm`: the second step, which repeats what was entered. `failed`: the
       * withdrawal was refused; `problem` says why, as a sentence.
       */
      state: 'form' | 'bad' | 'confirm' | 'failed' | 'made'
      /** What was entered. */
      fields: WithdrawalFields
      problems: WithdrawalProblems
      problem: string | null
      /** For `made`: when, ISO 8601 in UTC. */
      madeAt: string | null
    }
  /** The page of the link in the receipt of a withdrawal. `ask`: its button ends the plan. `accepted`: money is still to go back. */
  | {
      page: 'withdrawal-link'
      state: 'ask' | 'accepted' | 'done' | 'closed'
      /** The action of the page's form; null if it has none. */
      action: string | null
      plan: PlanId
      /** ISO 8601 in UTC. */
      madeAt: string
      /** For `done`. */
      refundedCents: number | null
      /** Whether payments are a demonstration: no money moves. */
      isDemo: boolean
    }
  /** A checkout of demo payments that cannot be paid (any more). */
  | { page: 'demo-checkout-ended'; why: 'paid' | 'expired' | 'unknown' }

/** What every guest page needs besides its own props. */
export interface GuestPageContext {
  language: Language
  /** Whether links lead to the page in the other languages: not from the answer to a form, whose URL may have no page. */
  hasLanguageLinks: boolean
  /** The setting PUBLIC_URL, for link previews and the canonical URL. */
  publicUrl: string
  /** The page's path. */
  path: string
  /** URL of the image for link previews; null for none. */
  previewUrl: string | null
}

/** What the module built from `web/guest/` exports. */
export interface GuestRenderer {
  renderGuestPage(page: GuestPage, context: GuestPageContext): string
  renderEmail(email: Email, context: EmailContext): RenderedEmail
  /** A word or a sentence of the server in a CSV file, in a language; as it is where there is no translation. */
  translateCsv(language: Language, text: string): string
  /** CSP sources (`'sha256-...'`) of the inline styles and scripts. */
  inlineStyles: readonly string[]
  /** CSP sources of the additional styles of the page of demo payments. */
  checkoutStyles: readonly string[]
  inlineScripts: readonly string[]
}

/** A page of the web app as the server sends it; the app takes over in the browser. */
export interface RenderedWebPage {
  /** Whether search engines may show it. */
  isPublic: boolean
  /** Elements of `<head>`: title, description, canonical URL, alternates in other languages, link preview, structured data. */
  head: string
  /** The content of the page for a visitor who is not signed in; null for pages that need JavaScript. */
  body: string | null
  /** The page's module in the manifest of the build, such as `features/site/HomePage.tsx`; null for unknown pages. */
  module: string | null
}

/** What the content of a page depends on. */
export interface WebPageRequest {
  /** Without query. */
  path: string
  /** Of `?version=`: one of `pageVersions`, or `unknownVersion`; null for the one that applies. */
  version: string | null
  language: Language
  /** Whether the URL named the language: such a URL stands for this language only. */
  isLanguageInUrl: boolean
  /** The setting PUBLIC_URL. */
  publicUrl: string
  /** Answers a GET call of the API that is open to everybody: path and query to the bytes of the reply. */
  load(path: string): Promise<string>
}

/** Stands for every version that does not exist, whose pages are all the same. */
export const unknownVersion = 'unknown'

/** A page that search engines may show. */
export interface PublicPage {
  /** In the address of its preview picture. */
  name: string
  path: string
}

/** The texts of the picture that chats and social networks show with a link to a page. */
export interface PagePreview {
  title: string
  /** Beside the QR code. */
  codeLine: string
}

/** A web app manifest (W3C), as far as it depends on the language. */
export interface AppManifestTexts {
  description: string
  /** Names of pages that the system offers on the icon of the app. */
  upload: string
  latest: string
}

/** What the module built from `web/prerender/` exports. */
export interface WebPageRenderer {
  renderWebPage(request: WebPageRequest): Promise<RenderedWebPage>
  publicPages: readonly PublicPage[]
  /** The versions of a page that `?version=` can name; empty for pages that have none. */
  pageVersions(path: string): readonly string[]
  /** Null for a name that is not one of `publicPages`. */
  pagePreview(name: string, language: Language): PagePreview | null
  appManifestTexts(language: Language): AppManifestTexts
  /** URL of the file, in the build of the web app, of the font that preview pictures are drawn with. */
  previewFont: string
}

/** The path of the preview picture of a page. */
export const pagePreviewPath = (name: string, language: string): string => `/preview/${name}.${language}.jpg`
/** Size of preview pictures in pixels, as Open Graph recommends. */
export const pagePreviewSize = { width: 1200, height: 630 } as const

/** The picture that chats and social networks show with a link to a page of the web app; JPEG. */
export const pagePreview = endpoint({
  method: 'GET',
  path: '/preview/:name',
  access: 'public',
  summary: 'Get the preview picture of a public page.',
  // Any text is accepted: an unknown page is a 404, not a validation error.
  params: Object({ name: pathId }),
  reply: 'bytes',
})
/** What search engines and other robots may read (RFC 9309). */
export const robotsFile = endpoint({
  method: 'GET',
  path: '/robots.txt',
  access: 'public',
  summary: 'Get the rules for robots.',
  reply: 'bytes',
})
/** The public pages in all languages (sitemaps.org). */
export const sitemap = endpoint({
  method: 'GET',
  path: '/sitemap.xml',
  access: 'public',
  summary: 'Get the list of public pages.',
  reply: 'bytes',
})
/** The path of the app's manifest in a language. */
export const appManifestPath = (language: string): string => `/manifest/${language}.webmanifest`
/** The name, icons and shortcuts of the web app when it is installed, in one language. */
export const appManifest = endpoint({
  method: 'GET',
  path: '/manifest/:name',
  access: 'public',
  summary: 'Get the manifest of the web app.',
  params: Object({ name: pathId }),
  reply: 'bytes',
})
