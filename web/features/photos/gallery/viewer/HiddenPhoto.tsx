import type { Photo } from '@keepsnap/contract/photos.ts'
import { EyeOff, ShieldAlert } from 'lucide-react'
import { Link } from 'react-router'
import { useFormat, useText } from '../../../../lib/i18n.tsx'
import { paths } from '../../../../lib/paths.ts'
import { gallery } from '../../../../messages/en/gallery.ts'
import { isHiddenByOperator } from '../../hidden-by-operator.ts'

/** Shown above the QR code of a photo that is hidden from guests, or that an operator has shown to them again. */
export function HiddenPhoto({ photo }: { photo: Photo }) {
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
