import type { PhotoRequest } from '@keepsnap/contract/requests.ts'
import { RotateCw } from 'lucide-react'
import { memo, useRef } from 'react'
import { Link } from 'react-router'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { useMediaUrl } from '../../lib/parts.tsx'
import { galleryPhoto, paths } from '../../lib/paths.ts'
import { requests } from '../../messages/en/requests.ts'
import { Button } from '../../ui/Button.tsx'
import { requestMessage } from './messages.ts'
import { useResend } from './queries.ts'
import { Requester } from './Requester.tsx'
import { StateBadge } from './StateBadge.tsx'

/** One request: a row of the table, a card where it is narrow. The roles stay where the styles unmake the table. */
export const RequestRow = memo(function RequestRow({ request }: { request: PhotoRequest }) {
  return (
    <tr data-request={request.id}>
      <td>
        <span className="rq-mail">
          <Requester address={request.requester_email} />
        </span>
      </td>
      <td>
        <PhotoOf request={request} />
      </td>
      <td className="num">
        <When at={request.requested_at} />
      </td>
      <td>
        <StateBadge request={request} />
      </td>
      <td className="rq-act">
        <Deeds request={request} />
      </td>
    </tr>
  )
})

function When({ at }: { at: string }) {
  const format = useFormat()
  return (
    <time className="rq-t" dateTime={at} translate="no">
      <span>{format.date(at)}</span>
      <span className="muted">{format.time(at)}</span>
    </time>
  )
}

function PhotoOf({ request: { photo } }: { request: PhotoRequest }) {
  const text = useText({ requests })
  const media = useMediaUrl()
  const thumb = photo.thumbnail_url && media(photo.thumbnail_url)
  return (
    <Link className="rq-photo" to={galleryPhoto(photo.id)}>
      {thumb ? (
        <img className="thumb" src={thumb} width="56" height="56" alt="" loading="lazy" decoding="async" />
      ) : (
        <span className="thumb thumb--none" />
      )}
      <span className="rq-name" translate="no">
        <span className="cut file-name">{photo.filename}</span>
        <span className="tiny muted cut">
          <code>{photo.id}</code>
        </span>
      </span>
      <span className="sr">{text.inGallery}</span>
    </Link>
  )
}

function Deeds({ request }: { request: PhotoRequest }) {
  const text = useText({ requests })
  const { mutate, isPending, isError, error } = useResend()
  const view = useRef<HTMLAnchorElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  // The button leaves once the letter is queued again; who stood on it stands on the link beside it.
  const moveOn = (): void => {
    if (document.activeElement === button.current) view.current?.focus()
  }
  return (
    <>
      <Link ref={view} className="link" to={paths.latest}>
        {text.view}
      </Link>
      {(request.state === 'failed' || isPending) && (
        <Button
          ref={button}
          busy={isPending}
          aria-label={text.resendTo(request.requester_email)}
          onClick={() => mutate(request, { onSuccess: moveOn })}
        >
          {!isPending && <RotateCw className="i" />}
          {text.resend}
        </Button>
      )}
      {isError && request.state === 'failed' && (
        <span className="tiny rq-trouble" role="alert">
          {requestMessage(error, text.errors.resend)}
        </span>
      )}
    </>
  )
}
