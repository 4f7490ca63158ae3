import type { Photo } from '@keepsnap/contract/photos.ts'
import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type RefObject,
} from 'react'
import { useFormat } from '../../../lib/i18n.tsx'
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
  /** Ids of the selected photos; null while the user is not selecting. */
  selected: ReadonlySet<string> | null
  actions: TileActions
  /** Null when there are no more. */
  loadMore: (() => void) | null
  /** The photo to scroll to and focus, once for each object. */
  reveal: { id: string } | null
}

/** More photos are loaded this many rows before the end. */
const loadMoreRows = 12

/** Photos in justified rows, grouped by day. Virtualized: only rows in and near the viewport are rendered. */
export function PhotoGrid({ photos, selected, actions, loadMore, reveal }: Props) {
  const grid = useRef<HTMLDivElement>(null)
  const [openedAt] = useState(() => photos[0]?.created_at ?? '')
  const { measures, top } = useMeasures(grid)
  const rows = useMemo(() => (measures ? layoutRows(photos, measures, openedAt) : []), [photos, measures, openedAt])
  const [first, end] = useRenderedRows(rows, top)
  const last = rows.at(-1)
  useGridScrollAnchor(rows, top)

  useEffect(() => {
    if (loadMore && rows.length > 0 && end >= rows.length - loadMoreRows) loadMore()
  }, [loadMore, end, rows.length])

  const scrollToPhoto = useEffectEvent((id: string) => {
    const row = rowWithPhoto(rows, id)
    if (row) revealPhoto(id, top + row.top)
  })
  useEffect(() => {
    if (reveal) scrollToPhoto(reveal.id)
  }, [reveal])

  return (
    <div ref={grid} className="photo-grid" style={{ height: last ? last.top + last.height : undefined }}>
      {rows.slice(first, end).map((row) => (
        <GridRow key={row.key} row={row} selected={selected} actions={actions} />
      ))}
    </div>
  )
}

/** The day of a time by the clock of the browser. */
const dayOf = (time: string): string => new Date(time).toLocaleDateString('sv-SE')

function GridRow({ row, selected, actions }: { row: Row } & Pick<Props, 'selected' | 'actions'>) {
  const format = useFormat()
  const style = { transform: `translateY(${row.top}px)`, height: row.height }
  if (row.kind === 'day') {
    return (
      <div className="photo-grid__day" style={style}>
        <h2>
          <span translate="no">{format.day(row.day)}</span>{' '}
          <span className="muted tabular-numbers">{format.count(row.count)}</span>
        </h2>
        <EveningSelect evening={row.day.slice(0, 10)} day={format.day(row.day)} />
        <DownloadEvening day={row.day.slice(0, 10)} date={format.day(row.day)} />
      </div>
    )
  }
  return (
    <div className="photo-grid__row" style={style}>
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

const subscribeToViewport = (onViewportChange: () => void): (() => void) => {
  window.addEventListener('scroll', onViewportChange, { passive: true })
  window.addEventListener('resize', onViewportChange)
  return () => {
    window.removeEventListener('scroll', onViewportChange)
    window.removeEventListener('resize', onViewportChange)
  }
}

/** The rows to render: those in the viewport and up to one viewport height above and below it. */
function useRenderedRows(rows: readonly Row[], top: number): [first: number, end: number] {
  // A string, because the snapshots of an external store are compared by value.
  const range = useSyncExternalStore(subscribeToViewport, () => {
    const { scrollY, innerHeight } = window
    return rowsInRange(rows, scrollY - top - innerHeight, scrollY - top + 2 * innerHeight).join(' ')
  })
  const [first = 0, end = 0] = range.split(' ').map(Number)
  return [first, end]
}

/** Keeps the visible photos in place when rows above them appear or disappear. */
function useGridScrollAnchor(rows: readonly Row[], top: number): void {
  const previousRows = useRef<readonly Row[]>([])
  useLayoutEffect(() => {
    const viewportTop = window.scrollY - top
    const scrollDistance = viewportTop > 0 ? scrollShift(previousRows.current, rows, viewportTop) : 0
    previousRows.current = rows
    if (scrollDistance !== 0) window.scrollBy({ top: scrollDistance, behavior: 'instant' })
  }, [rows, top])
}

const maxRevealFrames = 20
/** Space for the navigation above the photo, in CSS pixels. */
const navigationHeightPx = 96

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
