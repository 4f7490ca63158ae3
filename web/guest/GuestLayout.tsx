import type { ReactNode } from 'react'
import type { GuestLogo } from '@keepsnap/contract/guest.ts'
import { pages } from '@keepsnap/contract/pages.ts'
import { LogoMark } from '../ui/Logo.tsx'
import { productName } from '@keepsnap/contract/product.ts'
import { guest } from '../messages/en/guest.ts'
import { useText } from '../lib/i18n.tsx'
import { GuestLanguageLinks } from './GuestLanguageLinks.tsx'
import { logoGround } from '../lib/logo-ground.ts'

interface Props {
  /** `photo`: the photo takes all available space; `form`: photo and form share it. */
  look: 'photo' | 'form'
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
