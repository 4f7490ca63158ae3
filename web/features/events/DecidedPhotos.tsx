import { Check, EyeOff, Undo2, X } from 'lucide-react'
import { infiniteQueryOptions, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { decideReview, listReview, type ReviewPhoto } from '@keepsnap/contract/event-photos.ts'
import { refusalMessage } from '../../lib/api-errors.ts'
import type { Api } from '../../lib/api.ts'
import { useApi, useMediaUrl } from '../../lib/app-services.tsx'
import { useFocusFallback } from '../../lib/focus.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { reviewedBy } from '../../messages/en/event-helpers.ts'
import { review } from '../../messages/en/event-review.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState, Loading, LoadMore, QueryView } from '../../ui/QueryView.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { BlockButton, useWho } from './Contributor.tsx'
import { reviewKey } from './review-store.ts'

const decidedQuery = (api: Api, id: string) =>
  infiniteQueryOptions({
    queryKey: [...reviewKey(id), 'decided'] as const,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      api.call(
        listReview,
        { params: { id }, query: { list: 'decided', ...(pageParam && { after: pageParam }) } },
        { signal },
      ),
    getNextPageParam: ({ next }) => next,
  })

/** What was decided, the last one first, each of which can wait again. */
export function DecidedPhotos({ eventId }: { eventId: string }) {
  const text = useText({ review })
  const query = useInfiniteQuery(decidedQuery(useApi(), eventId))
  const focusFallback = useFocusFallback()
  return (
    <QueryView query={query} loading={<Loading />} failed={text.loadFailed} stale={text.stale}>
      {({ pages }) => {
        const photos = pages.flatMap((page) => page.photos)
        if (photos.length === 0)
          return (
            <div className="card">
              <EmptyState sentence={text.list.empty} />
            </div>
          )
        return (
          <section aria-label={text.decided} tabIndex={-1} ref={focusFallback}>
            <ul className="reviewed" aria-label={text.list.label}>
              {photos.map((photo) => (
                <DecidedPhoto key={photo.id} eventId={eventId} photo={photo} />
              ))}
            </ul>
            <LoadMore query={query} label={text.list.more} className="reviewed__more" />
          </section>
        )
      }}
    </QueryView>
  )
}

function DecidedPhoto({ eventId, photo }: { eventId: string; photo: ReviewPhoto }) {
  const text = useText({ review })
  const by = useText({ reviewedBy })
  const format = useFormat()
  const media = useMediaUrl()
  const { who, where, full } = useWho()(photo)
  const { mutate, isPending } = useBackToWaiting(eventId)
  const source = photo.thumbnail_url && media(photo.thumbnail_url)
  const { contributor } = photo
  return (
    <li className="card reviewed__photo">
      <span className="reviewed__picture">
        {source ? (
          <img src={source} alt={text.alt(full)} loading="lazy" />
        ) : (
          <span className="small">{text.hiddenByOperator}</span>
        )}
      </span>
      <p>
        <b translate={contributor?.name ? 'no' : undefined} dir="auto">
          {who}
        </b>
        <span className="small muted tabular-numbers" translate="no" dir="auto">
          {where}
        </span>
      </p>
      <p className="row reviewed__badges">
        {photo.review === 'approved' ? (
          <span className="badge badge--ok">
            <Check className="icon" />
            <span>{text.list.approved}</span>
          </span>
        ) : (
          <span className="badge">
            <X className="icon" />
            <span>{text.list.rejected}</span>
          </span>
        )}
        {photo.hidden && (
          <span className="badge badge--bad">
            <EyeOff className="icon" />
            <span>{text.list.hidden}</span>
          </span>
        )}
        {contributor?.blocked && <span className="badge badge--bad">{text.blocked}</span>}
        {photo.reviewed_by === 'helper' && (
          <span className="tiny muted" dir="auto">
            {photo.helper_name === null ? by.helper : by.named(photo.helper_name)}
          </span>
        )}
        {photo.gone_at !== null && (
          <span className="tiny muted tabular-numbers">{text.list.gone(format.date(photo.gone_at))}</span>
        )}
      </p>
      <div className="reviewed__actions">
        <Button aria-label={text.list.backNamed(full)} busy={isPending} onClick={() => mutate(photo)}>
          <Undo2 className="icon" />
          {text.list.back}
        </Button>
        {contributor?.blocked && <BlockButton eventId={eventId} contributor={contributor} />}
      </div>
    </li>
  )
}

function useBackToWaiting(eventId: string) {
  const api = useApi()
  const text = useText({ review }).list
  const toast = useToast()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, review: from }: ReviewPhoto) =>
      api.call(decideReview, { params: { id: eventId }, body: { ids: [id], from, to: 'waiting' } }),
    onSuccess: ({ results }, { id }) =>
      toast(results[0]?.review === 'waiting' ? { text: text.moved, id } : { text: text.conflict, tone: 'bad' }),
    onError: (error) => toast({ text: refusalMessage(error, text.failed), tone: 'bad' }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: reviewKey(eventId) }),
  })
}
