import type { PhotoRequest } from '@keepsnap/contract/requests.ts'
import { Check, Clock, Hourglass, RotateCw, TriangleAlert } from 'lucide-react'
import { memo, useRef } from 'react'
import { Link } from 'react-router'
import { useMediaUrl } from '../../lib/app-services.tsx'
import { refusalMessage } from '../../lib/error-message.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { galleryPhoto, paths } from '../../lib/paths.ts'
import { useServerSentence } from '../../lib/server-sentences.ts'
import { requests } from '../../messages/en/requests.ts'
import { Button } from '../../ui/Button.tsx'
import { EmailAddress } from '../../ui/EmailAddress.tsx'
import { stateDetails } from './messages.ts'
import { useResend } from './queries.ts'

/** One request: a row of the table. On narrow screens the styles turn it into a card. */
export const RequestRow = memo(function RequestRow({ request, rowIndex }: { request: PhotoRequest; rowIndex: number }) {
  return (
    <tr data-request={request.id} aria-rowindex={rowIndex}>
      <td>
        <span className="request-email">
          <EmailAddress email={request.requester_email} />
        </span>
      </td>
      <td>
        <RequestedPhoto request={request} />
      </td>
      <td className="tabular-numbers">
        <RequestedAt time={request.requested_at} />
      </td>
      <td>
        <RequestStateCell request={request} />
      </td>
      <td className="request-actions">
        <RequestActions request={request} />
      </td>
    </tr>
  )
})

function RequestedAt({ time }: { time: string }) {
  const format = useFormat()
  return (
    <time className="request-time" dateTime={time} translate="no">
      <span>{format.date(time)}</span>
      <span className="muted">{format.time(time)}</span>
    </time>
  )
}

function RequestedPhoto({ request: { photo } }: { request: PhotoRequest }) {
  const text = useText({ requests })
  const media = useMediaUrl()
  const thumbnailUrl = photo.thumbnail_url && media(photo.thumbnail_url)
  return (
    <Link className="request-photo" to={galleryPhoto(photo.id)}>
      {thumbnailUrl ? (
        <img className="thumbnail" src={thumbnailUrl} width="56" height="56" alt="" loading="lazy" decoding="async" />
      ) : (
        <span className="thumbnail thumbnail--none" />
      )}
      <span className="request-photo__name" translate="no">
        <span className="ellipsis file-name">{photo.filename}</span>
        <span className="tiny muted ellipsis">
          <code>{photo.id}</code>
        </span>
      </span>
      <span className="visually-hidden">{text.inGallery}</span>
    </Link>
  )
}

function RequestActions({ request }: { request: PhotoRequest }) {
  const text = useText({ requests })
  const { mutate, isPending, isError, error } = useResend()
  const viewLink = useRef<HTMLAnchorElement>(null)
  const resendButton = useRef<HTMLButtonElement>(null)
  // The button disappears once the email is queued again: its focus moves to the link beside it.
  const moveFocus = (): void => {
    if (document.activeElement === resendButton.current) viewLink.current?.focus()
  }
  return (
    <>
      <Link ref={viewLink} className="link" to={paths.latest}>
        {text.view}
      </Link>
      {(request.state === 'failed' || isPending) && (
        <Button
          ref={resendButton}
          busy={isPending}
          aria-label={text.resendTo(request.requester_email)}
          onClick={() => mutate(request, { onSuccess: moveFocus })}
        >
          {!isPending && <RotateCw className="icon" />}
          {text.resend}
        </Button>
      )}
      {isError && request.state === 'failed' && (
        <span className="tiny error-text" role="alert">
          {refusalMessage(error, text.errors.resend)}
        </span>
      )}
    </>
  )
}

const styles = {
  queued: { Icon: Clock, tone: 'badge--warn' },
  sent: { Icon: Check, tone: 'badge--ok' },
  failed: { Icon: TriangleAlert, tone: 'badge--bad' },
  waiting: { Icon: Hourglass, tone: 'badge--warn' },
}

/** The state of a request's email, with the reason. */
function RequestStateCell({ request }: { request: PhotoRequest }) {
  const text = useText({ requests })
  const { Icon, tone } = styles[request.state]
  const translate = useServerSentence()
  const { next, reason } = stateDetails(request, text, useFormat())
  return (
    <>
      <span className={`badge ${tone}`}>
        <Icon className="icon" />
        <span>{text.states[request.state]}</span>
      </span>
      {reason && (
        <span className="tiny muted request-detail" translate="no">
          {translate(reason)}
        </span>
      )}
      {next && <span className="tiny muted request-detail">{next}</span>}
    </>
  )
}
