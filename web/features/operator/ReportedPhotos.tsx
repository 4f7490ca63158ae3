import { adminLimits } from '@keepsnap/contract/limits.ts'
import {
  deleteReportedPhoto,
  hideReportedPhoto,
  type ReportedPhoto,
  showReportedPhoto,
} from '@keepsnap/contract/operator-photos.ts'
import type { PhotoReport } from '@keepsnap/contract/reports.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { CircleCheck, Eye, EyeOff, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useApi, useMediaUrl } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { operator } from '../../messages/en/operator.ts'
import { reports as reportMessages } from '../../messages/en/reports.ts'
import { Button } from '../../ui/Button.tsx'
import { TextAreaField } from '../../ui/TextAreaField.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { ConfirmedAction } from './ConfirmedAction.tsx'
import { PhotoSection, uniquePhotos } from './PhotoSection.tsx'
import { reportedPhotosQuery } from './queries.ts'

const badgeTones = { open: 'badge--warn', hide: 'badge--bad', keep: 'badge--ok', operator: 'badge--bad' }

function statusOf({ hidden, hidden_by_operator, open }: PhotoReport): keyof typeof badgeTones {
  if (hidden) return hidden_by_operator ? 'operator' : 'hide'
  return open ? 'open' : 'keep'
}

interface Props {
  onOpenUser: (id: string) => void
}

/** The photos of all accounts that guests reported, the only ones of which the page shows a picture. */
export function ReportedPhotos({ onOpenUser }: Props) {
  const { reportedPhotos: text, errors } = useText({ operator })
  const query = useInfiniteQuery(reportedPhotosQuery(useApi()))
  const [decided, setDecided] = useState<ReportedPhoto | null>(null)
  const [deleted, setDeleted] = useState<ReportedPhoto | null>(null)
  const pages = query.data?.pages
  const photos = uniquePhotos(pages ?? [], ({ report }) => report.photo.id)
  const sizes = { total: pages?.at(-1)?.total, shown: photos.length }
  return (
    <PhotoSection heading={text.heading} lead={text.lead} {...sizes} query={query} failure={errors.reportedPhotos}>
      {pages && photos.length === 0 && (
        <p className="operator-empty">
          <CircleCheck className="icon" />
          {text.empty}
        </p>
      )}
      <ul className="operator-photos">
        {photos.map((photo) => (
          <ReportedPhotoRow
            key={photo.report.photo.id}
            photo={photo}
            onDecide={() => setDecided(photo)}
            onDelete={() => setDeleted(photo)}
            onOpenUser={onOpenUser}
          />
        ))}
      </ul>
      {decided && <ReportedPhotoDialog report={decided.report} onClose={() => setDecided(null)} />}
      {deleted && <DeletePhotoDialog report={deleted.report} onClose={() => setDeleted(null)} />}
    </PhotoSection>
  )
}

interface RowProps extends Props {
  photo: ReportedPhoto
  onDecide: () => void
  onDelete: () => void
}

function ReportedPhotoRow({ photo: { report, owner }, onDecide, onDelete, onOpenUser }: RowProps) {
  const { reportedPhotos: text, owner: open } = useText({ operator })
  const { badges } = useText({ reports: reportMessages })
  const reportStatus = statusOf(report)
  const { photo } = report
  return (
    <li data-reported-photo={photo.id}>
      <Thumbnail url={photo.thumbnail_url} />
      <div className="operator-photos__main">
        <p className="operator-photos__head">
          <span className="ellipsis file-name operator-photos__name" translate="no">
            {photo.filename}
          </span>
          <span className={`badge ${badgeTones[reportStatus]}`}>{badges[reportStatus]}</span>
        </p>
        <Reasons report={report} />
        <p className="tiny muted operator-photos__owner">
          <button
            type="button"
            className="text-button"
            aria-label={open(owner.username)}
            onClick={() => onOpenUser(owner.id)}
          >
            <span className="ellipsis" translate="no">
              {owner.username}
            </span>
          </button>
        </p>
      </div>
      <div className="operator-photos__actions">
        {!report.hidden && (
          <Button tone="danger" aria-label={text.hideOne(photo.filename)} onClick={onDecide}>
            <EyeOff className="icon" />
            {text.hide}
          </Button>
        )}
        {report.hidden_by_operator && (
          <Button aria-label={text.showOne(photo.filename)} onClick={onDecide}>
            <Eye className="icon" />
            {text.show}
          </Button>
        )}
        <Button tone="danger" aria-label={text.deleteOne(photo.filename)} onClick={onDelete}>
          <Trash2 className="icon" />
          {text.delete}
        </Button>
      </div>
    </li>
  )
}

