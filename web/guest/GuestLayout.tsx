import { type ComponentProps, createContext, type ReactNode, use } from 'react'
import { Images } from 'lucide-react'
import type { GuestLogo, GuestPage, GuestPageContext } from '@keepsnap/contract/rendering.ts'
import { pages, productName } from '@keepsnap/contract/site.ts'
import {
  defaultLanguage,
  type Language,
  languageNames,
  languageParameter,
  languages,
} from '@keepsnap/contract/languages.ts'
import { demoCheckout } from '../messages/en/plans.ts'
import { eventGrant } from '../messages/en/event-archive.ts'
import { frame as frameText, languages as languagesText } from '../messages/en/frame.ts'
import { galleryHash } from './gallery-hash.ts'
import { eventGuests } from '../messages/en/event-guests.ts'
import { guest } from '../messages/en/guests.ts'
import { support } from '../messages/en/support.ts'
import { withdrawalLink } from '../messages/en/withdrawal-emails.ts'
import { withdrawal } from '../messages/en/withdrawals.ts'
import { useText } from '../lib/i18n.tsx'
import { samplePictures } from '../pictures/samples.ts'
import { buttonClass, type ButtonLook } from '../ui/Button.tsx'
import { LogoMark } from '../ui/Logo.tsx'
import { logoGround } from '../lib/images.ts'

interface Props {
  /** `photo`: the photo takes all available space; `form`: photo and form share it; `gallery`: as wide as the page; `list`: many photos. */
  look: 'photo' | 'form' | 'gallery' | 'list'
  /** The owner's logo, for plans with custom branding. */
  logo?: GuestLogo | null | undefined
  /** Data attributes, read by the page's script. */
  data?: Record<`data-${string}`, string>
  footer?: ReactNode
  children: ReactNode
}

/** The layout of every guest page: no navigation, and one line with the product's name. */
export function GuestLayout({ look, logo, data, footer, children }: Props) {
  const text = useText({ guest })
  return (
    <main className={`guest guest--${look}`} data-brand={logo ? '' : undefined} {...data}>
      {logo && (
        <div className="guest__logo">
          <img src={logo.url} alt="" width={logo.width} height={logo.height} {...logoGround(logo.grounds)} />
        </div>
      )}
      {children}
      <div className="guest__footer">
        <p className="guest__made-with">
          {text.madeWith}
          <a href={pages.home} translate="no">
            <LogoMark />
            {productName}
          </a>
        </p>
        {footer}
        <GuestLanguageLinks />
      </div>
    </main>
  )
}

/** A link as wide as the page, or a phone, that looks like a button. */
export const WideLink = ({ tone = 'quiet', children, ...link }: ComponentProps<'a'> & Pick<ButtonLook, 'tone'>) => (
  <a className={buttonClass({ tone, large: true, block: true })} {...link}>
    {children}
  </a>
)

/** Leads from a photo to the guest gallery of its event. */
export function GalleryLink({ path }: { path: string | null | undefined }) {
  const text = useText({ eventGuests })
  return (
    path && (
      <a className={buttonClass({ tone: 'ghost', block: true })} href={path + galleryHash}>
        <Images className="icon" />
        {text.all}
      </a>
    )
  )
}

/** The language of the page that is rendered, and whether it links to others. */
export const GuestLanguageContext = createContext<Pick<GuestPageContext, 'language' | 'hasLanguageLinks'> | null>(null)

/** The language of the page that is rendered. */
export const useGuestLanguage = (): Language => use(GuestLanguageContext)?.language ?? defaultLanguage

