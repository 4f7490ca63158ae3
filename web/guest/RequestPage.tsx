import { Check, Info } from 'lucide-react'
import type { GuestPage } from '@keepsnap/contract/guest.ts'
import { pages } from '@keepsnap/contract/pages.ts'
import { buttonClass } from '../ui/Button.tsx'
import { guest } from '../messages/en/guest.ts'
import { useText } from '../lib/i18n.tsx'
import { EmailForm } from './EmailForm.tsx'
import { GuestLayout } from './GuestLayout.tsx'
import { GuestPrint } from './GuestPrint.tsx'
import { photoRequestPath } from './paths.ts'
import { Report } from './Report.tsx'

type RequestPageProps = Extract<GuestPage, { page: 'request' }>

/** The page behind the request code: the thumbnail, and a form that sends the photo to an email address. */
export function RequestPage({ page, placeholder }: { page: RequestPageProps; placeholder: string }) {
  const { photo, state } = page
  return (
    <GuestLayout
      look="form"
      logo={page.logo}
      footer={<Report id={photo.id} report={page.report} />}
      data={{
        'data-id': photo.id,
        // The other states are answers to the form.
        ...((state === 'form' || state === 'off') && { 'data-visit': 'code' }),
        ...(photo.thumbnailUrl === null && { 'data-wait': 'show' }),
      }}
    >
      <GuestPrint photo={photo} placeholder={placeholder} showName checkAgainPath={photoRequestPath(photo.id)} />
      <div className="guest__actions">
        {state === 'off' ? (
          <EmailOff />
        ) : (
          <>
            <EmailForm page={page} hidden={state === 'sent'} />
            <RequestSent page={page} />
          </>
        )}
      </div>
    </GuestLayout>
  )
}

function RequestSent({ page: { state, email, photo, processing } }: { page: RequestPageProps }) {
  const text = useText({ guest }).sent
  const at = email.lastIndexOf('@')
  return (
    <div className="stack" hidden={state !== 'sent'} data-sent>
      <span className="guest__tick">
        <Check className="icon" />
      </span>
      <h1 tabIndex={-1}>{text.heading}</h1>
      <p>
        {text.onItsWay}{' '}
        <b className="guest__addr email-address" translate="no">
          <span data-name>{email.slice(0, Math.max(at, 0))}</span>
          <wbr />
          <span data-domain>{email.slice(Math.max(at, 0))}</span>
        </b>
        . <span>{processing ? text.afterProcessing : text.arrival}</span>
      </p>
      <p className="note">
        <Info className="icon" />
        <span>{text.spam}</span>
      </p>
      <a
        className={buttonClass({ tone: 'quiet', large: true, block: true })}
        href={photoRequestPath(photo.id)}
        data-another
      >
        {text.another}
      </a>
      <output className="guest__toast">{text.toast}</output>
    </div>
  )
}

function EmailOff() {
  const text = useText({ guest })
  return (
    <div className="stack">
      <h1>{text.request.emailOff.heading}</h1>
      <p className="muted">{text.request.emailOff.lead}</p>
      <a className={buttonClass({ tone: 'quiet', large: true, block: true })} href={pages.home}>
        {text.gone.home}
      </a>
    </div>
  )
}
