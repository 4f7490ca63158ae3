import { Check } from 'lucide-react'
import type { GuestPage } from '@keepsnap/contract/rendering.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import { pages } from '@keepsnap/contract/site.ts'
import { buttonClass } from '../ui/Button.tsx'
import { LogoMark } from '../ui/Logo.tsx'
import { eventGuests } from '../messages/en/event-guests.ts'
import { eventGrant } from '../messages/en/event-archive.ts'
import { guest } from '../messages/en/guests.ts'
import { withdrawalLink } from '../messages/en/withdrawal-emails.ts'
import { useText } from '../lib/i18n.tsx'
import { GuestLayout, WideLink } from './GuestLayout.tsx'
import { ReportForm } from './Report.tsx'

interface GoneProps {
  why: Extract<GuestPage, { page: 'gone' }>['why']
  /** Whether a form was sent. Such a page does not load again by itself: that would send nothing. */
  isAnswerToForm: boolean
}

/** A photo that is not available, a link that is expired or invalid, or a fault of this server: what happened and what to do. */
export function GonePage({ why, isAnswerToForm }: GoneProps) {
  const text = useText({ guest }).gone
  const withdrawalText = useText({ withdrawalLink })
  const eventText = useText({ eventGuests })
  const grantText = useText({ eventGrant }).gone
  const headingOf = (reason: GoneProps['why']): string => {
    if (reason === 'withdrawal') return withdrawalText.gone.heading
    if (reason === 'event-grant') return grantText.heading
    return reason === 'event' ? eventText.unknown.heading : text[reason].heading
  }
  return (
    <GuestLayout look="form">
      <div className="guest__actions stack guest__message" role="alert">
        <span className="guest__mark">
          <LogoMark />
        </span>
        <h1>{headingOf(why)}</h1>
        {why === 'expired' && <p className="muted">{text.expired.advice(limits.grantHours)}</p>}
        {why === 'withdrawal' && <p className="muted">{withdrawalText.gone.advice}</p>}
        {why === 'event-grant' && <p className="muted">{grantText.advice}</p>}
        {why === 'unsubscribe' && <p className="muted">{text.unsubscribe.advice}</p>}
        {why === 'unavailable' && (
          <p className="muted">{isAnswerToForm ? text.unavailable.sendAgain : text.unavailable.advice}</p>
        )}
        {why === 'event' && <p className="muted">{eventText.unknown.advice}</p>}
        {why === 'photo' && (
          <>
            <p className="muted">{text.photo.reason}</p>
            <p className="muted">{text.photo.advice}</p>
          </>
        )}
        {why === 'withdrawal' && <WideLink href={pages.support}>{withdrawalText.support}</WideLink>}
        {why !== 'unavailable' && <WideLink href={pages.home}>{text.home}</WideLink>}
      </div>
    </GuestLayout>
  )
}

/** The answer to a report without JavaScript. */
export function ReportedPage({ page }: { page: Extract<GuestPage, { page: 'reported' }> }) {
  const text = useText({ guest }).report
  return (
    <GuestLayout look="form" logo={page.logo}>
      {page.ok ? (
        <div className="guest__actions stack guest__message">
          <span className="guest__tick">
            <Check className="icon" />
          </span>
          <h1>{text.thanks}</h1>
          <p className="muted">{text.thanksLead}</p>
          <WideLink href={page.photo.pagePath}>{text.back}</WideLink>
        </div>
      ) : (
        <div className="guest__actions stack guest__message">
          <h1>{text.open}</h1>
          <ReportForm path={page.photo.callsPath} report={page.report} withoutReason={{ note: page.note }} />
          <a className={buttonClass({ tone: 'ghost', block: true })} href={page.photo.pagePath}>
            {text.back}
          </a>
        </div>
      )}
    </GuestLayout>
  )
}

interface Props {
  page: Extract<GuestPage, { page: 'unsubscribe' }>
  /** Host name of the site that sends the emails. */
  host: string
}

/** Unsubscribes from photo emails with one button, and then offers to undo that. */
export function UnsubscribePage({ page: { state, action }, host }: Props) {
  const text = useText({ guest })
  const { heading, lead, note } = text.unsubscribe[state]
  return (
    <GuestLayout look="form">
      <div className="guest__actions stack guest__message">
        {state !== 'ask' && (
          <span className="guest__tick">
            <Check className="icon" />
          </span>
        )}
        <h1>{heading}</h1>
        <p className="muted">{lead(host)}</p>
        {state === 'allowed' || action === null ? (
          <WideLink href={pages.home}>{text.gone.home}</WideLink>
        ) : (
          <form method="post" action={action}>
            <button className={buttonClass({ tone: state === 'ask' ? 'primary' : 'quiet', large: true, block: true })}>
              {text.unsubscribe[state].button}
            </button>
          </form>
        )}
        <p className="tiny muted">{note}</p>
      </div>
    </GuestLayout>
  )
}
