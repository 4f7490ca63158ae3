import { createHash } from 'node:crypto'
import { renderToStaticMarkup } from 'react-dom/server'
import type { GuestFrame, GuestPage, GuestRenderer } from '@keepsnap/contract/guest.ts'
import { LanguageProvider } from '../lib/i18n.tsx'
import type { Language } from '../lib/locales.ts'
import { Document } from './Document.tsx'
import { createLetters } from './letters/letters.tsx'
import { createLikenesses } from './likeness.ts'
import { PhotoPage } from './PhotoPage.tsx'
import { GonePage, ReportedPage } from './PlainPages.tsx'
import { RequestPage } from './RequestPage.tsx'
import { StopPage } from './StopPage.tsx'
import { createUntil } from './until.ts'

interface Parts {
  /** Put into every page; no closing tags in them. */
  style: string
  script: string
  language: Language
}

const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Renders guest pages and letters in one language. */
export function createGuestRenderer({ style, script, language }: Parts): GuestRenderer {
  // Day before month, as the rest of the world writes it; other languages have their own order.
  const until = createUntil(language.tag === 'en' ? 'en-GB' : language.tag, { timeZone: 'UTC', timeZoneName: 'short' })
  const likenessOf = createLikenesses()
  const { renderLetter } = createLetters(language, until)
  const bodyOf = (page: GuestPage, frame: GuestFrame) => {
    if (page.page === 'request') return <RequestPage page={page} likeness={likenessOf(page.photo)} />
    if (page.page === 'photo')
      return <PhotoPage page={page} likeness={likenessOf(page.photo)} frame={frame} until={until} />
    if (page.page === 'stop') return <StopPage page={page} host={new URL(frame.publicUrl).host} />
    return page.page === 'reported' ? <ReportedPage page={page} /> : <GonePage why={page.why} />
  }
  return {
    renderGuestPage: (page, frame) =>
      `<!doctype html>${renderToStaticMarkup(
        <LanguageProvider language={language}>
          <Document lang={language.tag} page={page} frame={frame} style={style} script={script}>
            {bodyOf(page, frame)}
          </Document>
        </LanguageProvider>,
      )}`,
    renderLetter,
    inlineStyles: [sourceOf(style)],
    inlineScripts: [sourceOf(script)],
  }
}
