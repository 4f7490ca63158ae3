import { useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { CircleCheck, Eye, EyeOff, RotateCw, Trash2, TriangleAlert } from 'lucide-react'
import {
  deleteReportedPhoto,
  type FailedPhoto,
  hideReportedPhoto,
  type ReportedPhoto,
  retryFailedPhoto,
  showReportedPhoto,
} from '@keepsnap/contract/operator-support.ts'
import { adminLimits } from '@keepsnap/contract/limits.ts'
import type { PhotoReport } from '@keepsnap/contract/guests.ts'
import { useFocusFallback } from '../../lib/focus.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { hasFailed, Skeleton } from '../../ui/QueryView.tsx'
import { operator } from '../../messages/en/operators.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { useApi, useMediaUrl } from '../../lib/app-services.tsx'
import { useServerSentence } from '../../lib/server-sentences.ts'
import { useToast } from '../../ui/Toasts.tsx'
import { reports as reportMessages } from '../../messages/en/guests.ts'
import { TextAreaField } from '../../ui/Field.tsx'
import { ConfirmedAction, failedPhotosQuery, reportedPhotosQuery, SectionLoadFailed } from './section-parts.tsx'

type PhotoQuery = Pick<
  UseInfiniteQueryResult,
  | 'isPending'
  | 'isError'
  | 'isFetchedAfterMount'
  | 'isRefetchError'
  | 'isFetching'
  | 'isFetchingNextPage'
  | 'isFetchNextPageError'
  | 'hasNextPage'
  | 'fetchNextPage'
  | 'refetch'
>

interface PhotoSectionProps {
  heading: string
  lead?: string
  /** Undefined until the list is loaded. */
  total: number | undefined
  shown: number
  query: PhotoQuery
  /** Why the list could not be loaded. */
  failure: string
  children: ReactNode
}

/** A section with a list of photos: the total, the states of loading, and a button that loads more. */
function PhotoSection({ heading, lead, total, shown, query, failure, children }: PhotoSectionProps) {
  const text = useText({ operator })
  const format = useFormat()
  const id = useId()
  return (
    <section aria-labelledby={id} ref={useFocusFallback()} tabIndex={-1} className="operator-section">
      <h2 id={id}>
        {heading}{' '}
        {total !== undefined && total > 0 && <span className="muted tabular-numbers">{format.count(total)}</span>}
      </h2>
      {lead && <p className="small muted">{lead}</p>}
      {total !== undefined && query.isRefetchError && <Note tone="bad">{text.errors.outdated}</Note>}
      {query.isPending && !hasFailed(query) && <LineSkeleton />}
      {children}
      {total === undefined && hasFailed(query) && (
        <SectionLoadFailed sentence={failure} busy={query.isFetching} onRetry={() => void query.refetch()} />
      )}
      {query.isFetchNextPageError && <Note tone="bad">{failure}</Note>}
      {total !== undefined && query.hasNextPage && (
        <div className="operator-more">
          <span className="small muted tabular-numbers">{text.firstOf(format.count(shown), format.count(total))}</span>
          <Button busy={query.isFetchingNextPage} onClick={() => !query.isFetching && void query.fetchNextPage()}>
            {text.more}
          </Button>
        </div>
      )}
    </section>
  )
}

/** The photos of all pages without duplicates: a photo may move to a later page between two requests. */
function uniquePhotos<Photo>(pages: readonly { photos: Photo[] }[], idOf: (photo: Photo) => string): Photo[] {
  const byId = new Map(pages.flatMap(({ photos }) => photos.map((photo) => [idOf(photo), photo])))
  return [...byId.values()]
}

/** As high as the sentence of an empty list, which is what most instances show. */
function LineSkeleton() {
  return (
    <p className="operator-empty" aria-hidden="true">
      <Skeleton width="60%" height="1.4em" />
    </p>
  )
}

interface Props {
  onOpenUser: (id: string) => void
}

/** Photos whose processing failed, of all accounts, without their pictures. */
export function FailedPhotos({ onOpenUser }: Props) {
  const { failedPhotos: text, errors } = useText({ operator })
  const query = useInfiniteQuery(failedPhotosQuery(useApi()))
  const [retried, setRetried] = useState<FailedPhoto | null>(null)
  const pages = query.data?.pages
  const photos = uniquePhotos(pages ?? [], ({ id }) => id)
  const sizes = { total: pages?.at(-1)?.total, shown: photos.length }
  return (
    <PhotoSection heading={text.heading} {...sizes} query={query} failure={errors.failedPhotos}>
      {pages && photos.length === 0 && (
        <p className="operator-empty">
          <CircleCheck className="icon" />
          {text.empty}
        </p>
      )}
      <ul className="operator-photos">
        {photos.map((photo) => (
          <FailedPhotoRow key={photo.id} photo={photo} onRetry={() => setRetried(photo)} onOpenUser={onOpenUser} />
        ))}
      </ul>
      {retried && <RetryDialog photo={retried} onClose={() => setRetried(null)} />}
    </PhotoSection>
  )
}

function FailedPhotoRow({ photo, onRetry, onOpenUser }: Props & { photo: FailedPhoto; onRetry: () => void }) {
  const { failedPhotos: text, owner } = useText({ operator })
  const format = useFormat()
  const translate = useServerSentence()
  return (
    <li data-failed-photo={photo.id}>
      <div className="operator-photos__main">
        <p className="ellipsis file-name operator-photos__name" translate="no">
          {photo.filename}
        </p>
        <p className="operator-photos__why">
          <TriangleAlert className="icon" />
          <span translate={photo.error_message === null ? undefined : 'no'}>
            {photo.error_message === null ? text.unknown : translate(photo.error_message)}
          </span>
        </p>
        <p className="tiny muted tabular-numbers operator-photos__owner">
          <time dateTime={photo.created_at} translate="no">
            {format.dateTime(photo.created_at)}
          </time>
          <button
            type="button"
            className="text-button"
            aria-label={owner(photo.owner.username)}
            onClick={() => onOpenUser(photo.owner.id)}
          >
            <span className="ellipsis" translate="no">
              {photo.owner.username}
            </span>
          </button>
        </p>
      </div>
      {photo.can_retry ? (
        <Button aria-label={text.retryOne(photo.filename)} onClick={onRetry}>
          <RotateCw className="icon" />
          {text.retry}
        </Button>
      ) : (
        <span className="badge" title={text.finalHint}>
          {text.final}
          <span className="visually-hidden">{text.finalHint}</span>
        </span>
      )}
    </li>
  )
}

function RetryDialog({ photo: { id, filename }, onClose }: { photo: FailedPhoto; onClose: () => void }) {
  const text = useText({ operator }).actions.retry
  const api = useApi()
  const toast = useToast()
  return (
    <ConfirmedAction
      title={text.title}
      question={text.question(filename)}
      submit={text.submit}
      act={(reason) => api.call(retryFailedPhoto, { params: { id }, body: { reason } })}
      onDone={() => {
        onClose()
        toast({ text: text.done(filename) })
      }}
      onClose={onClose}
    />
  )
}

const badgeTones = { open: 'badge--warn', hide: 'badge--bad', keep: 'badge--ok', operator: 'badge--bad' }

function statusOf({ hidden, hidden_by_operator, open }: PhotoReport): keyof typeof badgeTones {
  if (hidden) return hidden_by_operator ? 'operator' : 'hide'
  return open ? 'open' : 'keep'
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
