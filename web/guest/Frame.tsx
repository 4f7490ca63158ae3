import type { ReactNode } from 'react'
import type { GuestLogo } from '@keepsnap/contract/guest.ts'
import { pages } from '@keepsnap/contract/pages.ts'
import { LogoMark } from '../ui/Logo.tsx'
import { productName } from '@keepsnap/contract/product.ts'
import { guest } from '../messages/en/guest.ts'
import { useText } from '../lib/i18n.tsx'

interface Props {
  /** `photo`: the picture takes what space there is; `form`: picture and form share it. */
  look: 'photo' | 'form'
  /** The brand of the photographer, where there is one: a name is never given. */
  logo?: GuestLogo | null | undefined
  /** Read by the page's script, as data attributes. */
  data?: Record<`data-${string}`, string>
  /** Small things below: the way to report. */
  foot?: ReactNode
  children: ReactNode
}

/** What is around every guest page: no navigation, no notices; one line that says whose product this is. */
export function Frame({ look, logo, data, foot, children }: Props) {
  const text = useText({ guest })
  return (
    <main className={`guest guest--${look}`} data-brand={logo ? '' : undefined} {...data}>
      {logo && (
        <div className="guest__logo">
          <img src={logo.url} alt="" width={logo.width} height={logo.height} />
        </div>
      )}
      {children}
      <div className="guest__foot">
        <p className="guest__by">
          {text.madeWith}
          <a href={pages.home} translate="no">
            <LogoMark />
            {productName}
          </a>
        </p>
        {foot}
      </div>
    </main>
  )
}