function Thumbnail({ url }: { url: string | null }) {
  const media = useMediaUrl()
  const source = url && media(url)
  return source ? (
    <img className="thumbnail" src={source} width="56" height="56" alt="" loading="lazy" decoding="async" />
  ) : (
    <span className="thumbnail operator-photos__none" aria-hidden="true" />
  )
}

/** Further reports are only counted. */
const maxShownReports = 2

function Reasons({ report: { reports } }: { report: PhotoReport }) {
  const { reasons, more } = useText({ reports: reportMessages })
  const format = useFormat()
  const others = reports.length - maxShownReports
  return (
    <ul className="operator-photos__reasons">
      {reports.slice(0, maxShownReports).map(({ reason, note, reported_at }, index) => (
        // Reports have no id; new ones are inserted at the start of the list.
        <li key={`${reported_at} ${reports.length - index}`}>
          {reasons[reason]}{' '}
          <time className="tiny muted tabular-numbers" dateTime={reported_at} translate="no">
            {format.dateTime(reported_at)}
          </time>
          {note && (
            <q className="muted" translate="no" dir="auto">
              {note}
            </q>
          )}
        </li>
      ))}
      {others > 0 && <li className="tiny muted">{more(others)}</li>}
    </ul>
  )
}

interface ReportedPhotoDialogProps {
  report: PhotoReport
  onClose: () => void
}

/** Hides a reported photo, or shows one again that an operator hid, with a message to its owner. */
function ReportedPhotoDialog({ report: { photo, hidden_by_operator: shows }, onClose }: ReportedPhotoDialogProps) {
  const { actions } = useText({ operator })
  const api = useApi()
  const toast = useToast()
  const [message, setMessage] = useState('')
  const { id, filename } = photo
  const text = shows ? actions.show : actions.hide
  return (
    <ConfirmedAction
      title={text.title}
      question={text.question(filename)}
      submit={text.submit}
      danger={!shows}
      act={(reason) =>
        api.call(shows ? showReportedPhoto : hideReportedPhoto, {
          params: { id },
          body: { reason, ...(message.trim() && { message: message.trim() }) },
        })
      }
      onDone={() => {
        onClose()
        toast({ text: text.done(filename) })
      }}
      onClose={onClose}
    >
      {() => (
        <TextAreaField
          label={actions.message}
          name="message"
          rows={3}
          value={message}
          maxLength={adminLimits.messageChars}
          dir="auto"
          onChange={({ target }) => setMessage(target.value)}
        >
          <p className="tiny muted">{text.hint}</p>
        </TextAreaField>
      )}
    </ConfirmedAction>
  )
}

/** Deletes a reported photo for good. */
function DeletePhotoDialog({ report: { photo }, onClose }: ReportedPhotoDialogProps) {
  const text = useText({ operator }).actions.delete
  const api = useApi()
  const toast = useToast()
  const { id, filename } = photo
  return (
    <ConfirmedAction
      title={text.title}
      question={text.question(filename)}
      submit={text.submit}
      danger
      dismiss={text.dismiss}
      act={(reason) => api.call(deleteReportedPhoto, { params: { id }, body: { reason } })}
      onDone={() => {
        onClose()
        toast({ text: text.done(filename) })
      }}
      onClose={onClose}
    />
  )
}
