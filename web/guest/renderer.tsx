import { createHash } from 'node:crypto'
import { renderToStaticMarkup } from 'react-dom/server'
import type { GuestPage, GuestPageContext, GuestRenderer } from '@keepsnap/contract/rendering.ts'
import { LanguageProvider, type LocaleData } from '../lib/i18n.tsx'
import { translateSentence } from '../lib/server-sentences.ts'
import { type Language, languages } from '@keepsnap/contract/languages.ts'
import type { Catalogue } from '../messages/en.ts'
import { GuestDocument, GuestLanguageContext } from './GuestLayout.tsx'
import { DemoCheckoutEndedPage, DemoCheckoutPage } from './DemoCheckoutPage.tsx'
import { createEmailRenderer } from './email-renderer.tsx'
import { EventPage } from './EventPage.tsx'
import { EventGrantPage } from './EventGrantPage.tsx'
import { GonePage, ReportedPage, UnsubscribePage } from './MessagePages.tsx'
import { GuestPhotoPage, SamplePage } from './GuestPhotoPage.tsx'
import { createPlaceholderRenderer } from './placeholder.ts'
import { RequestPage } from './RequestPage.tsx'
import { SupportFormPage } from './SupportFormPage.tsx'
import {
  createZonedDateFormat,
  createEveningFormat,
  createZonedDateTimeFormat,
  createZonedMomentFormat,
  createZonedTimeFormat,
} from './date-time.ts'
import { WithdrawalFormPage, WithdrawalLinkPage } from './WithdrawalPages.tsx'

interface RendererOptions {
  /** Inlined into every page; must not contain closing tags. */
  style: string
  /** Also inlined into the page of demo payments. */
  checkoutStyle: string
  /** Also inlined where guests can add photos. */
  addStyle: string
  script: string
  /** In the pages of guest galleries instead. */
  galleryScript: string
  /** Also in those where guests can add photos. */
  addScript: string
  /** Also in the pages of events and of their photos. */
  scannedScript: string
  /** The path of the font that the styles name. */
  fontPath: string
  /** Each language with all of its sentences. */
  localeDataOf: (language: Language) => LocaleData
}

const cspHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** What renders in one language. */
function createLanguageRenderer(
  { style, checkoutStyle, addStyle, script, galleryScript, addScript, scannedScript, fontPath }: RendererOptions,
  language: LocaleData,
): Pick<GuestRenderer, 'renderGuestPage' | 'renderEmail' | 'translateCsv'> {
  // Day before month, as most of the world writes English dates.
  const locale = language.tag === 'en' ? 'en-GB' : language.tag
  const formatDateTime = createZonedDateTimeFormat(locale)
  const formatMoment = createZonedMomentFormat(locale)
  const formatTime = createZonedTimeFormat(locale)
  const formatEvening = createEveningFormat(locale)
  const placeholderOf = createPlaceholderRenderer()
  const isAdding = (page: GuestPage): boolean => page.page === 'event' && page.adding !== null
  const hasScanned = (page: GuestPage): boolean =>
    page.page === 'event' || ((page.page === 'photo' || page.page === 'request') && !!page.kept)
  const scriptsOf = (page: GuestPage): string[] => [
    page.page === 'event' ? galleryScript : script,
    ...(isAdding(page) ? [addScript] : []),
    ...(hasScanned(page) ? [scannedScript] : []),
  ]
  const stylesOf = (page: GuestPage): string[] => [
    style,
    ...(page.page === 'demo-checkout' ? [checkoutStyle] : []),
    ...(isAdding(page) ? [addStyle] : []),
  ]
  const bodyOf = (page: GuestPage, frame: GuestPageContext) => {
    if (page.page === 'request') return <RequestPage page={page} placeholder={placeholderOf(page.photo)} />
    if (page.page === 'photo')
      return <GuestPhotoPage {...{ page, frame, formatDateTime }} placeholder={placeholderOf(page.photo)} />
    if (page.page === 'event') return <EventPage {...{ page, formatDateTime, formatTime, formatEvening }} />
    if (page.page === 'sample') return <SamplePage page={page} placeholderOf={placeholderOf} />
    if (page.page === 'demo-checkout') return <DemoCheckoutPage page={page} />
    if (page.page === 'demo-checkout-ended') return <DemoCheckoutEndedPage why={page.why} />
    if (page.page === 'event-grant') return <EventGrantPage {...{ page, formatDateTime }} />
    if (page.page === 'support') return <SupportFormPage page={page} />
    if (page.page === 'withdraw') return <WithdrawalFormPage {...{ page, formatMoment }} />
    if (page.page === 'withdrawal-link') return <WithdrawalLinkPage {...{ page, formatMoment }} />
    if (page.page === 'unsubscribe') return <UnsubscribePage page={page} host={new URL(frame.publicUrl).host} />
    if (page.page === 'reported') return <ReportedPage page={page} />
    // Only the answer to a form has no links to other languages.
    return <GonePage why={page.why} isAnswerToForm={!frame.hasLanguageLinks} />
  }
  return {
    renderGuestPage: (page, frame) =>
      `<!doctype html>${renderToStaticMarkup(
        <LanguageProvider language={language}>
          <GuestLanguageContext value={frame}>
            <GuestDocument {...{ page, frame, fontPath }} scripts={scriptsOf(page)} styles={stylesOf(page)}>
              {bodyOf(page, frame)}
            </GuestDocument>
          </GuestLanguageContext>
        </LanguageProvider>,
      )}`,
    renderEmail: createEmailRenderer(language, {
      formatDateTime,
      formatDate: createZonedDateFormat(locale),
      formatMoment,
    }),
    translateCsv(_, text) {
      if (!language.text) return text
      const { csv, refusals } = language.text
      const { words }: Catalogue['csv'] = csv
      const translations: Readonly<Record<string, string>> = words ?? {}
      return translations[text] ?? translateSentence(text, refusals) ?? text
    },
  }
}

/** Renders guest pages and emails in the language of each. */
export function createGuestRenderer(options: RendererOptions): GuestRenderer {
  const { style, checkoutStyle, addStyle, script, galleryScript, addScript, scannedScript, localeDataOf } = options
  const renderers = new Map(
    languages.map((language) => [language, createLanguageRenderer(options, localeDataOf(language))]),
  )
  const rendererOf = (language: Language) => renderers.get(language)! // has all languages
  return {
    renderGuestPage: (page, frame) => rendererOf(frame.language).renderGuestPage(page, frame),
    renderEmail: (email, context) => rendererOf(context.language).renderEmail(email, context),
    translateCsv: (language, text) => rendererOf(language).translateCsv(language, text),
    inlineStyles: [cspHash(style), cspHash(addStyle)],
    checkoutStyles: [cspHash(checkoutStyle)],
    inlineScripts: [cspHash(script), cspHash(galleryScript), cspHash(addScript), cspHash(scannedScript)],
  }
}
