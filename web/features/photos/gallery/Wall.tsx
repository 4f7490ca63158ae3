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
import { layOut, rowOf, rowsBetween, shiftBetween, type Measures, type Row } from './rows.ts'
import { Tile, type TileDeeds } from './Tile.tsx'

interface Props {
  /** Newest first. */
  photos: readonly Photo[]
  /** Photos picked; null while nobody is picking. */
  picked: ReadonlySet<string> | null
  deeds: TileDeeds
  /** Null when there are no more. */
  loadMore: (() => void) | null
  /** The photo to bring into view and to focus, once. */
  reveal: { id: string } | null
}

/** Rows before the end from which on more are asked for. */
const nearEnd = 12

/** Photos in justified rows, by day; only the rows in and near the window are drawn. */
export function Wall({ photos, picked, deeds, loadMore, reveal }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [since] = useState(() => photos[0]?.created_at ?? '')
  const { measures, top } = useMeasures(box)
  const rows = useMemo(() => (measures ? layOut(photos, measures, since) : []), [photos, measures, since])
  const [from, to] = useRowsInView(rows, top)
  const last = rows.at(-1)
  useSteadyView(rows, top)

  useEffect(() => {
    if (loadMore && rows.length > 0 && to >= rows.length - nearEnd) loadMore()
  }, [loadMore, to, rows.length])

  const show = useEffectEvent((id: string) => {
    const row = rowOf(rows, id)
    if (row) bringToView(id, top + row.top)
  })
  useEffect(() => {
    if (reveal) show(reveal.id)
  }, [reveal])

  return (
    <div ref={box} className="wall" style={{ height: last ? last.top + last.height : undefined }}>
      {rows.slice(from, to).map((row) => (
        <WallRow key={row.key} row={row} picked={picked} deeds={deeds} />
      ))}
    </div>
  )
}

function WallRow({ row, picked, deeds }: { row: Row } & Pick<Props, 'picked' | 'deeds'>) {
  const format = useFormat()
  const place = { transform: `translateY(${row.top}px)`, height: row.height }
  if (row.kind === 'day') {
    return (
      <h2 className="g-day" style={place}>
        <span translate="no">{format.day(row.day)}</span> <span className="muted num">{format.count(row.count)}</span>
      </h2>
    )
  }
  return (
    <div className="wall__row" style={place}>
      {row.photos.map(({ photo, width }) => (
        <Tile
          key={photo.id}
          photo={photo}
          width={width}
          height={row.height}
          picked={picked && picked.has(photo.id)}
          deeds={deeds}
        />
      ))}
    </div>
  )
}

/** Reads the measures from the style sheet, whose sizes follow the window and the reader's font size. */
function useMeasures(box: RefObject<HTMLDivElement | null>): { measures: Measures | null; top: number } {
  const [found, setFound] = useState<{ measures: Measures | null; top: number }>({ measures: null, top: 0 })
  useLayoutEffect(() => {
    const wall = box.current
    if (!wall) return
    const look = (): void => {
      const { width, top } = wall.getBoundingClientRect()
      const style = getComputedStyle(wall)
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16
      const gap = Number.parseFloat(style.columnGap) || 4
      // `scroll-margin` carries the row's height: a length that the browser works out and nothing else uses here.
      const target = Number.parseFloat(style.scrollMarginTop) || 9 * rem
      const measures = { width, target, gap, headingHeight: 4.25 * rem, firstHeadingHeight: 2.25 * rem }
      const from = top + window.scrollY
      setFound((before) =>
        JSON.stringify(before.measures) === JSON.stringify(measures) && Math.abs(before.top - from) < 1
          ? before
          : { measures, top: from },
      )
    }
    look()
    const watch = new ResizeObserver(look)
    watch.observe(wall)
    watch.observe(document.documentElement)
    return () => watch.disconnect()
  }, [box])
  return found
}

const watchWindow = (look: () => void): (() => void) => {
  window.addEventListener('scroll', look, { passive: true })
  window.addEventListener('resize', look)
  return () => {
    window.removeEventListener('scroll', look)
    window.removeEventListener('resize', look)
  }
}

/** The first row to draw, and the one after the last: those in the window and one window's height around it. */
function useRowsInView(rows: readonly Row[], top: number): [from: number, to: number] {
  const span = useSyncExternalStore(watchWindow, () => {
    const { scrollY, innerHeight } = window
    return rowsBetween(rows, scrollY - top - innerHeight, scrollY - top + 2 * innerHeight).join(' ')
  })
  const [from = 0, to = 0] = span.split(' ').map(Number)
  return [from, to]
}

/** Keeps what is looked at where it is when rows come or go above it. */
function useSteadyView(rows: readonly Row[], top: number): void {
  const before = useRef<readonly Row[]>([])
  useLayoutEffect(() => {
    const seenFrom = window.scrollY - top
    const shift = seenFrom > 0 ? shiftBetween(before.current, rows, seenFrom) : 0
    before.current = rows
    if (shift !== 0) window.scrollBy({ top: shift, behavior: 'instant' })
  }, [rows, top])
}

const framesToWait = 20
/** Space for the bar above the photo that is brought to view. */
const headroom = 96

/** Scrolls a photo into view when it is not, waits until it is drawn, and focuses it. */
function bringToView(id: string, top: number): void {
  let frames = framesToWait
  const attempt = (): void => {
    const tile = document.querySelector<HTMLElement>(`[data-photo="${CSS.escape(id)}"]`)
    const place = tile?.getBoundingClientRect()
    if (tile && place && place.bottom > headroom && place.top < window.innerHeight) {
      tile.focus({ preventScroll: true })
      return
    }
    if (frames === framesToWait) window.scrollTo({ top: Math.max(0, top - headroom), behavior: 'instant' })
    frames -= 1
    if (frames > 0) requestAnimationFrame(attempt)
  }
  attempt()
}
