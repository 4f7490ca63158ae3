import { Eye, EyeOff } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { useQuery } from '@tanstack/react-query'
import type { PhotoReport } from '@keepsnap/contract/guests.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { refusalMessage } from '../../lib/api-errors.ts'
import { useApi, useMediaUrl } from '../../lib/app-services.tsx'
import { galleryPhoto, paths } from '../../lib/paths.ts'
import { reports as messages } from '../../messages/en/guests.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { actionsOf, type Decision, reportStatusOf, reportTones } from './open-reports.ts'
import { reportsQuery, useDecideReport } from './reports.ts'
import './guests.css'

/** The reported photos; renders nothing without any. Those that were reviewed before the page was opened are collapsed. */
export function Reports() {
  const text = useText({ reports: messages })
  const { data: reports } = useQuery(reportsQuery(useApi()))
  const heading = useId()
  const seenOpen = useSeenOpen(reports)
  if (!reports || reports.length === 0) return null
  const openReports = reports.filter(({ photo }) => seenOpen.has(photo.id))
  const reviewedReports = reports.filter(({ photo }) => !seenOpen.has(photo.id))
  const reportList = (listed: readonly PhotoReport[]) => (
    <ul className="reports__list">
      {listed.map((report) => (
        <ReportCard key={report.photo.id} report={report} />
      ))}
    </ul>
  )
  return (
    <section className="reports" aria-labelledby={heading}>
      <h2 id={heading}>{text.heading}</h2>
      <p className="small muted">{text.lead}</p>
      {openReports.length > 0 && reportList(openReports)}
      {reviewedReports.length > 0 && (
        <details>
          <summary className="link tabular-numbers">{text.reviewed(reviewedReports.length)}</summary>
          {reportList(reviewedReports)}
        </details>
      )}
    </section>
  )
}

/** One reported photo: the guests' reasons, and the owner's actions. */
function ReportCard({ report }: { report: PhotoReport }) {
  const text = useText({ reports: messages })
  const media = useMediaUrl()
  const reportStatus = reportStatusOf(report)
  const name = useId()
  const { photo } = report
  const thumbnailUrl = photo.thumbnail_url && media(photo.thumbnail_url)
  return (
    <li className="card report" aria-labelledby={name} data-report={photo.id}>
      <Link className="report__photo" to={galleryPhoto(photo.id)}>
        {thumbnailUrl ? (
          <img src={thumbnailUrl} width="96" height="96" alt="" loading="lazy" />
        ) : (
          <span className="thumbnail--none" />
        )}
        <span className="visually-hidden">
          <span translate="no">{photo.filename}</span> {text.inGallery}
        </span>
      </Link>
      <div className="report__content">
        <div className="report__head">
          <h3 id={name} className="ellipsis file-name" translate="no">
            {photo.filename}
          </h3>
          <span className={`badge ${reportTones[reportStatus]}`}>{text.badges[reportStatus]}</span>
        </div>
        <ReasonList report={report} />
        {reportStatus === 'operator' ? <HiddenByOperator /> : <ReportActions report={report} />}
      </div>
    </li>
  )
}

/** Instead of actions: only an operator can show it again. */
function HiddenByOperator() {
  const text = useText({ reports: messages })
  return (
    <p className="small report__operator">
      {text.mistake}{' '}
      <Link className="link" to={paths.support}>
        {text.support}
      </Link>
    </p>
  )
}

/** Further reasons are collapsed. */
const maxShownReasons = 3

function ReasonList({ report: { reports } }: { report: PhotoReport }) {
  const text = useText({ reports: messages })
  const moreReports = reports.slice(maxShownReasons)
  return (
    <>
      <Reasons reports={reports.slice(0, maxShownReasons)} />
      {moreReports.length > 0 && (
        <details className="report__more">
          <summary className="link">{text.more(moreReports.length)}</summary>
          <Reasons reports={moreReports} />
        </details>
      )}
    </>
  )
}

function Reasons({ reports }: Pick<PhotoReport, 'reports'>) {
  const text = useText({ reports: messages })
  const format = useFormat()
  return (
    <ul className="report__reasons">
      {reports.map(({ reason, note, reported_at }, index) => (
        // Reports have no id; new ones are inserted at the start of the list.
        <li key={`${reported_at} ${reports.length - index}`}>
          <p>
            {text.reasons[reason]}
            <time className="tiny muted tabular-numbers" dateTime={reported_at} translate="no">
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

function ReportActions({ report }: { report: PhotoReport }) {
  const text = useText({ reports: messages })
  const [confirmShowOpen, setConfirmShowOpen] = useState(false)
  const [doneDecision, setDoneDecision] = useState<Decision | null>(null)
  const mainButton = useRef<HTMLButtonElement>(null)
  const { mutate, isPending, isError, error, variables } = useDecideReport()
  const actions = actionsOf(report)
  const decide = (decision: Decision): void => {
    setDoneDecision(null)
    mutate(
      { id: report.photo.id, decision },
      {
        onSuccess() {
          setDoneDecision(decision)
          mainButton.current?.focus()
        },
        onSettled: () => setConfirmShowOpen(false),
      },
    )
  }
  const mainAction = actions[0] === 'show' ? 'show' : 'hide'
  const Icon = mainAction === 'show' ? Eye : EyeOff
  const isBusy = (decision: Decision): boolean => isPending && variables.decision === decision
  return (
    <div className="report__actions">
      <Button
        ref={mainButton}
        tone={mainAction === 'show' ? 'quiet' : 'danger'}
        busy={isBusy('hide')}
        onClick={() => (mainAction === 'show' ? setConfirmShowOpen(true) : decide('hide'))}
      >
        <Icon className="icon" />
        {text[mainAction]}
      </Button>
      {actions.includes('keep') && (
        <Button busy={isBusy('keep')} onClick={() => decide('keep')}>
          {text.keep}
        </Button>
      )}
      <output className="small report__done">{doneDecision && !isPending && text.done[doneDecision]}</output>
      {isError && (
        <span className="small error-text" role="alert">
          {refusalMessage(error, text.errors.decide)}
        </span>
      )}
      <ConfirmDialog
        open={confirmShowOpen}
        {...text.confirmShow}
        busy={isBusy('keep')}
        onConfirm={() => decide('keep')}
        onClose={() => setConfirmShowOpen(false)}
      />
    </div>
  )
}

/** Ids of the photos that needed a review at any time since the page was opened. */
function useSeenOpen(reports: readonly PhotoReport[] | undefined): ReadonlySet<string> {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const newlyOpen = reports?.filter(({ open, photo }) => open && !seen.has(photo.id)) ?? []
  if (newlyOpen.length === 0) return seen
  const next = new Set([...seen, ...newlyOpen.map(({ photo }) => photo.id)])
  setSeen(next)
  return next
}
