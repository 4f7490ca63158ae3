import { use, useLayoutEffect, type ReactNode } from 'react'
import { useText } from '../lib/i18n.tsx'
import { usePageTitle } from '../lib/page-title.ts'
import { ArrivalContext, PageHeading } from '../ui/PageHeading.tsx'
import { Print } from '../ui/Print.tsx'
import './auth.css'
import { session } from '../messages/en/session.ts'

interface Props {
  title: string
  heading: string
  lead?: string
  /** The picture that fills the side, and the one on the print in front of it. */
  side: { back: string; photo: string; code: string }
  /** This view took the place of another one: its heading takes the focus. */
  arrives?: boolean
  children: ReactNode
}

/** A form beside a photo; phones see the form alone. */
export function AuthLayout({ title, heading, lead, side, arrives = false, children }: Props) {
  const arrival = use(ArrivalContext)
  const text = useText({ session })
  usePageTitle(title)
  useLayoutEffect(() => {
    if (arrives) arrival.expect()
  }, [arrival, arrives])
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
        {/* Lazy: phones, where the side is not shown, then never fetch it. */}
        <img src={side.back} alt="" loading="lazy" />
        <div className="auth__print">
          <Print
            className="print--auth"
            photo={<img src={side.photo} alt="" loading="lazy" width="720" height="480" />}
            line={text.printLine}
            code={{ src: side.code, alt: '' }}
          />
        </div>
      </div>
    </div>
  )
}
