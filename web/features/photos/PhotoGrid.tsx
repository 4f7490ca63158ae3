import { Check, EyeOff, RotateCw, ShieldAlert, TriangleAlert } from 'lucide-react'
import {
  type CSSProperties,
  type FocusEvent,
  type KeyboardEvent,
  memo,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { Link } from 'react-router'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { useMediaUrl } from '../../lib/app-services.tsx'
import { keepScroll, subscribeToViewport } from '../../lib/viewport.ts'
import { gallery } from '../../messages/en/photos.ts'
import { isHiddenByOperator, photoStateOf, placeholderOf, type TimeOf } from './photo-state.ts'
import {
  type LayoutMeasures,
  layoutRows,
  noonOf,
  type Row,
  rowsInRange,
  rowWithPhoto,
  scrollShift,
} from './justified-layout.ts'
import type { Place } from './photo-cache.ts'
import { DownloadEvening } from './DownloadPhotos.tsx'
import { EveningSelect } from './selection.tsx'

interface Props {
  /** Newest first. */
  photos: readonly Photo[]
  eveningOf: (iso: string) => string
  /** Number of photos of each evening, as far as it is known. */
  counts: ReadonlyMap<string, number>
  /** Ids of the selected photos; null while the user is not selecting. */
  selected: ReadonlySet<string> | null
  actions: TileActions
  /** Null when there are no more. */
  loadMore: (() => void) | null
  /** Loads photos that are newer than the first; null when there are none. */
  loadNewer: (() => void) | null
  /** The photo to scroll to and focus, once for each object. */
  reveal: { id: string } | null
  /** Where to begin; null at the top. */
  place: Place | null
  /** Called when the user has scrolled. */
  onPlace: (place: Place | null) => void
  /** Stays in view with the date while the user scrolls. */
  tools: ReactNode
  /** Beside the photos. `evening`: of the photos in view. */
  renderAside: (evening: string) => ReactNode
}

/** Photos in justified rows, grouped by evening. Virtualized: only rows in and near the viewport are rendered. */
export function PhotoGrid({ photos, selected, actions, loadMore, loadNewer, reveal, ...rest }: Props) {
  const { eveningOf, counts, place, onPlace, tools, renderAside } = rest
  const { timeOf } = actions
  const format = useFormat()
  const grid = useRef<HTMLDivElement>(null)
  const [openedAt] = useState(() => (photos[0] ? timeOf(photos[0]) : ''))
  const { measures, top } = useMeasures(grid)
  const rows = useMemo(
    () => (measures ? layoutRows(photos, measures, openedAt, eveningOf, timeOf) : []),
    [photos, measures, openedAt, eveningOf, timeOf],
  )
  const [first, end, topmost] = useRenderedRows(rows, top)
  const last = rows.at(-1)
  const current = rows[Math.min(topmost, rows.length - 1)]
  const isAtStart = useRestoredPlace({ rows, top, place, timeOf })
  useGridScrollAnchor(rows, top, loadNewer !== null)
  useRecordedPlace({ photos, rows, top, hasNewer: loadNewer !== null, onPlace, timeOf })
  useOwnScrollAnchor()
  const keepFocus = useKeptFocus(grid)

  useEffect(() => {
    if (loadMore && rows.length > 0 && end >= rows.length - loadMoreRows) loadMore()
  }, [loadMore, end, rows.length])
  useEffect(() => {
    // Not before the place is found: photos above it would move it.
    if (loadNewer && rows.length > 0 && isAtStart() && first < loadMoreRows) loadNewer()
  }, [loadNewer, first, rows.length, isAtStart])

  const scrollToPhoto = useEffectEvent((id: string) => {
    const row = rowWithPhoto(rows, id)
    if (row) revealPhoto(id, top + row.top)
  })
  useEffect(() => {
    if (reveal) scrollToPhoto(reveal.id)
  }, [reveal])

  /** Of an evening that is not wholly loaded, the server's number counts. */
  const countOf = (row: Row & { kind: 'day' }): number => {
    const isWhole = (row !== rows[0] || !loadNewer) && (row.day !== last?.day || !loadMore)
    return isWhole ? row.count : Math.max(row.count, counts.get(row.day) ?? 0)
  }
  return (
    <div className="gallery-body">
      <div className="gallery-body__photos">
        {/* The headings say it to screen readers. */}
        <div className="gallery-now" data-shown={current?.kind === 'photos' || undefined}>
          <div className="gallery-now__bar">
            <span className="ellipsis" translate="no" aria-hidden="true">
              {current && format.day(noonOf(current.day).toISOString())}
            </span>
            {current?.kind === 'photos' && tools}
          </div>
        </div>
        <div
          ref={grid}
          className="photo-grid"
          style={{ height: last ? last.top + last.height : undefined }}
          {...keepFocus}
        >
          {rows
            .slice(first, end)
            .map((row) =>
              row.kind === 'day' ? (
                <DayHeading key={row.key} row={row} count={countOf(row)} />
              ) : (
                <GridRow key={row.key} row={row} selected={selected} actions={actions} />
              ),
            )}
        </div>
      </div>
      {current && renderAside(current.day)}
    </div>
  )
}

/** The functions must be stable, so that a tile is rendered again only when its photo changes. */
export interface TileActions {
  urlOf: (id: string) => string
  /** By which the photos are ordered. */
  timeOf: TimeOf
  /** Selects or deselects a photo; the first call starts the selection. */
  toggle: (id: string) => void
  /** Selects all photos from the last one that was toggled; without one, from the photo `from`. */
  selectTo: (id: string, from?: string) => void
  retry: (id: string) => void
}

interface PhotoTileProps {
  photo: Photo
  width: number
  height: number
  /** Null while the user is not selecting. */
  selected: boolean | null
  actions: TileActions
}

/** One photo of the gallery: a link to the viewer, or a button while the user is selecting. */
const PhotoTile = memo(function PhotoTile({ photo, width, height, selected, actions }: PhotoTileProps) {
  const text = useText({ gallery })
  const state = photoStateOf(photo)
  const placeholder = state === 'failed' ? null : placeholderOf(photo.thumbhash)
  const style: CSSProperties = { width, height, ...(placeholder && { backgroundImage: `url(${placeholder})` }) }
  const tileClasses = [
    'photo-tile',
    'on-photo',
    state === 'processing' && 'photo-tile--processing',
    state === 'failed' && 'photo-tile--failed',
    photo.can_retry && selected === null && 'photo-tile--with-retry',
    photo.hidden && 'photo-tile--hidden',
    selected && 'photo-tile--selected',
  ]
  const className = tileClasses.filter(Boolean).join(' ')
  return (
    <div className="photo-tile-cell" style={{ width, height }}>
      <LinkOrButton photo={photo} selected={selected} actions={actions} className={className} style={style}>
        <TileContent photo={photo} timeOf={actions.timeOf} />
        {selected !== null && <span className="photo-tile__check">{selected && <Check className="icon" />}</span>}
      </LinkOrButton>
      {photo.can_retry && selected === null && (
        <button
          type="button"
          className="btn btn--quiet photo-tile__retry"
          aria-label={text.retryProcessing(photo.filename)}
          onClick={() => actions.retry(photo.id)}
        >
          <RotateCw className="icon" />
          {text.retry}
        </button>
      )}
    </div>
  )
})

// The viewer covers the gallery, and closing it goes back in the history. Browsers store this key: do not rename it.
const openedFromGallery = { ...keepScroll, fromGallery: true }

type LinkOrButtonProps = Pick<PhotoTileProps, 'photo' | 'selected' | 'actions'> & {
  className: string
  style: CSSProperties
  children: ReactNode
}

function LinkOrButton({ photo, selected, actions, children, ...look }: LinkOrButtonProps) {
  const text = useText({ gallery })
  const label = useTileLabel(photo, actions.timeOf)
  const longPress = useLongPress(() => actions.toggle(photo.id), selected === null)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const next = event.shiftKey || selected !== null ? tileInDirection(event.currentTarget, event.key) : null
    if (!next) return
    event.preventDefault()
    if (event.shiftKey) actions.selectTo(next, photo.id)
    focusTile(next)
  }
  const common = { ...look, onKeyDown, 'data-photo': photo.id }
  if (selected !== null) {
    return (
      <button
        {...common}
        type="button"
        aria-pressed={selected}
        aria-label={text.select.toggle(label)}
        onClick={({ shiftKey }) => (shiftKey ? actions.selectTo(photo.id) : actions.toggle(photo.id))}
      >
        {children}
      </button>
    )
  }
  return (
    <Link
      {...common}
      {...longPress}
      to={actions.urlOf(photo.id)}
      state={openedFromGallery}
      aria-label={label}
      draggable={false}
      onClick={(event) => {
        longPress.onClick?.(event)
        // As in file managers. Otherwise the browser would open a tab or a window.
        if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return
        event.preventDefault()
        actions.toggle(photo.id)
        focusTile(photo.id)
      }}
    >
      {children}
    </Link>
  )
}

