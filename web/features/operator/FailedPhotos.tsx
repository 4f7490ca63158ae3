import { retryFailedPhoto, type FailedPhoto } from '@keepsnap/contract/operator-photos.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { CircleCheck, RotateCw, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { useServerSentence } from '../../lib/server-sentences.ts'
import { operator } from '../../messages/en/operator.ts'
import { Button } from '../../ui/Button.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { ConfirmedAction } from './ConfirmedAction.tsx'
import { PhotoSection, uniquePhotos } from './PhotoSection.tsx'
import { failedPhotosQuery } from './queries.ts'

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
