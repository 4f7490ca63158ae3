import { TriangleAlert, Upload } from 'lucide-react'
import type { CSSProperties } from 'react'
import { Link } from 'react-router'
import { useFormat, useText } from '../../../lib/i18n.tsx'
import { paths } from '../../../lib/paths.ts'
import { useServerSentence } from '../../../lib/server-sentences.ts'
import { latest } from '../../../messages/en/latest.ts'
import { placeholderOf } from '../placeholder.ts'
import type { LoadedView } from './loaded-view.ts'

/** The whole photo; during processing or after a failure, its placeholder with a message. */
export function LatestPhoto({ shown: { model, picture } }: { shown: LoadedView }) {
  const text = useText({ latest })
  const format = useFormat()
  const translate = useServerSentence()
  const { photo, kind, width, height } = model
  const size = { '--w': width, '--h': height } as CSSProperties // custom properties
  if (kind === 'ready') {
    return (
      <figure className="latest__image latest__fade" style={size}>
        <img
          src={picture ?? undefined}
          width={width}
          height={height}
          alt={text.photoAlt(photo.filename, format.dateTime(photo.created_at))}
          decoding="sync"
        />
      </figure>
    )
  }
  const placeholder = picture ?? placeholderOf(photo.thumbhash)
  return (
    <figure className="latest__image latest__image--unready latest__fade" style={size}>
      {placeholder && <img src={placeholder} width={width} height={height} alt="" decoding="sync" />}
      {kind === 'processing' ? (
        <output className="latest__overlay">
          <span className="spin" aria-hidden="true" />
          <b>{text.processing.line}</b>
          <span>{text.processing.hint}</span>
        </output>
      ) : (
        <div className="latest__overlay latest__overlay--bad" role="alert">
          <TriangleAlert className="icon" />
          <b>{text.failed.line}</b>
          {photo.error_message && <span translate="no">{translate(photo.error_message)}</span>}
          {(photo.can_retry || !photo.error_message) && <span>{text.failed.hint}</span>}
          <Link className="btn" to={paths.upload}>
            <Upload className="icon" />
            {text.failed.action}
          </Link>
        </div>
      )}
    </figure>
  )
}
