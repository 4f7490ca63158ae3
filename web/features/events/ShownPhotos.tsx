import { Eye, EyeOff, Pin, PinOff } from 'lucide-react'
import { infiniteQueryOptions, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { helperHide, helperHold, type HelperPhoto, helperReview } from '@keepsnap/contract/event-helpers.ts'
import { refusalMessage } from '../../lib/api-errors.ts'
import type { Api } from '../../lib/api.ts'
import { useApi, useMediaUrl } from '../../lib/app-services.tsx'
import { useFocusFallback } from '../../lib/focus.ts'
import { useText } from '../../lib/i18n.tsx'
import { helping } from '../../messages/en/event-helpers.ts'
import { review } from '../../messages/en/event-review.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState, Loading, LoadMore, QueryView } from '../../ui/QueryView.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { useWho } from './Contributor.tsx'
import { helperKey } from './helper-review.ts'

/** Seldomer than what waits: it is looked at in peace. */
const refetchMs = 15_000

const shownQuery = (api: Api) =>
  infiniteQueryOptions({
    queryKey: [...helperKey, 'shown'] as const,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      api.call(helperReview, { query: { list: 'shown', ...(pageParam && { after: pageParam }) } }, { signal }),
    getNextPageParam: ({ next }) => next,
    refetchInterval: refetchMs,
  })

/** What guests can see of the event, for a helper, and what a helper has hidden. */
export function ShownPhotos() {
  const text = useText({ helping })
  const { list: listText } = useText({ review })
  const query = useInfiniteQuery(shownQuery(useApi()))
  const focusFallback = useFocusFallback()
  return (
    <QueryView query={query} loading={<Loading />} failed={text.loadFailed}>
      {({ pages }) => {
        const photos = pages.flatMap((page) => page.photos)
        const [first] = pages
        if (photos.length === 0)
          return (
            <div className="card">
              <EmptyState sentence={text.noneShown} />
            </div>
          )
        return (
          <section aria-label={text.shown} tabIndex={-1} ref={focusFallback}>
            <ul className="reviewed" aria-label={text.listLabel}>
              {photos.map((photo) => (
                <ShownPhoto
                  key={photo.id}
                  photo={photo}
                  isHeld={first?.hold?.photo_id === photo.id}
                  canHold={first?.on_screens === true}
                />
              ))}
            </ul>
            <LoadMore query={query} label={listText.more} className="reviewed__more" />
          </section>
        )
      }}
    </QueryView>
  )
}

function ShownPhoto({ photo, isHeld, canHold }: { photo: HelperPhoto; isHeld: boolean; canHold: boolean }) {
  const text = useText({ helping })
  const words = useText({ review })
  const media = useMediaUrl()
  const { contributor_name: name, ...rest } = photo
  const contributor = name === null ? null : { id: '', name, blocked: false, photo_count: 0 }
  const shown = useWho()({ ...rest, contributor })
  const who = photo.review === 'none' ? text.fromHosts : shown.who
  const full = words.fromWhere(who, shown.where)
  const { hide, hold } = useShownActions()
  const source = photo.thumbnail_url && media(photo.thumbnail_url)
  const [HideIcon, hideLabel] = photo.hidden ? [Eye, text.show] : [EyeOff, text.hide]
  const [HoldIcon, holdLabel] = isHeld ? [PinOff, text.release] : [Pin, text.hold]
  return (
    <li className="card reviewed__photo">
      <span className="reviewed__picture">{source && <img src={source} alt={words.alt(full)} loading="lazy" />}</span>
      <p>
        <b translate={name === null ? undefined : 'no'} dir="auto">
          {who}
        </b>
        <span className="small muted tabular-numbers" translate="no" dir="auto">
          {shown.where}
        </span>
      </p>
      <p className="row reviewed__badges">
        {photo.hidden && <span className="badge badge--bad">{text.hidden}</span>}
        {isHeld && <span className="badge badge--ok">{text.held}</span>}
      </p>
      <div className="reviewed__actions">
        <Button aria-label={text.of(hideLabel, full)} busy={hide.isPending} onClick={() => hide.mutate(photo)}>
          <HideIcon className="icon" />
          {hideLabel}
        </Button>
        {canHold && !photo.hidden && (
          <Button
            tone="ghost"
            aria-label={text.of(holdLabel, full)}
            busy={hold.isPending}
            onClick={() => hold.mutate(isHeld ? null : photo.id)}
          >
            <HoldIcon className="icon" />
            {holdLabel}
          </Button>
        )}
      </div>
    </li>
  )
}

function useShownActions() {
  const api = useApi()
  const text = useText({ helping })
  const toast = useToast()
  const queryClient = useQueryClient()
  const onSettled = () => queryClient.invalidateQueries({ queryKey: helperKey })
  const onError = (error: Error): void => toast({ text: refusalMessage(error, text.failed), tone: 'bad' })
  const hide = useMutation({
    mutationFn: ({ id, hidden }: HelperPhoto) => api.call(helperHide, { body: { ids: [id], hidden: !hidden } }),
    onSuccess: ({ ids }, { id, hidden }) =>
      toast(
        ids.length === 0
          ? { text: text.unchanged, tone: 'bad' }
          : { text: hidden ? text.shownNow : text.hiddenNow, id },
      ),
    onError,
    onSettled,
  })
  const hold = useMutation({
    mutationFn: (photo_id: string | null) => api.call(helperHold, { body: { photo_id } }),
    onSuccess: ({ hold: held }) => toast({ text: held ? text.heldNow : text.releasedNow, id: 'hold' }),
    onError,
    onSettled,
  })
  return { hide, hold }
}
