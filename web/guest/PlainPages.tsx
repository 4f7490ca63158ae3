import { Check } from 'lucide-react'
import type { GuestPage } from '@keepsnap/contract/guest.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import { pages } from '@keepsnap/contract/pages.ts'
import { buttonClass } from '../ui/Button.tsx'
import { LogoMark } from '../ui/Logo.tsx'
import { guest } from '../messages/en/guest.ts'
import { useText } from '../lib/i18n.tsx'
import { Frame } from './Frame.tsx'
import { requestPath } from './paths.ts'
import { ReportForm } from './Report.tsx'

const wide = { tone: 'quiet', large: true, block: true } as const

/** A photo that is not there, or a link that has expired: what happened and what to do. */
export function GonePage({ why }: { why: Extract<GuestPage, { page: 'gone' }>['why'] }) {
  const text = useText({ guest }).gone
  return (
    <Frame look="form">
      <div className="guest__do stack guest__gone" role="alert">
        <span className="guest__mark">
          <LogoMark />
        </span>
        <h1>{text[why].heading}</h1>
        {why === 'expired' && <p className="muted">{text.expired.what(limits.grantHours)}</p>}
        {why === 'stop' && <p className="muted">{text.stop.what}</p>}
        {why === 'photo' && (
          <>
            <p className="muted">{text.photo.why}</p>
            <p className="muted">{text.photo.what}</p>
          </>
        )}
        <a className={buttonClass(wide)} href={pages.home}>
          {text.home}
        </a>
      </div>
    </Frame>
  )
}

/** After a report without JavaScript. */
export function ReportedPage({ page }: { page: Extract<GuestPage, { page: 'reported' }> }) {
  const text = useText({ guest }).report
  return (
    <Frame look="form" logo={page.logo}>
      {page.ok ? (
        <div className="guest__do stack guest__gone">
          <span className="guest__tick">
            <Check className="i" />
          </span>
          <h1>{text.thanks}</h1>
          <p className="muted">{text.thanksLead}</p>
          <a className={buttonClass(wide)} href={requestPath(page.photo.id)}>
            {text.back}
          </a>
        </div>
      ) : (
        <div className="guest__do stack guest__gone">
          <h1>{text.open}</h1>
          <ReportForm id={page.photo.id} report={page.report} missing />
          <a className={buttonClass({ tone: 'ghost', block: true })} href={requestPath(page.photo.id)}>
            {text.back}
          </a>
        </div>
      )}
    </Frame>
  )
}