/** The id of the tile that an arrow key leads to; null for other keys and where there is none. */
function tileInDirection(tile: HTMLElement, key: string): string | null {
  if (!['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].includes(key)) return null
  const tiles = Array.from(document.querySelectorAll<HTMLElement>('[data-photo]'))
  if (key === 'ArrowLeft' || key === 'ArrowRight')
    return tiles[tiles.indexOf(tile) + (key === 'ArrowLeft' ? -1 : 1)]?.dataset['photo'] ?? null
  const isUp = key === 'ArrowUp'
  const from = tile.getBoundingClientRect()
  const centre = from.left + from.width / 2
  let nearest: { id: string; distance: number } | null = null
  for (const other of tiles) {
    const { top, bottom, left, width } = other.getBoundingClientRect()
    const rowDistance = isUp ? from.top - bottom : top - from.bottom
    // The nearest row counts first.
    const distance = rowDistance * 10_000 + Math.abs(left + width / 2 - centre)
    if (rowDistance >= -1 && (!nearest || distance < nearest.distance))
      nearest = { id: other.dataset['photo']!, distance }
  }
  return nearest?.id ?? null
}

/** Focuses a tile that may be rendered anew: a link becomes a button when the selection begins. */
function focusTile(id: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-photo="${CSS.escape(id)}"]`)?.focus())
}

function useTileLabel(photo: Photo, timeOf: TimeOf): string {
  const text = useText({ gallery })
  const format = useFormat()
  const labels = {
    ready: () => text.tile(photo.filename, format.dateTime(timeOf(photo))),
    processing: () => text.processing(photo.filename),
    failed: () => text.failedTile(photo.filename),
  }
  const label = labels[photoStateOf(photo)]()
  if (!photo.hidden) return label
  return isHiddenByOperator(photo) ? text.hiddenByOperatorTile(label) : text.hiddenTile(label)
}

function TileContent({ photo, timeOf }: { photo: Photo; timeOf: TimeOf }) {
  const text = useText({ gallery })
  const format = useFormat()
  const media = useMediaUrl()
  const state = photoStateOf(photo)
  if (state === 'failed') {
    return (
      <span className="photo-tile__failed">
        <TriangleAlert className="icon" />
        <b>{text.failed}</b>{' '}
        <span className="photo-tile__failed-name file-name" translate="no">
          {photo.filename}
        </span>
      </span>
    )
  }
  const thumbnailUrl = photo.thumbnail_url && media(photo.thumbnail_url)
  return (
    <>
      {thumbnailUrl && <img src={thumbnailUrl} alt="" loading="lazy" decoding="async" draggable={false} />}
      {state === 'processing' && <span className="spin" aria-hidden="true" />}
      {photo.hidden && <HiddenMark byOperator={isHiddenByOperator(photo)} />}
      <span className="photo-tile__caption" translate="no">
        <span className="ellipsis file-name">{photo.filename}</span>
        <span className="tabular-numbers">{format.time(timeOf(photo))}</span>
      </span>
    </>
  )
}

function HiddenMark({ byOperator }: { byOperator: boolean }) {
  const text = useText({ gallery })
  const mark = byOperator ? text.hiddenByOperator : text.hidden
  const Icon = byOperator ? ShieldAlert : EyeOff
  return (
    <span className="badge badge--bad photo-tile__hidden" title={mark}>
      <Icon className="icon" />
      <span>{mark}</span>
    </span>
  )
}

const longPressMs = 500

/** Calls `action` after a long touch, as apps for photos do; the touch then does not follow the link. */
function useLongPress(action: () => void, enabled: boolean) {
  const longPressTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wasLongPress = useRef(false)
  if (!enabled) return {}
  const cancelLongPress = (): void => clearTimeout(longPressTimer.current)
  const preventAfterLongPress = (event: MouseEvent): void => {
    if (wasLongPress.current) event.preventDefault()
  }
  return {
    onPointerDown({ pointerType }: { pointerType: string }) {
      wasLongPress.current = false
      if (pointerType !== 'touch') return
      longPressTimer.current = setTimeout(() => {
        wasLongPress.current = true
        action()
      }, longPressMs)
    },
    onPointerUp: cancelLongPress,
    onPointerCancel: cancelLongPress,
    onPointerLeave: cancelLongPress,
    onContextMenu: preventAfterLongPress,
    onClick: preventAfterLongPress,
  }
}

/** Height of the navigation and the bar with the date, in CSS pixels. */
const navigationHeightPx = 108

/** More photos are loaded this many rows before the end. */
const loadMoreRows = 12

const styleOf = ({ top, height }: Row) => ({ transform: `translateY(${top}px)`, height })

function DayHeading({ row, count }: { row: Row & { kind: 'day' }; count: number }) {
  const format = useFormat()
  const date = format.day(noonOf(row.day).toISOString())
  return (
    <div className="photo-grid__day" style={styleOf(row)}>
      <h2>
        <span translate="no">{date}</span> <span className="muted tabular-numbers">{format.count(count)}</span>
      </h2>
      <EveningSelect evening={row.day} day={date} />
      <DownloadEvening day={row.day} date={date} />
    </div>
  )
}

function GridRow({ row, selected, actions }: { row: Row & { kind: 'photos' } } & Pick<Props, 'selected' | 'actions'>) {
  return (
    <div className="photo-grid__row" style={styleOf(row)}>
      {row.photos.map(({ photo, width }) => (
        <PhotoTile
          key={photo.id}
          photo={photo}
          width={width}
          height={row.height}
          selected={selected && selected.has(photo.id)}
          actions={actions}
        />
      ))}
    </div>
  )
}

/**
 * Reads the measures from the styles, which depend on the window and on the user's font size. `top`: from the top of the document, in
 * CSS pixels.
 */
function useMeasures(grid: RefObject<HTMLDivElement | null>): { measures: LayoutMeasures | null; top: number } {
  const [measured, setMeasured] = useState<ReturnType<typeof useMeasures>>({ measures: null, top: 0 })
  useLayoutEffect(() => {
    const element = grid.current
    if (!element) return
    const measure = (): void => {
      const { width, top } = element.getBoundingClientRect()
      const style = getComputedStyle(element)
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16
      const gap = Number.parseFloat(style.columnGap) || 4
      // The row height is passed in `scroll-margin`: a length that browsers compute and that has no effect here.
      const targetHeight = Number.parseFloat(style.scrollMarginTop) || 9 * rem
      const measures = { width, targetHeight, gap, headingHeight: 4.25 * rem, firstHeadingHeight: 2.25 * rem }
      const gridTop = top + window.scrollY
      setMeasured((before) =>
        JSON.stringify(before.measures) === JSON.stringify(measures) && Math.abs(before.top - gridTop) < 1
          ? before
          : { measures, top: gridTop },
      )
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    observer.observe(document.documentElement)
    return () => observer.disconnect()
  }, [grid])
  return measured
}

/** The rows to render, those in the viewport and up to one viewport height above and below it; and the topmost one in view. */
function useRenderedRows(rows: readonly Row[], top: number): [first: number, end: number, topmost: number] {
  // A string, because the snapshots of an external store are compared by value.
  const range = useSyncExternalStore(subscribeToViewport, () => {
    const { scrollY, innerHeight } = window
    const [topmost] = rowsInRange(rows, scrollY - top + navigationHeightPx, Infinity)
    return `${rowsInRange(rows, scrollY - top - innerHeight, scrollY - top + 2 * innerHeight).join(' ')} ${topmost}`
  })
  const [first = 0, end = 0, topmost = 0] = range.split(' ').map(Number)
  return [first, end, topmost]
}

/** The browser's own anchoring would keep a page that grows at its end. The viewport takes the value of the body. */
function useOwnScrollAnchor(): void {
  useLayoutEffect(() => {
    document.body.style.setProperty('overflow-anchor', 'none')
    return () => void document.body.style.removeProperty('overflow-anchor')
  }, [])
}

/** Keeps the visible photos in place when rows above them appear or disappear; also at the top, when newer photos are loaded there. */
function useGridScrollAnchor(rows: readonly Row[], top: number, hasNewer: boolean): void {
  const previous = useRef<{ rows: readonly Row[]; hasNewer: boolean }>({ rows: [], hasNewer })
  useLayoutEffect(() => {
    const viewportTop = window.scrollY - top
    const before = previous.current
    const isKept = viewportTop > 0 || before.hasNewer
    const scrollDistance = isKept ? scrollShift(before.rows, rows, Math.max(0, viewportTop)) : 0
    previous.current = { rows, hasNewer }
    if (scrollDistance !== 0) window.scrollBy({ top: scrollDistance, behavior: 'instant' })
  }, [rows, top, hasNewer])
}

/** Scrolls to the place once, as soon as the rows are known. Returns whether that has happened. */
function useRestoredPlace({
  rows,
  top,
  place,
  timeOf,
}: {
  rows: readonly Row[]
  top: number
  place: Place | null
  timeOf: TimeOf
}): () => boolean {
  const isDone = useRef(false)
  const restore = useEffectEvent(() => {
    const y = place && scrollPositionOf(rows, place, timeOf)
    window.scrollTo({ top: y === null ? 0 : top + y, behavior: 'instant' })
    if (place && place.offset === null) revealPhoto(place.id, top + (y ?? 0))
  })
  useLayoutEffect(() => {
    if (isDone.current || rows.length === 0) return
    isDone.current = true
    restore()
  }, [rows])
  return useCallback(() => isDone.current, [])
}

/** How far to scroll within the rows; of a photo that was deleted, to the one after it. */
function scrollPositionOf(rows: readonly Row[], { id, created_at, offset }: Place, timeOf: TimeOf): number | null {
  const known = rows.findIndex((row) => row.kind === 'photos' && row.photos.some(({ photo }) => photo.id === id))
  const index =
    known >= 0
      ? known
      : rows.findIndex((row) => row.kind === 'photos' && row.photos.some(({ photo }) => timeOf(photo) <= created_at))
  const row = rows[index]
  if (!row) return null
  if (offset !== null) return row.top - offset
  const heading = rows[index - 1]?.kind === 'day' ? rows[index - 1]! : row
  // Where the bar with the date would be.
  return heading.top + (heading.kind === 'day' ? heading.height - 1 : 0) - navigationHeightPx
}

const placeDelayMs = 150

/** This many photos above the place are loaded with it, so that nothing is missing around it. */
const photosAbovePlace = 100

interface RecordedPlace extends Pick<Props, 'photos' | 'onPlace'> {
  rows: readonly Row[]
  top: number
  hasNewer: boolean
  timeOf: TimeOf
}

/** Says where the user is after scrolling, when other rows are there, and when the page is left. */
function useRecordedPlace({ photos, rows, top, hasNewer, onPlace, timeOf }: RecordedPlace): void {
  const record = useEffectEvent(() => {
    const y = window.scrollY - top
    const from = rowsInRange(rows, y + navigationHeightPx, Infinity)[0]
    const inView = rows.slice(from, from + 4).filter(({ kind }) => kind === 'photos')
    // What is cut off by the navigation is not what the user looks at.
    const row = inView.find(({ top: rowTop }) => rowTop >= y + navigationHeightPx) ?? inView[0]
    if (row?.kind !== 'photos') return
    if (y <= 0 && !hasNewer) return onPlace(null)
    const { photo } = row.photos[0]! // rows hold at least one photo
    const index = photos.findIndex(({ id }) => id === photo.id) - photosAbovePlace
    const before = index > 0 ? photos[index]!.id : hasNewer ? photos[0]!.id : null
    onPlace({ id: photo.id, created_at: timeOf(photo), offset: row.top - y, before })
  })
  useEffect(() => {
    if (rows.length === 0) return undefined
    const timer = setTimeout(record, placeDelayMs)
    return () => clearTimeout(timer)
  }, [rows])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const recordSoon = (): void => {
      clearTimeout(timer)
      timer = setTimeout(record, placeDelayMs)
    }
    window.addEventListener('scroll', recordSoon, { passive: true })
    window.addEventListener('pagehide', record)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('scroll', recordSoon)
      window.removeEventListener('pagehide', record)
    }
  }, [])
}

/** When the focused tile is no longer rendered, such as after End, the first tile in view gets the focus. */
function useKeptFocus(grid: RefObject<HTMLDivElement | null>) {
  const focused = useRef<{ element: Element; id: string | undefined }>(null)
  useLayoutEffect(() => {
    const before = focused.current
    if (!before || before.element.isConnected) return
    focused.current = null
    if (document.activeElement && document.activeElement !== document.body) return
    const tiles = Array.from(grid.current?.querySelectorAll<HTMLElement>('[data-photo]') ?? [])
    const next =
      tiles.find((tile) => tile.dataset['photo'] === before.id) ??
      tiles.find((tile) => tile.getBoundingClientRect().top >= navigationHeightPx)
    next?.focus({ preventScroll: true })
  })
  return {
    onFocus: ({ target }: FocusEvent<HTMLElement>) => {
      focused.current = { element: target, id: target.closest<HTMLElement>('[data-photo]')?.dataset['photo'] }
    },
    // React does not call this when the element disappears.
    onBlur: () => {
      focused.current = null
    },
  }
}

const maxRevealFrames = 20

/** Scrolls to a photo that is not visible, waits until its tile is rendered, and focuses it. */
function revealPhoto(id: string, top: number): void {
  let revealFramesLeft = maxRevealFrames
  const tryReveal = (): void => {
    const tile = document.querySelector<HTMLElement>(`[data-photo="${CSS.escape(id)}"]`)
    const rect = tile?.getBoundingClientRect()
    if (tile && rect && rect.bottom > navigationHeightPx && rect.top < window.innerHeight) {
      tile.focus({ preventScroll: true })
      return
    }
    if (revealFramesLeft === maxRevealFrames)
      window.scrollTo({ top: Math.max(0, top - navigationHeightPx), behavior: 'instant' })
    revealFramesLeft -= 1
    if (revealFramesLeft > 0) requestAnimationFrame(tryReveal)
  }
  tryReveal()
}