/** Links to the page in the other languages. They need no JavaScript: the server stores the choice. */
function GuestLanguageLinks() {
  const frame = use(GuestLanguageContext)
  const text = useText({ languages: languagesText })
  if (!frame?.hasLanguageLinks) return null
  return (
    <ul className="guest__languages" aria-label={text.label}>
      {languages.map((language) => (
        <li key={language}>
          {language === frame.language ? (
            <span aria-current="true" lang={language} translate="no">
              {languageNames[language]}
            </span>
          ) : (
            <a
              href={`?${languageParameter}=${language}`}
              hrefLang={language}
              lang={language}
              rel="nofollow"
              translate="no"
            >
              {languageNames[language]}
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}

interface DocumentProps {
  page: GuestPage
  frame: GuestPageContext
  styles: readonly string[]
  scripts: readonly string[]
  fontPath: string
  children: ReactNode
}

type PageOfGuests = Exclude<
  GuestPage,
  {
    page: 'demo-checkout' | 'demo-checkout-ended' | 'event' | 'event-grant' | 'support' | 'withdraw' | 'withdrawal-link'
  }
>

function titleKey(page: PageOfGuests): keyof typeof guest.titles {
  if (page.page !== 'gone' || page.why === 'photo') return page.page
  return page.why === 'expired' || page.why === 'unavailable' ? page.why : 'unknown'
}
function descriptionKey({ page }: PageOfGuests): keyof typeof guest.descriptions {
  return page === 'request' || page === 'photo' || page === 'sample' ? page : 'other'
}
/** Pages that need no script. */
const isStatic = ({ page }: GuestPage): boolean => !['request', 'photo', 'sample', 'reported', 'event'].includes(page)

/** How often the page reloads without JavaScript while the photo is processed. */
const waitRefreshSeconds = 4
/** How often the page of a temporary failure reloads. */
const unavailableRefreshSeconds = 5

/** The element after the content of the page. */
const endId = 'end'

/** The HTML document, with everything inlined but images and fonts. */
export function GuestDocument({ page, frame, styles, scripts, fontPath, children }: DocumentProps) {
  const text = useText({ guest })
  const checkout = useText({ demoCheckout })
  const supportText = useText({ support })
  const withdrawalText = useText({ withdrawal })
  const linkText = useText({ withdrawalLink })
  const eventText = useText({ eventGuests })
  const grantText = useText({ eventGrant })
  const headOf = (): { title: string; description: string } => {
    if (page.page === 'event') return { title: page.name ?? eventText.title, description: eventText.description }
    if (page.page === 'support') return supportText
    if (page.page === 'withdraw') return { title: withdrawalText.title, description: withdrawalText.lead }
    if (page.page === 'withdrawal-link') return linkText
    if (page.page === 'event-grant') return { title: page.eventName, description: grantText.description }
    if (page.page === 'demo-checkout' || page.page === 'demo-checkout-ended') return checkout
    return { title: text.titles[titleKey(page)], description: text.descriptions[descriptionKey(page)] }
  }
  const { title, description } = headOf()
  const canonicalUrl = new URL(frame.path, frame.publicUrl).href
  const previewUrl = page.page === 'sample' ? samplePictures[page.name].full : frame.previewUrl
  const previewImageUrl = previewUrl === null ? null : new URL(previewUrl, frame.publicUrl).href
  // The answer to a form has no links to other languages. Loading it again would not send the form.
  const loadsAgain = page.page === 'gone' && page.why === 'unavailable' && frame.hasLanguageLinks
  const isWaiting = page.page === 'photo' && page.file === null
  return (
    <html lang={frame.language}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <title>{useText({ frame: frameText }).documentTitle(title)}</title>
        <meta name="description" content={description} />
        <meta name="robots" content="noindex" />
        <meta name="format-detection" content="telephone=no" />
        <link rel="canonical" href={canonicalUrl} />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <meta property="og:site_name" content={productName} />
        <meta property="og:type" content="website" />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={description} />
        <meta property="og:url" content={canonicalUrl} />
        {previewImageUrl !== null && <meta property="og:image" content={previewImageUrl} />}
        {previewImageUrl !== null && <meta name="twitter:card" content="summary_large_image" />}
        {loadsAgain && <meta httpEquiv="refresh" content={String(unavailableRefreshSeconds)} />}
        {isWaiting && (
          <noscript>
            <meta httpEquiv="refresh" content={String(waitRefreshSeconds)} />
          </noscript>
        )}
        {/* The photo is centred between header and footer: painted before they are parsed, it would move. */}
        <link rel="expect" href={`#${endId}`} blocking="render" />
        <link rel="preload" href={fontPath} as="font" type="font/woff2" crossOrigin="" />
        {styles.map((style) => (
          <style key={style} dangerouslySetInnerHTML={{ __html: style }} />
        ))}
      </head>
      <body>
        {children}
        <span id={endId} hidden />
        {!isStatic(page) &&
          scripts.map((script) => <script key={script} dangerouslySetInnerHTML={{ __html: script }} />)}
      </body>
    </html>
  )
}

/** The page of withdrawals, and its form, in a language. */
export const withdrawPath = (language: Language): string => `${pages.withdraw}?${languageParameter}=${language}`
/** The support page, and its form, in a language. */
export const supportPath = (language: Language): string => `${pages.support}?${languageParameter}=${language}`
