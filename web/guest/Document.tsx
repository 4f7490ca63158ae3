import type { ReactNode } from 'react'
import type { GuestFrame, GuestPage } from '@keepsnap/contract/guest.ts'
import { productName } from '@keepsnap/contract/product.ts'
import { frame as frameText } from '../messages/en/frame.ts'
import { guest } from '../messages/en/guest.ts'
import { useText } from '../lib/i18n.tsx'

interface Props {
  lang: string
  page: GuestPage
  frame: GuestFrame
  style: string
  script: string
  children: ReactNode
}

/** Why a page is gone stands in its title. */
function titleOf(page: GuestPage): keyof typeof guest.titles {
  if (page.page !== 'gone' || page.why === 'photo') return page.page
  return page.why === 'expired' ? 'expired' : 'unknown'
}
/** Pages that are forms and links alone. */
const isPlain = ({ page }: GuestPage): boolean => page === 'gone' || page === 'stop'

/** How often people without JavaScript see whether their photo is ready. */
const refreshSeconds = 4

/** The whole document. Everything it needs but the picture and the font is inside. */
export function Document({ lang, page, frame, style, script, children }: Props) {
  const text = useText({ guest })
  const title = text.titles[titleOf(page)]
  const { other } = text.descriptions
  const description = page.page === 'request' || page.page === 'photo' ? text.descriptions[page.page] : other
  const address = new URL(frame.path, frame.publicUrl).href
  const preview = frame.previewUrl === null ? null : new URL(frame.previewUrl, frame.publicUrl).href
  const waits = page.page === 'photo' && page.file === null
  return (
    <html lang={lang}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <title>{useText({ frame: frameText }).documentTitle(title)}</title>
        <meta name="description" content={description} />
        <meta name="robots" content="noindex" />
        <meta name="format-detection" content="telephone=no" />
        <link rel="canonical" href={address} />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <meta property="og:site_name" content={productName} />
        <meta property="og:type" content="website" />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={description} />
        <meta property="og:url" content={address} />
        {preview !== null && <meta property="og:image" content={preview} />}
        {preview !== null && <meta name="twitter:card" content="summary_large_image" />}
        {waits && (
          <noscript>
            <meta httpEquiv="refresh" content={String(refreshSeconds)} />
          </noscript>
        )}
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        {children}
        {!isPlain(page) && <script dangerouslySetInnerHTML={{ __html: script }} />}
      </body>
    </html>
  )
}
