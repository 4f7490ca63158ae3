import { type InfiniteData, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { Fragment, type ReactNode, useId, useState } from 'react'
import { Eye, EyeOff, RotateCw, Trash2, TriangleAlert } from 'lucide-react'
import {
  deleteReportedPhoto,
  type FailedPhoto,
  hideReportedPhoto,
  listFailedPhotos,
  listReportedPhotos,
  retryFailedPhoto,
  showReportedPhoto,
} from '@keepsnap/contract/operator-support.ts'
import { adminLimits } from '@keepsnap/contract/limits.ts'
import type { PhotoReport } from '@keepsnap/contract/guests.ts'
import { useFocusFallback } from '../../lib/focus.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { LoadMore, Skeleton } from '../../ui/QueryView.tsx'
import { operator } from '../../messages/en/operators.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { useApi } from '../../lib/app-services.tsx'
import { useServerSentence } from '../../lib/server-sentences.ts'
import { reports as reportMessages } from '../../messages/en/guests.ts'
import { TextAreaField } from '../../ui/Field.tsx'
import { Thumbnail } from '../../ui/Thumbnail.tsx'
import { reportStatusOf, reportTones } from '../guests/open-reports.ts'
import { AccountButton, ConfirmedAction, Nothing, operatorKey, refetchInterval, SectionView } from './section-parts.tsx'

const pageSize = 8
/** Lists with more loaded pages are not polled. */
const maxRefetchedPages = 3

/** Options of both lists of photos: offset pagination, and polling while few pages are loaded. */
const photoPages = {
  initialPageParam: 0,
  getNextPageParam({ photos, total, skip }: { photos: unknown[]; total: number; skip: number }): number | null {
    const next = skip + photos.length
    return photos.length > 0 && next < total ? next : null
  },
  refetchInterval: ({ state }: { state: { data?: { pages: unknown[] } | undefined } }) =>
    (state.data?.pages.length ?? 1) <= maxRefetchedPages && refetchInterval,
}

interface PhotoSectionProps<Photo> {
  heading: string
  lead?: string
  query: UseInfiniteQueryResult<InfiniteData<{ photos: Photo[]; total: number }>>
  idOf: (photo: Photo) => string
  /** Why the list could not be loaded. */
  failed: string
  empty: string
  children: (photo: Photo) => ReactNode
  dialogs: ReactNode
}

/** A section with a list of photos: the total, the states of loading, and a button that loads more. */
function PhotoSection<Photo>({
  heading,
  lead,
  query,
  idOf,
  failed,
  empty,
  children,
  dialogs,
}: PhotoSectionProps<Photo>) {
  const text = useText({ operator })
  const format = useFormat()
  const id = useId()
  const pages = query.data?.pages ?? []
  const total = pages.at(-1)?.total ?? 0
  // Without duplicates: a photo may move to a later page between two requests.
  const photos = [...new Map(pages.flatMap((page) => page.photos.map((photo) => [idOf(photo), photo]))).values()]
  return (
    <section aria-labelledby={id} ref={useFocusFallback()} tabIndex={-1} className="operator-section">
      <h2 id={id}>
        {heading} {total > 0 && <span className="muted tabular-numbers">{format.count(total)}</span>}
      </h2>
      {lead && <p className="small muted">{lead}</p>}
      <SectionView
        query={query}
        failed={failed}
        stale={text.errors.outdated}
        // As high as the sentence of an empty list, which is what most instances show.
        loading={
          <p className="operator-empty" aria-hidden="true">
            <Skeleton width="60%" height="1.4em" />
          </p>
        }
      >
        {() => (
          <>
            {photos.length === 0 && <Nothing>{empty}</Nothing>}
            <ul className="operator-photos">
              {photos.map((photo) => (
                <Fragment key={idOf(photo)}>{children(photo)}</Fragment>
              ))}
            </ul>
            {query.isFetchNextPageError && <Note tone="bad">{failed}</Note>}
            <LoadMore query={query} label={text.more} className="operator-more">
              <span className="small muted tabular-numbers">
                {text.firstOf(format.count(photos.length), format.count(total))}
              </span>
            </LoadMore>
          </>
        )}
      </SectionView>
      {dialogs}
    </section>
  )
}

interface Props {
  onOpenUser: (id: string) => void
}

/** Photos whose processing failed, of all accounts, without their pictures. */
export function FailedPhotos({ onOpenUser }: Props) {
  const { failedPhotos: text, actions, errors } = useText({ operator })
  const api = useApi()
  const query = useInfiniteQuery({
    queryKey: [...operatorKey, 'failed-photos'],
    queryFn: ({ pageParam: skip, signal }) =>
      api.call(listFailedPhotos, { query: { skip, limit: pageSize } }, { signal }),
    ...photoPages,
  })
  const [retried, setRetried] = useState<FailedPhoto | null>(null)
  return (
    <PhotoSection
      heading={text.heading}
      query={query}
      idOf={({ id }) => id}
      failed={errors.failedPhotos}
      empty={text.empty}
      dialogs={
        retried && (
          <ConfirmedAction
            title={actions.retry.title}
            question={actions.retry.question(retried.filename)}
            submit={actions.retry.submit}
            act={(reason) => api.call(retryFailedPhoto, { params: { id: retried.id }, body: { reason } })}
            done={() => actions.retry.done(retried.filename)}
            onClose={() => setRetried(null)}
          />
        )
      }
    >
      {(photo) => <FailedPhotoRow photo={photo} onRetry={() => setRetried(photo)} onOpenUser={onOpenUser} />}
    </PhotoSection>
  )
}

function FailedPhotoRow({ photo, onRetry, onOpenUser }: Props & { photo: FailedPhoto; onRetry: () => void }) {
  const { failedPhotos: text } = useText({ operator })
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
          <AccountButton account={photo.owner} onOpenUser={onOpenUser} />
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

/** The photos of all accounts that guests reported, the only ones of which the page shows a picture. */
export function ReportedPhotos({ onOpenUser }: Props) {
  const { reportedPhotos: text, actions, errors } = useText({ operator })
  const api = useApi()
  const query = useInfiniteQuery({
    queryKey: [...operatorKey, 'reported-photos'],
    queryFn: ({ pageParam: skip, signal }) =>
      api.call(listReportedPhotos, { query: { skip, limit: pageSize } }, { signal }),
    ...photoPages,
  })
  const [decided, setDecided] = useState<PhotoReport | null>(null)
  const [deleted, setDeleted] = useState<PhotoReport['photo'] | null>(null)
  return (
    <PhotoSection
      heading={text.heading}
      lead={text.lead}
      query={query}
      idOf={({ report }) => report.photo.id}
      failed={errors.reportedPhotos}
      empty={text.empty}
      dialogs={
        <>
          {decided && <VisibilityDialog report={decided} onClose={() => setDecided(null)} />}
          {deleted && (
            <ConfirmedAction
              title={actions.delete.title}
              question={actions.delete.question(deleted.filename)}
              submit={actions.delete.submit}
              danger
              dismiss={actions.delete.dismiss}
              act={(reason) => api.call(deleteReportedPhoto, { params: { id: deleted.id }, body: { reason } })}
              done={() => actions.delete.done(deleted.filename)}
              onClose={() => setDeleted(null)}
            />
          )}
        </>
      }
    >
      {({ report, owner }) => (
        <ReportedPhotoRow
          report={report}
          owner={<AccountButton account={owner} onOpenUser={onOpenUser} />}
          onDecide={() => setDecided(report)}
          onDelete={() => setDeleted(report.photo)}
        />
      )}
    </PhotoSection>
  )
}

interface RowProps {
  report: PhotoReport
  owner: ReactNode
  onDecide: () => void
  onDelete: () => void
}

function ReportedPhotoRow({ report, owner, onDecide, onDelete }: RowProps) {
  const { reportedPhotos: text } = useText({ operator })
  const { badges } = useText({ reports: reportMessages })
  const reportStatus = reportStatusOf(report)
  const { photo } = report
  return (
    <li data-reported-photo={photo.id}>
      <Thumbnail url={photo.thumbnail_url} />
      <div className="operator-photos__main">
        <p className="operator-photos__head">
          <span className="ellipsis file-name operator-photos__name" translate="no">
            {photo.filename}
          </span>
          <span className={`badge ${reportTones[reportStatus]}`}>{badges[reportStatus]}</span>
        </p>
        <Reasons report={report} />
        <p className="tiny muted operator-photos__owner">{owner}</p>
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

/** Hides a reported photo, or shows one again that an operator hid, with a message to its owner. */
function VisibilityDialog({
  report: { photo, hidden_by_operator: shows },
  onClose,
}: {
  report: PhotoReport
  onClose: () => void
}) {
  const { actions } = useText({ operator })
  const api = useApi()
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
      done={() => text.done(filename)}
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
