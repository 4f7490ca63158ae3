import type { Photo } from '@keepsnap/contract/photos.ts'
import { Download, EyeOff, Printer, QrCode, ShieldAlert } from 'lucide-react'
import { Link } from 'react-router'
import { useMediaUrl } from '../../../../lib/app-services.tsx'
import { useCurrentUser } from '../../../../lib/current-user.ts'
import { useFormat, useText } from '../../../../lib/i18n.tsx'
import { attachmentUrl } from '../../../../lib/media-url.ts'
import { paths, printOfPhoto } from '../../../../lib/paths.ts'
import { gallery } from '../../../../messages/en/gallery.ts'
import { buttonClass } from '../../../../ui/Button.tsx'
import { isHiddenByOperator } from '../../hidden-by-operator.ts'
import { qrCodeFilename, qrCodeUrlOf, svgUrlOf } from '../../qr-codes.ts'

/** QR code, date and downloads of the photo in the viewer. */
export function ViewerSide({ photo }: { photo: Photo }) {
  const text = useText({ gallery }).viewer
  const format = useFormat()
  const media = useMediaUrl()
  const { user } = useCurrentUser()
  const qrCodeUrl = user && qrCodeUrlOf(photo, user)
  const fullImageUrl = photo.b2_url && media(photo.b2_url)
  return (
    <aside className="viewer__side">
      <HiddenPhoto photo={photo} />
      {qrCodeUrl && (
        <div className="code-card viewer__code">
          <b>{text.scan}</b>
          <img
            src={media(svgUrlOf(qrCodeUrl)) ?? undefined}
            width="41"
            height="41"
            alt={text.codeAlt(photo.filename)}
          />
        </div>
      )}
      <p className="viewer__date tabular-numbers" translate="no">
        <time dateTime={photo.created_at}>{format.dateTime(photo.created_at)}</time>
      </p>
      {fullImageUrl && (
        // The server names the file, also where it comes from a store of another origin, which ignores `download`.
        <a className={buttonClass({ tone: 'primary', block: true })} href={attachmentUrl(fullImageUrl)} download="">
          <Download className="icon" />
          <span>{text.downloadPhoto}</span>
        </a>
      )}
      {qrCodeUrl && (
        <a
          className={`${buttonClass({ tone: 'ghost', block: true })} viewer__button`}
          href={media(qrCodeUrl) ?? undefined}
          download={qrCodeFilename(photo.filename)}
        >
          <QrCode className="icon" />
          <span>{text.downloadCode}</span>
        </a>
      )}
      {qrCodeUrl && (
        <Link className={`${buttonClass({ tone: 'ghost', block: true })} viewer__button`} to={printOfPhoto(photo.id)}>
          <Printer className="icon" />
          <span>{text.print}</span>
        </Link>
      )}
    </aside>
  )
}

/** Shown above the QR code of a photo that is hidden from guests, or that an operator has shown to them again. */
function HiddenPhoto({ photo }: { photo: Photo }) {
  const text = useText({ gallery })
  if (isHiddenByOperator(photo) || (!photo.hidden && photo.operator_decision)) return <OperatorDecision photo={photo} />
  if (!photo.hidden) return null
  return (
    <div className="viewer__hidden">
      <span className="badge badge--bad">
        <EyeOff className="icon" />
        {text.hidden}
      </span>
      <p className="small">{text.viewer.hiddenHint}</p>
    </div>
  )
}

/** What the operator of this site decided, when, and why. */
function OperatorDecision({ photo: { hidden, operator_decision: decided } }: { photo: Photo }) {
  const text = useText({ gallery })
  const format = useFormat()
  if (!decided) return null
  const words = text.viewer.operator
  const when = format.dateTime(decided.decided_at)
  return (
    <div className="viewer__hidden viewer__decision">
      {hidden && (
        <span className="badge badge--bad">
          <ShieldAlert className="icon" />
          {text.hiddenByOperator}
        </span>
      )}
      <p className="small">{hidden ? words.hid(when) : words.shows(when)}</p>
      {decided.message !== null ? (
        <blockquote className="small" translate="no" dir="auto">
          {decided.message}
        </blockquote>
      ) : (
        hidden && <p className="small">{words.why}</p>
      )}
      {hidden && (
        <p className="small">
          {words.mistake}{' '}
          <Link className="link" to={paths.support}>
            {words.support}
          </Link>
        </p>
      )}
    </div>
  )
}
