import type { Photo } from '@keepsnap/contract/photos.ts'
import {
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type FocusEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { noonOf } from '../../../lib/evenings.ts'
import { useFormat } from '../../../lib/i18n.tsx'
import { subscribeToViewport } from '../../../lib/viewport.ts'
import type { Place } from '../queries.ts'
import {
  layoutRows,
  rowsInRange,
  rowWithPhoto,
  scrollShift,
  type LayoutMeasures,
  type Row,
} from './justified-layout.ts'
import { DownloadEvening } from './DownloadPhotos.tsx'
import { EveningSelect } from './EveningSelect.tsx'
import { PhotoTile, type TileActions } from './PhotoTile.tsx'

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

/** Height of the navigation and the bar with the date, in CSS pixels. */
const navigationHeightPx = 108

/** More photos are loaded this many rows before the end. */
const loadMoreRows = 12

/** Photos in justified rows, grouped by evening. Virtualized: only rows in and near the viewport are rendered. */
export function PhotoGrid({ photos, selected, actions, loadMore, loadNewer, reveal, ...rest }: Props) {
  const { eveningOf, counts, place, onPlace, tools, renderAside } = rest
  const format = useFormat()
  const grid = useRef<HTMLDivElement>(null)
  const [openedAt] = useState(() => photos[0]?.created_at ?? '')
  const { measures, top } = useMeasures(grid)
  const rows = useMemo(
    () => (measures ? layoutRows(photos, measures, openedAt, eveningOf) : []),
    [photos, measures, openedAt, eveningOf],
  )
  const [first, end, topmost] = useRenderedRows(rows, top)
  const last = rows.at(-1)
  const current = rows[Math.min(topmost, rows.length - 1)]
  const isAtStart = useRestoredPlace(rows, top, place)
  useGridScrollAnchor(rows, top, loadNewer !== null)
  useRecordedPlace({ photos, rows, top, hasNewer: loadNewer !== null, onPlace })
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

interface Measured {
  measures: LayoutMeasures | null
  /** Distance from the top of the document, in CSS pixels. */
  top: number
}

/** Reads the measures from the styles, which depend on the window and on the user's font size. */
function useMeasures(grid: RefObject<HTMLDivElement | null>): Measured {
  const [measured, setMeasured] = useState<Measured>({ measures: null, top: 0 })
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
function useRestoredPlace(rows: readonly Row[], top: number, place: Place | null): () => boolean {
  const isDone = useRef(false)
  const restore = useEffectEvent(() => {
    const y = place && scrollPositionOf(rows, place)
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
function scrollPositionOf(rows: readonly Row[], { id, created_at, offset }: Place): number | null {
  const known = rows.findIndex((row) => row.kind === 'photos' && row.photos.some(({ photo }) => photo.id === id))
  const index =
    known >= 0
      ? known
      : rows.findIndex((row) => row.kind === 'photos' && row.photos.some(({ photo }) => photo.created_at <= created_at))
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

interface RecordedPlace {
  photos: readonly Photo[]
  rows: readonly Row[]
  top: number
  hasNewer: boolean
  onPlace: Props['onPlace']
}

/** Says where the user is after scrolling, when other rows are there, and when the page is left. */
function useRecordedPlace({ photos, rows, top, hasNewer, onPlace }: RecordedPlace): void {
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
    onPlace({ id: photo.id, created_at: photo.created_at, offset: row.top - y, before })
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
