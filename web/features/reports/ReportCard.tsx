import type { PhotoReport } from '@keepsnap/contract/reports.ts'
import { Eye, EyeOff } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { useMediaUrl } from '../../lib/parts.tsx'
import { galleryPhoto } from '../../lib/paths.ts'
import { reports as words } from '../../messages/en/reports.ts'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { choicesOf, decideMessage, standingOf } from './messages.ts'
import { useDecide, type Decision } from './queries.ts'

interface Props {
  report: PhotoReport
  onDecided: (report: PhotoReport) => void
}

const tones = { open: 'badge--warn', hide: 'badge--bad', keep: 'badge--ok' }

/** One reported photo: what guests say about it, and what its owner does. */
export function ReportCard({ report, onDecided }: Props) {
  const text = useText({ reports: words })
  const media = useMediaUrl()
  const standing = standingOf(report)
  const name = useId()
  const { photo } = report
  const thumb = photo.thumbnail_url && media(photo.thumbnail_url)
  return (
    <li className="card report" aria-labelledby={name} data-report={photo.id}>
      <Link className="report__photo" to={galleryPhoto(photo.id)}>
        {thumb ? <img src={thumb} width="96" height="96" alt="" loading="lazy" /> : <span className="thumb--none" />}
        <span className="sr">
          <span translate="no">{photo.filename}</span> {text.inGallery}
        </span>
      </Link>
      <div className="report__what">
        <div className="report__head">
          <h3 id={name} className="cut file-name" translate="no">
            {photo.filename}
          </h3>
          <span className={`badge ${tones[standing]}`}>{text.badges[standing]}</span>
        </div>
        <Said report={report} />
        <Choices report={report} onDecided={onDecided} />
      </div>
    </li>
  )
}

/** Reasons shown before the rest is folded away. */
const mostShown = 3

function Said({ report: { reports } }: { report: PhotoReport }) {
  const text = useText({ reports: words })
  const rest = reports.slice(mostShown)
  return (
    <>
      <Reasons reports={reports.slice(0, mostShown)} />
      {rest.length > 0 && (
        <details className="report__more">
          <summary className="link">{text.more(rest.length)}</summary>
          <Reasons reports={rest} />
        </details>
      )}
    </>
  )
}

function Reasons({ reports }: Pick<PhotoReport, 'reports'>) {
  const text = useText({ reports: words })
  const format = useFormat()
  return (
    <ul className="report__said">
      {reports.map(({ reason, note, reported_at }, at) => (
        // Reports have no id of their own, and come and go at the list's start only.
        <li key={`${reported_at} ${reports.length - at}`}>
          <p>
            {text.reasons[reason]}
            <time className="tiny muted num" dateTime={reported_at} translate="no">
              {format.dateTime(reported_at)}
            </time>
          </p>
          {note && (
            <blockquote className="small muted" translate="no" dir="auto">
              {note}
            </blockquote>
          )}
        </li>
      ))}
    </ul>
  )
}

function Choices({ report, onDecided }: Props) {
  const text = useText({ reports: words })
  const [asking, ask] = useState(false)
  const [done, setDone] = useState<Decision | null>(null)
  const first = useRef<HTMLButtonElement>(null)
  const { mutate, isPending, isError, error, variables } = useDecide(onDecided)
  const choices = choicesOf(report)
  const decide = (decision: Decision): void => {
    setDone(null)
    mutate(
      { id: report.photo.id, decision },
      {
        onSuccess() {
          setDone(decision)
          first.current?.focus()
        },
        onSettled: () => ask(false),
      },
    )
  }
  const main = choices[0] === 'show' ? 'show' : 'hide'
  const Icon = main === 'show' ? Eye : EyeOff
  const isBusy = (decision: Decision): boolean => isPending && variables.decision === decision
  return (
    <div className="report__acts">
      <Button
        ref={first}
        tone={main === 'show' ? 'quiet' : 'danger'}
        busy={isBusy('hide')}
        onClick={() => (main === 'show' ? ask(true) : decide('hide'))}
      >
        <Icon className="i" />
        {text[main]}
      </Button>
      {choices.includes('keep') && (
        <Button busy={isBusy('keep')} onClick={() => decide('keep')}>
          {text.keep}
        </Button>
      )}
      <output className="small report__done">{done && !isPending && text.done[done]}</output>
      {isError && (
        <span className="small rq-trouble" role="alert">
          {decideMessage(error, text.errors.decide)}
        </span>
      )}
      <Confirm
        open={asking}
        {...text.sure}
        busy={isBusy('keep')}
        onConfirm={() => decide('keep')}
        onClose={() => ask(false)}
      />
    </div>
  )
}
