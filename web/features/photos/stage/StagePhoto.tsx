import { TriangleAlert, Upload } from 'lucide-react'
import type { CSSProperties } from 'react'
import { Link } from 'react-router'
import { useFormat, useText } from '../../../lib/i18n.tsx'
import { paths } from '../../../lib/paths.ts'
import { latest } from '../../../messages/en/latest.ts'
import { placeholderOf } from '../placeholder.ts'
import type { Prepared } from './prepare.ts'

/** The photo in its full shape, or what became of it. */
export function StagePhoto({ shown: { face, picture } }: { shown: Prepared }) {
  const text = useText({ latest })
  const format = useFormat()
  const { photo, kind, width, height } = face
  const shape = { '--w': width, '--h': height } as CSSProperties // custom properties
  if (kind === 'ready') {
    return (
      <figure className="stage__print stage__turn" style={shape}>
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
  const likeness = picture ?? placeholderOf(photo.thumbhash)
  return (
    <figure className="stage__print stage__ph stage__turn" style={shape}>
      {likeness && <img src={likeness} width={width} height={height} alt="" decoding="sync" />}
      {kind === 'processing' ? (
        <output className="stage__over">
          <span className="spin" aria-hidden="true" />
          <b>{text.processing.line}</b>
          <span>{text.processing.hint}</span>
        </output>
      ) : (
        <div className="stage__over stage__over--bad" role="alert">
          <TriangleAlert className="i" />
          <b>{text.failed.line}</b>
          {photo.error_message && <span translate="no">{photo.error_message}</span>}
          <span>{text.failed.hint}</span>
          <Link className="btn" to={paths.upload}>
            <Upload className="i" />
            {text.failed.action}
          </Link>
        </div>
      )}
    </figure>
  )
}
