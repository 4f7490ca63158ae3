import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, ChevronLeft, ChevronRight, ImageOff, Keyboard, Monitor, Pause, Play, Undo2, X } from 'lucide-react'
import { memo, type ReactNode, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import type { Event } from '@keepsnap/contract/events.ts'
import type { Adding, ReviewPhoto, ReviewState } from '@keepsnap/contract/event-photos.ts'
import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import { ApiError, refusalMessage } from '../../lib/api-errors.ts'
import { useApi, useMediaUrl } from '../../lib/app-services.tsx'
import { useFocusFallback } from '../../lib/focus.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { eventPath, paths } from '../../lib/paths.ts'
import { keepScroll } from '../../lib/viewport.ts'
import { review } from '../../messages/en/event-review.ts'
import { eventMenu } from '../../messages/en/events.ts'
import { states } from '../../messages/en/frame.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Note } from '../../ui/Note.tsx'
import { PageHeading, usePageTitle } from '../../ui/PageHeading.tsx'
import { EmptyState, ErrorState, QueryView, Skeleton, useLastError } from '../../ui/QueryView.tsx'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { useLive, useLiveStatus } from '../live/live-context.ts'
import { useShortcuts } from '../screen/screen-controls.tsx'
import { BlockButton, useWho } from './Contributor.tsx'
import { DecidedPhotos } from './DecidedPhotos.tsx'
import { useEvent, useSavedOfEvent } from './events.ts'
import {
  idsOfWaiting,
  ownerReview,
  reviewStoreOf,
  type ReviewSource,
  type ReviewStore,
  shownPhotos,
  waitingQuery,
} from './review-store.ts'
import { useSwipe } from './swipe.ts'
import './review.css'

/** While the live connection is down. */
const defaultPollMs = 10_000
/** Of the next photos, so many pictures are loaded in advance. */
const preloadedPhotos = 3

/** Where the owner of an event decides which photos of guests are shown. */
export function ReviewPage() {
  const text = useText({ review })
  const { allEvents } = useText({ eventMenu })
  const { id: eventId = '' } = useParams()
  const api = useApi()
  const event = useEvent(eventId)
  const isLive = useLiveStatus() === 'connected'
  return (
    <Review
      source={ownerReview(api, eventId)}
      eventId={eventId}
      isLive={isLive}
      isPaused={event?.guest_paused === true}
      about={
        event && (
          <Link to={eventPath(eventId)} translate="no" dir="auto">
            {event.name}
          </Link>
        )
      }
      tools={event && <PauseButton event={event} />}
      second={{ name: 'decided', label: text.decided, list: <DecidedPhotos eventId={eventId} /> }}
      missing={
        <ErrorState sentence={text.missing}>
          <Link className={buttonClass({})} to={paths.events}>
            {allEvents}
          </Link>
        </ErrorState>
      }
    />
  )
}

export interface ReviewProps {
  source: ReviewSource
  /** Null for a helper, who blocks nobody and has no other page. */
  eventId: string | null
  /** Whether the live connection says when something changes. */
  isLive: boolean
  pollMs?: number
  isPaused?: boolean
  about: ReactNode
  tools?: ReactNode
  /** The other list. */
  second: { name: string; label: string; list: ReactNode }
  /** Instead of all, when the server knows of no such review any more. */
  missing: ReactNode
}

/** The review of an event's photos, by its owner or a helper. */
export function Review({ source, eventId, about, tools, second, missing, isPaused = false, ...polling }: ReviewProps) {
  const text = useText({ review })
  const [search, setSearch] = useSearchParams()
  const list = search.get('list') === second.name ? second.name : 'waiting'
  const desk = useReview(source, { eventId, ...polling })
  const format = useFormat()
  const { query, photos, count } = desk
  usePageTitle(text.title)
  const error = useLastError(query)
  if (error instanceof ApiError && error.status === 404) return missing
  return (
    <div className="wrap review">
      <header className="page-head">
        <div>
          <PageHeading>{text.title}</PageHeading>
          <p className="tabular-numbers">
            {about}
            {count > 0 && <span>{text.lead(count, format.count(count))}</span>}
          </p>
        </div>
        <div className="row review__tools">
          <SegmentedControl
            legend={text.lists}
            value={list}
            options={[
              { value: 'waiting', label: text.waiting },
              { value: second.name, label: second.label },
            ]}
            onChange={(value) =>
              setSearch(value === second.name ? { list: value } : {}, { replace: true, state: keepScroll })
            }
          />
          {tools}
          {list === 'waiting' && count > 1 && <ApproveAll {...desk} source={source} />}
        </div>
      </header>
      {query.data && <AddingNote state={isPaused ? 'paused' : query.data.adding.state} />}
      {desk.unsent > 0 && <Note tone="warn">{text.unsent(desk.unsent, format.count(desk.unsent))}</Note>}
      {list === second.name ? (
        second.list
      ) : (
        <QueryView
          query={query}
          loading={<ReviewSkeleton />}
          failed={text.loadFailed}
          {...(desk.unsent === 0 && { stale: text.stale })}
        >
          {({ adding }) => (
            <Waiting eventId={eventId} photos={photos} count={count} store={desk.store} adding={adding} />
          )}
        </QueryView>
      )}
    </div>
  )
}

/** What waits, as it will be once the server has confirmed what was decided here. */
function useReview(
  source: ReviewSource,
  { eventId, isLive, pollMs = defaultPollMs }: Pick<ReviewProps, 'eventId' | 'isLive' | 'pollMs'>,
) {
  const text = useText({ review })
  const format = useFormat()
  const toast = useToast()
  const live = useLive()
  const store = reviewStoreOf(source, useQueryClient())
  const state = useSyncExternalStore(store.subscribe, store.state, store.state)
  const query = useQuery({ ...waitingQuery(source), refetchInterval: isLive ? false : pollMs })
  const { data } = query
  if (data) store.remember(data.photos)
  useEffect(
    () =>
      live?.onMessage((message) => {
        if (message.action === 'review_changed' && message.event_id === eventId)
          store.countChanged(message.waiting_count)
      }),
    [live, store, eventId],
  )
  // What was sent while there was no connection is not repeated.
  useEffect(() => (isLive ? store.refetchSoon() : undefined), [isLive, store])
  useEffect(
    () =>
      store.onProblem(({ kind, to, count, error }) => {
        const failed = to === 'waiting' ? text.block.undoFailed : text.failed(count, format.count(count))
        const sentence = kind === 'failed' ? failed : text[kind](count, format.count(count))
        const refusal = kind === 'failed' ? refusalMessage(error, '') : ''
        toast({ text: refusal ? `${sentence} ${refusal}` : sentence, tone: 'bad' })
      }),
    [store, toast, text, format],
  )
  const photos = shownPhotos(data?.photos ?? [], state, store.known)
  // The list has what the last fetch saw; the count, what the server has said since.
  const count = Math.max(photos.length, (data?.waiting_count ?? 0) + state.countChange)
  return { store, query, photos, count, unsent: state.unsent }
}

interface WaitingProps {
  eventId: string | null
  photos: readonly ReviewPhoto[]
  count: number
  store: ReviewStore
  adding: Adding
}

/** One photo large, and a strip of all that wait. */
function Waiting({ eventId, photos, count, store, adding }: WaitingProps) {
  const text = useText({ review })
  const format = useFormat()
  const who = useWho()
  const focusFallback = useFocusFallback()
  // Of a photo that has gone meanwhile, the place stays.
  const [at, setAt] = useState<{ id: string | null; index: number }>({ id: null, index: 0 })
  const [done, setDone] = useState<{ to: ReviewState; count: number } | 'nothing' | null>(null)
  const [hasKeys, setHasKeys] = useState(true)
  useShortcuts('.review')
  const found = photos.findIndex(({ id }) => id === at.id)
  const index = found >= 0 ? found : Math.max(0, Math.min(at.index, photos.length - 1))
  const photo = photos[index]
  const shownId = photo?.id
  useEffect(() => {
    if (shownId !== undefined) store.seen.add(shownId)
  }, [store, shownId])

  const choose = useCallback((id: string) => setAt({ id, index: 0 }), [])
  const decide = (to: 'approved' | 'rejected'): void => {
    if (!photo) return
    store.decide([photo.id], to)
    setAt({ id: photos[index + 1]?.id ?? null, index })
    setDone({ to, count: 1 })
  }
  const undo = (): void => {
    const step = store.undo()
    setDone(step ? { to: 'waiting', count: step.ids.length } : 'nothing')
    if (step) setAt({ id: step.ids[0] ?? null, index })
  }
  const doneText =
    done === 'nothing' ? text.done.nothing : done && text.done[done.to](done.count, format.count(done.count))
  const key = (name: string) => (hasKeys ? { 'aria-keyshortcuts': name } : {})
  const step = (by: 1 | -1, name: string, label: string) => {
    const Icon = by === 1 ? ChevronRight : ChevronLeft
    const target = photos[index + by]
    return (
      <Button
        tone="ghost"
        icon
        aria-label={label}
        aria-disabled={!target || undefined}
        {...key(name)}
        onClick={() => target && choose(target.id)}
      >
        <Icon className="icon" />
      </Button>
    )
  }
  const undoButton = (
    <Button tone="ghost" {...key('U')} onClick={undo}>
      <Undo2 className="icon" />
      {text.undo}
      <kbd aria-hidden="true" translate="no">
        U
      </kbd>
    </Button>
  )
  const outcome = (
    <output className="review__done">
      {doneText && (
        <span className="save-status">
          <Check className="icon" />
          <span>{doneText}</span>
        </span>
      )}
      {doneText && photo && <span className="visually-hidden">{` ${text.following(who(photo).full)}`}</span>}
    </output>
  )
  return (
    <section className="review__desk" aria-label={text.photo} tabIndex={-1} ref={focusFallback}>
      {photo ? (
        <>
          <PhotoFrame photos={photos} index={index} onDecide={decide}>
            <span className="review__position tabular-numbers">
              {text.position(format.count(index + 1), format.count(count))}
            </span>
          </PhotoFrame>
          <aside className="review__side">
            <Who eventId={eventId} photo={photo} />
            <div className="review__actions">
              <Button tone="quiet" large block {...key('R')} onClick={() => decide('rejected')}>
                <X className="icon" />
                {text.reject}
                <kbd aria-hidden="true" translate="no">
                  R
                </kbd>
              </Button>
              <Button tone="primary" large block {...key('A')} onClick={() => decide('approved')}>
                <Check className="icon" />
                {text.approve}
                <kbd aria-hidden="true" translate="no">
                  A
                </kbd>
              </Button>
            </div>
            <div className="review__steps">
              {step(-1, 'ArrowLeft', text.previous)}
              {undoButton}
              {step(1, 'ArrowRight', text.next)}
            </div>
            {outcome}
            <div className="review__hints small muted">
              <p className="review__swipe-hint">{text.swipeHint}</p>
              {eventId !== null && <p>{text.rejectedHint(eventLimits.rejectedDays)}</p>}
              <Button
                className="review__keys"
                tone="ghost"
                title={text.keysHint}
                aria-pressed={hasKeys}
                onClick={() => setHasKeys(!hasKeys)}
              >
                <Keyboard className="icon" />
                {text.keys}
              </Button>
            </div>
          </aside>
          <Strip photos={photos} index={index} onChoose={choose} />
        </>
      ) : (
        <div className="card review__empty">
          <EmptyState sentence={adding.state === 'off' ? text.off : text.empty}>
            {eventId === null ? null : adding.state === 'off' ? (
              <Link className={buttonClass({})} to={eventPath(eventId)}>
                {text.settings}
              </Link>
            ) : (
              <Link className={buttonClass({})} to={paths.latest}>
                <Monitor className="icon" />
                <span>{text.screen}</span>
              </Link>
            )}
            {(done !== null || store.state().steps.length > 0) && undoButton}
          </EmptyState>
          {outcome}
        </div>
      )}
    </section>
  )
}

interface FrameProps {
  photos: readonly ReviewPhoto[]
  index: number
  onDecide: (to: 'approved' | 'rejected') => void
  children: ReactNode
}

/** The photo, which can be swiped. The next ones are loaded and decoded behind it, so that each is there at once. */
function PhotoFrame({ photos, index, onDecide, children }: FrameProps) {
  const text = useText({ review })
  const media = useMediaUrl()
  const swipe = useSwipe((direction) => onDecide(direction > 0 ? 'approved' : 'rejected'))
  const after = photos.slice(index, index + 1 + preloadedPhotos)
  // After the last one comes the one before it.
  const before = after.length > 1 ? [] : photos.slice(Math.max(0, index - 1), index)
  const who = useWho()
  return (
    <figure className="review__photo" {...swipe}>
      {[...before, ...after].map((photo) => {
        const isShown = photo === photos[index]
        const url = photo.screen_url && media(photo.screen_url)
        const small = photo.thumbnail_url && media(photo.thumbnail_url)
        if (!url)
          return (
            isShown && (
              <p key={photo.id} className="review__none">
                <ImageOff className="icon" />
                {text.hiddenByOperator}
              </p>
            )
          )
        return (
          <img
            key={photo.id}
            src={url}
            alt={isShown ? text.alt(who(photo).full) : ''}
            aria-hidden={!isShown || undefined}
            data-swiped={isShown ? '' : undefined}
            draggable={false}
            ref={decode}
            // Until it is loaded, its small picture, which the strip has.
            style={small ? { backgroundImage: `url("${small}")` } : undefined}
          />
        )
      })}
      <span className="review__verdict review__verdict--approve" aria-hidden="true">
        <Check className="icon" />
        {text.approve}
      </span>
      <span className="review__verdict review__verdict--reject" aria-hidden="true">
        <X className="icon" />
        {text.reject}
      </span>
      {children}
    </figure>
  )
}

/** Decodes a picture while it is not shown. Failures show as the small picture. */
function decode(image: HTMLImageElement | null): void {
  image?.decode?.().catch(() => {})
}

function Who({ eventId, photo }: { eventId: string | null; photo: ReviewPhoto }) {
  const text = useText({ review })
  const { contributor } = photo
  const { who, where } = useWho()(photo)
  return (
    <div className="review__who">
      <p>
        <b translate={contributor?.name ? 'no' : undefined} dir="auto">
          {who}
        </b>
        <span className="small muted tabular-numbers" translate="no" dir="auto">
          {where}
        </span>
        {contributor?.blocked && <span className="badge badge--bad">{text.blocked}</span>}
      </p>
      {contributor && eventId !== null && (
        <BlockButton key={contributor.id} eventId={eventId} contributor={contributor} />
      )}
    </div>
  )
}

interface StripProps {
  photos: readonly ReviewPhoto[]
  index: number
  onChoose: (id: string) => void
}

function Strip({ photos, index, onChoose }: StripProps) {
  const text = useText({ review })
  const strip = useRef<HTMLUListElement>(null)
  useEffect(() => {
    const [list, item] = [strip.current, strip.current?.children[index]]
    if (!list || !(item instanceof HTMLElement)) return
    list.scrollLeft = item.offsetLeft - (list.clientWidth - item.offsetWidth) / 2
  }, [index])
  return (
    <ul className="review__strip" aria-label={text.waiting} ref={strip}>
      {photos.map((photo, place) => (
        <StripPhoto key={photo.id} photo={photo} isShown={place === index} onChoose={onChoose} />
      ))}
    </ul>
  )
}

interface StripPhotoProps {
  photo: ReviewPhoto
  isShown: boolean
  onChoose: (id: string) => void
}

/** Not rendered again with each decision: there may be 200. */
const StripPhoto = memo(function StripPhoto({ photo, isShown, onChoose }: StripPhotoProps) {
  const media = useMediaUrl()
  const { full } = useWho()(photo)
  const source = photo.thumbnail_url && media(photo.thumbnail_url)
  return (
    <li>
      <button
        type="button"
        className="on-photo"
        aria-label={full}
        aria-current={isShown || undefined}
        onClick={() => onChoose(photo.id)}
      >
        {source ? <img src={source} width="84" height="64" alt="" loading="lazy" /> : <ImageOff className="icon" />}
      </button>
    </li>
  )
})

/** Stops guests from adding photos for a while, without closing anything. Nothing where they add none. */
function PauseButton({ event }: { event: Event }) {
  const text = useText({ review }).pause
  const toast = useToast()
  const { value, change, message } = useSavedOfEvent(event, 'guest_paused', text)
  useEffect(() => {
    if (message?.tone === 'bad') toast(message)
  }, [message, toast])
  if (event.guest_photos === 'off') return null
  const Icon = value ? Play : Pause
  return (
    <Button className="review__pause" title={value ? text.on : text.label} onClick={() => change(!value)}>
      <Icon className="icon" />
      {value ? text.on : text.label}
    </Button>
  )
}

function AddingNote({ state }: { state: Adding['state'] }) {
  const text = useText({ review }).adding
  if (state !== 'paused' && state !== 'full' && state !== 'ended') return null
  return <Note tone={state === 'ended' ? 'plain' : 'warn'}>{text[state]}</Note>
}

/** Approves what waits now, after saying how many of it were seen. What comes in meanwhile waits. */
function ApproveAll({ source, count, store }: Pick<WaitingProps, 'count' | 'store'> & Pick<ReviewProps, 'source'>) {
  const text = useText({ review })
  const format = useFormat()
  const toast = useToast()
  const [isBusy, setIsBusy] = useState(false)
  const [ids, setIds] = useState<readonly string[] | null>(null)
  const open = async (): Promise<void> => {
    setIsBusy(true)
    try {
      const all = await idsOfWaiting(source)
      const { unconfirmed } = store.state()
      setIds(all.filter((id) => !unconfirmed.has(id)))
    } catch (error) {
      toast({ text: refusalMessage(error, text.loadFailed), tone: 'bad' })
    }
    setIsBusy(false)
  }
  const approve = (): void => {
    if (ids && ids.length > 0) {
      store.decide(ids, 'approved')
      toast({ text: text.done.approved(ids.length, format.count(ids.length)) })
    }
    setIds(null)
  }
  const seen = ids?.filter((id) => store.seen.has(id)).length ?? 0
  const written = format.count(ids?.length ?? 0)
  return (
    <>
      <Button busy={isBusy} onClick={() => void open()}>
        {text.all.open(format.count(count))}
      </Button>
      <ConfirmDialog
        open={ids !== null}
        tone="primary"
        title={text.all.title(written)}
        question={text.all.seen(seen, format.count(seen))}
        details={<p>{text.all.question}</p>}
        confirm={text.all.confirm(written)}
        dismiss={text.all.dismiss}
        onConfirm={approve}
        onClose={() => setIds(null)}
      />
    </>
  )
}

function ReviewSkeleton() {
  const { loading } = useText({ states })
  return (
    <div className="review__desk">
      <output className="visually-hidden">{loading}</output>
      <div className="review__photo skeleton" />
      <div className="review__side stack">
        <Skeleton width="60%" />
        <Skeleton height="3.75rem" />
        <Skeleton height="3.75rem" />
      </div>
    </div>
  )
}
