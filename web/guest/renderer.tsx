import { createHash } from 'node:crypto'
import { renderToStaticMarkup } from 'react-dom/server'
import type { GuestFrame, GuestPage, GuestRenderer } from '@keepsnap/contract/guest.ts'
import { LanguageProvider, type ShownLanguage } from '../lib/i18n.tsx'
import { Document } from './Document.tsx'
import { DemoCheckoutEndedPage, DemoCheckoutPage } from './DemoCheckoutPage.tsx'
import { createEmailRenderer } from './emails/email-renderer.tsx'
import { GonePage, ReportedPage } from './MessagePages.tsx'
import { PhotoPage } from './PhotoPage.tsx'
import { createPlaceholderRenderer } from './placeholder.ts'
import { RequestPage } from './RequestPage.tsx'
import { SamplePage } from './SamplePage.tsx'
import { SupportFormPage } from './SupportFormPage.tsx'
import { UnsubscribePage } from './UnsubscribePage.tsx'
import { createZonedDateFormat, createZonedDateTimeFormat } from './zoned-date-time.ts'

interface RendererOptions {
  /** Inlined into every page; must not contain closing tags. */
  style: string
  /** Inlined besides into the page of demo payments. */
  checkoutStyle: string
  script: string
  language: ShownLanguage
}

const cspHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Renders guest pages and emails in one language. */
export function createGuestRenderer({ style, checkoutStyle, script, language }: RendererOptions): GuestRenderer {
  // Day before month, as most of the world writes English dates.
  const locale = language.tag === 'en' ? 'en-GB' : language.tag
  const formatDateTime = createZonedDateTimeFormat(locale)
  const placeholderOf = createPlaceholderRenderer()
  const stylesOf = ({ page }: GuestPage): string[] => (page === 'demo-checkout' ? [style, checkoutStyle] : [style])
  const bodyOf = (page: GuestPage, frame: GuestFrame) => {
    if (page.page === 'request') return <RequestPage page={page} placeholder={placeholderOf(page.photo)} />
    if (page.page === 'photo')
      return <PhotoPage {...{ page, frame, formatDateTime }} placeholder={placeholderOf(page.photo)} />
    if (page.page === 'sample') return <SamplePage page={page} placeholderOf={placeholderOf} />
    if (page.page === 'demo-checkout') return <DemoCheckoutPage page={page} />
    if (page.page === 'demo-checkout-ended') return <DemoCheckoutEndedPage why={page.why} />
    if (page.page === 'support') return <SupportFormPage page={page} />
    if (page.page === 'unsubscribe') return <UnsubscribePage page={page} host={new URL(frame.publicUrl).host} />
    return page.page === 'reported' ? <ReportedPage page={page} /> : <GonePage why={page.why} />
  }
  return {
    renderGuestPage: (page, frame) =>
      `<!doctype html>${renderToStaticMarkup(
        <LanguageProvider language={language}>
          <Document lang={language.tag} {...{ page, frame, script }} styles={stylesOf(page)}>
            {bodyOf(page, frame)}
          </Document>
        </LanguageProvider>,
      )}`,
    renderEmail: createEmailRenderer(language, { formatDateTime, formatDate: createZonedDateFormat(locale) }),
    inlineStyles: [cspHash(style)],
    checkoutStyles: [cspHash(checkoutStyle)],
    inlineScripts: [cspHash(script)],
  }
}
