import {
  type CSSProperties,
  type Dispatch,
  lazy,
  type RefObject,
  type SetStateAction,
  Suspense,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { Check, Search, Upload, X } from 'lucide-react'
import { isCancelledError, useQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate, useNavigationType, useSearchParams } from 'react-router'
import { limits } from '@keepsnap/contract/limits.ts'
import type { EventOrder, Photo } from '@keepsnap/contract/photos.ts'
import { useApi, useCurrentUser, useMediaUrl, useSessionState } from '../../lib/app-services.tsx'
import { logoGround } from '../../lib/images.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { eventMenu } from '../../messages/en/events.ts'
import { states } from '../../messages/en/frame.ts'
import { gallery } from '../../messages/en/photos.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { useLatestToasts } from '../screen/latest-photo.ts'
import { RedirectToLogin } from '../accounts/guards.tsx'
import { errorMessage, isUnauthorized } from '../../lib/api-errors.ts'
import { keepScroll, subscribeToViewport, useMediaQuery } from '../../lib/viewport.ts'
import { createHeadingFocus, type HeadingFocus, PageHeading, usePageTitle } from '../../ui/PageHeading.tsx'
import { galleryPhoto, paths, photoIdIn } from '../../lib/paths.ts'
import { EmptyState, LoadFailed, Loading } from '../../ui/QueryView.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { useChosenEvent, useEvent } from '../events/events.ts'
import { openStorage } from '../../lib/storage.ts'
import { type TimeOf, timesOf } from './photo-state.ts'
import { useRetryProcessing } from './photo-changes.ts'
import { DateButton, MonthRail } from './DateNavigation.tsx'
import {
  emptySelection,
  type Loaded,
  refreshed,
  type Selection,
  SelectionContext,
  selectRange,
  toggleSelected,
  withoutPhotos,
} from './selection.tsx'
import { PhotoGrid, type TileActions } from './PhotoGrid.tsx'
import { type PhotoList, usePhotoList } from './photo-list.ts'
import { photoDaysQuery, type PhotoWindow, type Place, type ShownEvent } from './photo-cache.ts'
import { createEveningOf } from './justified-layout.ts'
import './gallery.css'

const Viewer = lazy(async () => ({ default: (await import('./Viewer.tsx')).Viewer }))

// Only while photos are being selected.
const SelectionBar = lazy(async () => ({
  default: (await import('./SelectionBar.tsx')).SelectionBar,
}))

// Only of an event.
const EventOrderBar = lazy(async () => ({ default: (await import('./EventOrder.tsx')).EventOrderBar }))

const DateDialog = lazy(async () => ({
  default: (await import('./DateDialog.tsx')).DateDialog,
}))

/** All photos of the user, newest first. Without a session the request is refused, and the page redirects to sign-in. */
export function GalleryPage() {
  const text = useText({ gallery })
  usePageTitle(text.title)
  const [name, setName] = useState('')
  const chosen = useChosenEvent()
  const event = chosen ?? null
  const [order, setOrder] = useEventOrder(event)
  const [orderFocus] = useState(createHeadingFocus)
  const storedPlace = useStoredPlace()
  const list = usePhotoList(name, {
    page: order === 'taken' ? 'taken' : 'gallery',
    place: order === 'taken' ? null : storedPlace,
    event,
    enabled: chosen !== undefined,
  })
  const { token, endReason } = useSessionState()
  // A session that ends in another tab causes no request here, but its photos must disappear, too.
  const hasSignedOut = token === null && endReason !== null
  // The logo above the heading would push everything down.
  const isUserKnown = useCurrentUser().state !== 'loading'
  // While a sign-out waits for its response, the sign-in page would redirect back.
  const isRefused = token === null && isUnauthorized(list.error)
  useNewestAfterNavigation(list)
  if (hasSignedOut || isRefused) return <RedirectToLogin />
  if (!isUserKnown) return <Loading />
  return (
    <div className="wrap wrap--wide">
      {list.window ? (
        <>
          <Gallery
            key={`${event} ${order}`}
            {...{ event, list, name, order, orderFocus }}
            window={list.window}
            onName={setName}
            onOrder={setOrder}
          />
          {(list.failedEnd || (list.failed && list.isPrevious)) && (
            <LoadFailed
              sentence={text.errors.load}
              busy={list.isFetching || list.isLoading}
              onRetry={() => (list.failedEnd ? list.load(list.failedEnd) : list.retry())}
            />
          )}
        </>
      ) : (
        <>
          <header className="page-head">
            <div>
              <BrandLogo />
              <PageHeading>{text.title}</PageHeading>
            </div>
          </header>
          {list.failed ? (
            <LoadFailed sentence={text.errors.load} busy={list.isFetching} onRetry={list.retry} />
          ) : (
            <GallerySkeleton />
          )}
        </>
      )}
    </div>
  )
}

const storage = openStorage(() => window.sessionStorage)
const storageKey = 'gallery-order'

/** The order of the gallery: of an event, the one that was chosen last in this tab. */
function useEventOrder(event: ShownEvent): [EventOrder, (order: EventOrder) => void] {
  const [chosen, setChosen] = useState<EventOrder>(() => (storage.get(storageKey) === 'taken' ? 'taken' : 'added'))
  const choose = (order: EventOrder): void => {
    storage.set(storageKey, order)
    setChosen(order)
  }
  return [event === null || event === 'none' ? 'added' : chosen, choose]
}

/** The user's own logo, if the plan includes one. */
function BrandLogo() {
  const media = useMediaUrl()
  const { user } = useCurrentUser()
  const logoUrl = user?.logo_url ?? null
  const brandLogoUrl = logoUrl && media(logoUrl)
  const [brokenLogoUrl, setBrokenLogoUrl] = useState<string | null>(null)
  if (!brandLogoUrl || brokenLogoUrl === brandLogoUrl) return null
  return (
    <img
      className="page-head__logo"
      {...logoGround(user?.logo_grounds)}
      src={brandLogoUrl}
      alt=""
      onError={() => setBrokenLogoUrl(brandLogoUrl)}
    />
  )
}

const aspectRatios = [1.5, 0.67, 1.5, 1.78, 0.8, 1.5, 1, 1.5, 0.67, 0.8, 1.5, 1.5]

function GallerySkeleton() {
  return (
    <>
      <output className="visually-hidden">{useText({ states }).loading}</output>
      <div className="justified" aria-hidden="true">
        {aspectRatios.map((ratio, index) => (
          // The list is fixed, so the index is a stable key. The ratio is a custom property.
          <div key={index} className="skeleton" style={{ '--aspect-ratio': ratio } as CSSProperties} />
        ))}
        <div className="justified__fill" />
      </div>
    </>
  )
}

const searchDelayMs = 300

interface SearchProps {
  /** What is searched for. */
  name: string
  onName: (name: string) => void
}

/** Searches photos by their file names, a moment after the user stopped typing. */
function NameSearch({ name, onName }: SearchProps) {
  const text = useText({ gallery }).search
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(name)
  const [searched, setSearched] = useState(name)
  if (searched !== name) {
    // Cleared elsewhere, such as by going to a date.
    setSearched(name)
    setTyped(name)
  }
  const wanted = typed.trim()
  useEffect(() => {
    if (wanted === name) return undefined
    const timer = setTimeout(
      () => {
        setSearched(wanted)
        onName(wanted)
      },
      wanted ? searchDelayMs : 0,
    )
    return () => clearTimeout(timer)
  }, [wanted, name, onName])
  return (
    <div className="gallery-search">
      <label className="visually-hidden" htmlFor={id}>
        {text.label}
      </label>
      <Search className="icon" aria-hidden="true" />
      <input
        ref={field}
        id={id}
        className="input"
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={limits.filenameBytes}
        placeholder={text.label}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={({ key }) => key === 'Escape' && setTyped('')}
      />
      {typed && (
        <Button
          className="gallery-search__clear"
          tone="ghost"
          icon
          aria-label={text.clear}
          onClick={() => {
            setTyped('')
            field.current?.focus()
          }}
        >
          <X className="icon" />
        </Button>
      )}
    </div>
  )
}

/** The place that the history entry of the gallery keeps, also over a reload; null on a new visit. */
function useStoredPlace(): Place | null {
  const type = useNavigationType()
  const [place] = useState(() => (type === 'POP' ? ((window.history.state?.place ?? null) as Place | null) : null))
  return place
}

/** A link to the gallery leads to the newest photos, also from far down. */
function useNewestAfterNavigation({ window: shown, show }: PhotoList): void {
  const { key, state } = useLocation()
  const type = useNavigationType()
  const visit = useRef<string>(null)
  useEffect(() => {
    if (!shown || visit.current === key) return
    visit.current = key
    // Without the rest of the history entry: the viewer, which covers the gallery, stays where it is.
    if (type !== 'POP' && !(state && 'stay' in state) && (shown.place || shown.newer !== null))
      void show(null, () => '').catch(() => {})
  }, [key, type, state, shown, show])
}

interface GalleryProps extends SearchProps {
  event: ShownEvent
  window: PhotoWindow
  list: PhotoList
  order: EventOrder
  orderFocus: HeadingFocus
  onOrder: (order: EventOrder) => void
}

function Gallery({ event, window: shown, list, name, onName, order, orderFocus, onOrder }: GalleryProps) {
  const text = useText({ gallery })
  const format = useFormat()
  const { photos, newer, older } = shown
  const [selected, setSelection] = useState<Selection>(null)
  // Without photos that were deleted meanwhile.
  const selection = useMemo(() => {
    const loaded = { photos, hasNewer: newer !== null, hasOlder: older !== null }
    return selected && refreshed(selected, name === '' && order === 'added' ? loaded : unknownPhotos)
  }, [selected, photos, newer, older, name, order])
  const selectedIds = useMemo(() => selection && new Set(selection.photos.keys()), [selection])
  const selectionState = useMemo(() => ({ selection, setSelection }), [selection, setSelection])
  const eventTexts = useText({ eventMenu })
  const heading = useRef<HTMLElement>(null)
  const isHeadingOut = useIsScrolledOut(heading)
  const hasMore = newer !== null || older !== null
  const { user } = useCurrentUser()
  // While there are more to load, the account's number counts.
  const inEvent = useEvent(event)
  const counted = event === null ? user?.photo_count : inEvent?.photo_count
  const total = hasMore && name === '' ? Math.max(photos.length, counted ?? 0) : photos.length
  const viewer = useViewer()
  const actions = useTileActions(photos, setSelection, timesOf[order])
  const { load, failedEnd, setPlace } = list
  const loadMore = useCallback(() => load('older'), [load])
  const loadNewer = useCallback(() => load('newer'), [load])
  // Undefined while the newest photo is not among those shown.
  useLatestToasts(newer === null && name === '' && order === 'added' ? (photos[0] ?? null) : undefined, {
    received: text.received,
  })
  const dates = useDates({ list, event, order, onJump: () => onName('') })
  const uploadLink = (
    <Link className={buttonClass({ tone: 'primary' })} to={paths.upload}>
      <Upload className="icon" />
      {text.upload}
    </Link>
  )
  const isEmpty = photos.length === 0 && name === ''
  const written = format.count(total)
  const found = list.isPrevious ? text.search.busy : text.search.found(photos.length, hasMore ? `${written}+` : written)
  // After a failure, on request: a grid that is rendered again asks again.
  const more = older !== null && !list.isPrevious && failedEnd === null ? loadMore : null
  const newerPhotos = newer !== null && !list.isPrevious && failedEnd === null ? loadNewer : null
  const dateButton = (className?: string) => <DateButton className={className} onOpen={() => dates.setOpen(true)} />
  return (
    <>
      <header ref={heading} className="page-head">
        <div>
          <BrandLogo />
          <PageHeading>{text.title}</PageHeading>
          {inEvent && (
            <p className="gallery-event" translate="no">
              {inEvent.name}
            </p>
          )}
          {!isEmpty && <output className="tabular-numbers">{name ? found : text.count(total, written)}</output>}
        </div>
        {!isEmpty && (
          <div className="row">
            <Button aria-pressed={selection !== null} onClick={() => setSelection(selection ? null : emptySelection)}>
              <Check className="icon" />
              {selection ? text.select.stop : text.select.start}
            </Button>
            {uploadLink}
          </div>
        )}
      </header>
      {!isEmpty && (
        <div className="gallery-tools">
          <NameSearch name={name} onName={onName} />
          {dateButton()}
        </div>
      )}
      {inEvent && !isEmpty && (
        <Suspense fallback={<div className="event-order" />}>
          <EventOrderBar event={inEvent.id} {...{ order, onOrder }} focus={orderFocus} onHour={dates.goTo} />
        </Suspense>
      )}
      {photos.length > 0 ? (
        <SelectionContext value={selectionState}>
          <PhotoGrid
            key={shown.start}
            photos={photos}
            eveningOf={dates.eveningOf}
            counts={name ? noCounts : dates.counts}
            selected={selectedIds}
            actions={actions}
            loadMore={more}
            loadNewer={newerPhotos}
            reveal={viewer.lastViewed}
            place={name ? null : shown.place}
            onPlace={name ? ignorePlace : (place) => storePlace(place, setPlace)}
            tools={dateButton('gallery-now__date')}
            renderAside={(evening) => <MonthRail dates={dates} evening={evening} />}
          />
        </SelectionContext>
      ) : (
        <div className="card">
          {isEmpty ? (
            <EmptyState sentence={inEvent ? eventTexts.galleryEmpty(inEvent.name) : text.empty}>
              {uploadLink}
            </EmptyState>
          ) : (
            <EmptyState sentence={text.search.none(name)}>
              <Button onClick={() => onName('')}>{text.search.clear}</Button>
            </EmptyState>
          )}
        </div>
      )}
      {!selection && photos.length > 0 && isHeadingOut && (
        <div className="selection-start">
          <Button onClick={() => setSelection(emptySelection)}>
            <Check className="icon" />
            {text.select.start}
          </Button>
        </div>
      )}
      {selection && (
        <Suspense>
          <SelectionBar
            photos={Array.from(selection.photos.values())}
            onGone={(ids) => setSelection((now) => now && withoutPhotos(now, ids))}
            onDone={() => setSelection(null)}
          />
        </Suspense>
      )}
      {dates.isOpen && (
        <Suspense>
          <DateDialog dates={dates} onClose={() => dates.setOpen(false)} />
        </Suspense>
      )}
      {viewer.id !== null && (
        <Suspense>
          <Viewer
            id={viewer.id}
            photos={photos}
            skipped={name ? 0 : shown.skipped}
            total={total}
            loadMore={more}
            loadNewer={newerPhotos}
            retryMore={failedEnd === 'older' ? loadMore : null}
            onMove={viewer.move}
            onClose={viewer.close}
          />
        </Suspense>
      )}
    </>
  )
}

/** A search shows only some of the photos: those that are selected may exist. */
const unknownPhotos: Loaded = { photos: [], hasNewer: true, hasOlder: true }

const noCounts: ReadonlyMap<string, number> = new Map()

const ignorePlace = (): void => {}

function storePlace(place: Place | null, setPlace: PhotoList['setPlace']): void {
  // While the next page loads, this one is still there, and scrolled to the top.
  if (window.location.pathname !== paths.gallery) return
  setPlace(place)
  // The router reads only its own fields.
  window.history.replaceState({ ...window.history.state, place }, '')
}

/** From this width on, months stand beside the photos. */
const railWidth = '(min-width: 80rem)'

/** The evenings of the account's photos, and how to get to one. They are read when something shows them. */
function useDates({
  list: { show },
  event,
  order,
  onJump,
}: {
  list: PhotoList
  event: ShownEvent
  order: EventOrder
  onJump: () => void
}) {
  const text = useText({ gallery })
  const toast = useToast()
  const timeZone = useCurrentUser().user?.time_zone ?? null
  const eveningOf = useMemo(() => createEveningOf(timeZone), [timeZone])
  const isWide = useMediaQuery(railWidth)
  const [isOpen, setOpen] = useState(false)
  const query = useQuery({ ...photoDaysQuery(useApi(), event, order), enabled: isWide || isOpen })
  const counts = useMemo(() => new Map(query.data?.map(({ day, count }) => [day, count])), [query.data])
  const goTo = async (evening: string | { until: string } | null): Promise<void> => {
    setOpen(false)
    onJump()
    try {
      if (!(await show(evening, eveningOf))) toast({ text: text.dates.none, tone: 'bad' })
    } catch (error) {
      // Another evening was chosen meanwhile.
      if (!isCancelledError(error)) toast({ text: text.errors.load, tone: 'bad' })
    }
  }
  return {
    days: query.data,
    failed: query.isError,
    isFetching: query.isFetching,
    retry: () => void query.refetch(),
    counts,
    eveningOf,
    isWide,
    isOpen,
    setOpen,
    goTo: (evening: string | { until: string } | null) => void goTo(evening),
  }
}

/** Whether an element is above the visible part of the page. */
const useIsScrolledOut = (element: RefObject<HTMLElement | null>): boolean =>
  useSyncExternalStore(subscribeToViewport, () => (element.current?.getBoundingClientRect().bottom ?? 1) < 0)

function useTileActions(
  photos: readonly Photo[],
  setSelection: Dispatch<SetStateAction<Selection>>,
  timeOf: TimeOf,
): TileActions {
  const text = useText({ gallery })
  const toast = useToast()
  const { mutate } = useRetryProcessing()
  const loaded = useRef(photos)
  useEffect(() => {
    loaded.current = photos
  }, [photos])
  return useMemo(
    () => ({
      urlOf: galleryPhoto,
      timeOf,
      toggle: (id) => setSelection((now) => toggleSelected(now ?? emptySelection, id, loaded.current)),
      selectTo: (id, from) =>
        setSelection((now) => {
          const start = now ?? emptySelection
          const hasAnchor = start.anchorId !== null || from === undefined
          return selectRange(hasAnchor ? start : toggleSelected(start, from, loaded.current), id, loaded.current)
        }),
      retry: (id) =>
        mutate(id, { onError: (error) => toast({ text: errorMessage(error, text.errors.retry), tone: 'bad' }) }),
    }),
    [setSelection, mutate, toast, text, timeOf],
  )
}

/** The viewer shows the photo that the URL names. */
function useViewer() {
  const id = photoIdIn(useSearchParams()[0])
  const { key, state } = useLocation()
  const navigate = useNavigate()
  const closedEntry = useRef<string>(null)
  useEffect(() => {
    if (id === null) closedEntry.current = null
  }, [id])
  const [lastViewed, setLastViewed] = useState<{ id: string } | null>(null)
  return {
    id,
    /** Null while the viewer is open. */
    lastViewed: id === null ? lastViewed : null,
    move: (next: string) => void navigate(galleryPhoto(next), { replace: true, state: state ?? keepScroll }),
    close(viewed: string) {
      // Going back is asynchronous: a second close, such as by pressing Escape twice, would leave the gallery.
      if (closedEntry.current === key) return
      closedEntry.current = key
      setLastViewed({ id: viewed })
      // Only a viewer that was opened from the gallery has the gallery before it in the history.
      if (state?.fromGallery) void navigate(-1)
      else void navigate(paths.gallery, { replace: true, state: keepScroll })
    },
  }
}
