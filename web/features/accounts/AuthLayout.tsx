import type { SampleName } from '@keepsnap/contract/site.ts'
import { type ReactNode, use, useLayoutEffect } from 'react'
import { useText } from '../../lib/i18n.tsx'
import { HeadingFocusContext, PageHeading, usePageTitle } from '../../ui/PageHeading.tsx'
import { useSampleCodeUrl } from '../../lib/app-services.tsx'
import { Print } from '../../ui/Print.tsx'
import './auth.css'
import { session } from '../../messages/en/accounts.ts'

interface Props {
  title: string
  heading: string
  lead?: string
  /** The picture that fills the side, and the print in front of it. */
  side: { back: string; photo: string; sample: SampleName }
  /** Moves the focus to the heading: this view replaces another one without a navigation. */
  focusHeading?: boolean
  children: ReactNode
}

/** A form beside a photo; phones show the form only. */
export function AuthLayout({ title, heading, lead, side, focusHeading = false, children }: Props) {
  const headingFocus = use(HeadingFocusContext)
  const text = useText({ session })
  const codeUrl = useSampleCodeUrl()(side.sample)
  usePageTitle(title)
  useLayoutEffect(() => {
    if (focusHeading) headingFocus.request()
  }, [headingFocus, focusHeading])
  return (
    <div className="auth">
      <div className="auth__form">
        <div className="stack auth__fields">
          <PageHeading key={heading}>{heading}</PageHeading>
          {lead && <p className="muted">{lead}</p>}
          {children}
        </div>
      </div>
      <div className="auth__side" aria-hidden="true">
        {/* Lazy: phones do not show the side, and so never load its images. */}
        <img src={side.back} alt="" loading="lazy" />
        <div className="auth__print">
          <Print
            className="print--auth"
            photo={<img src={side.photo} alt="" loading="lazy" width="720" height="480" />}
            line={text.printLine}
            code={{ src: codeUrl, alt: '' }}
          />
        </div>
      </div>
    </div>
  )
}
