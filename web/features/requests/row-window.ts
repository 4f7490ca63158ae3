import {
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { subscribeToViewport } from '../../lib/viewport.ts'

/** Rows that are side by side have one line: cards have several columns on wide phones and tablets. */
interface Lines {
  columns: number
  /** Between lines, in CSS pixels. */
  gap: number
  /** Of a line that was not measured yet. */
  estimate: number
}
const lineCount = (rows: number, columns: number): number => Math.ceil(rows / columns)

/** The top of each line in CSS pixels, and last the end of the list. */
export function lineTops(
  ids: readonly string[],
  heights: ReadonlyMap<string, number>,
  { columns, gap, estimate }: Lines,
): number[] {
  const tops = [0]
  let top = 0
  for (let row = 0; row < ids.length; row += columns) {
    let height = 0
    for (let n = row; n < Math.min(row + columns, ids.length); n++) height = Math.max(height, heights.get(ids[n]!) ?? 0)
    top += (height || estimate) + gap
    tops.push(top)
  }
  return tops
}

/** The lines are rendered so many at a time, so that not every scroll event renders. */
const lineStep = 4

/** The lines between two heights; `end` is the one after the last. */
export function linesBetween(tops: readonly number[], from: number, to: number): { first: number; end: number } {
  const lines = tops.length - 1
  const lineAt = (y: number): number => {
    let [low, high] = [0, lines]
    while (low < high) {
      const middle = (low + high) >> 1
      if (tops[middle + 1]! <= y) low = middle + 1
      else high = middle
    }
    return low
  }
  const first = Math.floor(lineAt(from) / lineStep) * lineStep
  const end = Math.min(lines, Math.ceil((lineAt(to) + 1) / lineStep) * lineStep)
  return { first: Math.min(first, end), end }
}

const initialLines: Lines = { columns: 1, gap: 0, estimate: 73 }

function readLines(list: HTMLElement, estimate: number): Lines {
  const { display, gridTemplateColumns, rowGap } = getComputedStyle(list)
  if (display !== 'grid') return { columns: 1, gap: 0, estimate }
  return { columns: gridTemplateColumns.split(' ').length, gap: Number.parseFloat(rowGap) || 0, estimate }
}

/** The rows of a list, as their elements with `data-request`. */
const rowsIn = (list: HTMLElement): HTMLElement[] =>
  Array.from(list.children).filter((row): row is HTMLElement => row instanceof HTMLElement && 'request' in row.dataset)

export interface RowWindow {
  first: number
  end: number
  /** Heights of what stands for the rows before and after, in CSS pixels. */
  before: number
  after: number
}

/** Which rows to render: those in the viewport, and half of its height above and below. Rows may differ in height. */
export function useRowWindow(list: RefObject<HTMLElement | null>, ids: readonly string[]): RowWindow {
  const [heights] = useState(() => new Map<string, number>())
  const width = useRef(0)
  const [lines, setLines] = useState(initialLines)
  const tops = useMemo(() => lineTops(ids, heights, lines), [ids, heights, lines])
  // A string, because the snapshots of an external store are compared by value.
  const range = useSyncExternalStore(subscribeToViewport, () => {
    const listTop = list.current?.getBoundingClientRect().top ?? 0
    const margin = window.innerHeight / 2
    const { first, end } = linesBetween(tops, -listTop - margin, window.innerHeight - listTop + margin)
    return `${first} ${end}`
  })
  const [first = 0, end = 0] = range.split(' ').map(Number)

  const measure = useEffectEvent(() => {
    const element = list.current
    if (!element) return
    const now = element.getBoundingClientRect().width
    const isResized = now !== width.current
    if (isResized) heights.clear()
    width.current = now
    let isChanged = isResized
    for (const row of rowsIn(element)) {
      const { height } = row.getBoundingClientRect()
      const id = row.dataset.request ?? ''
      if (height === 0 || Math.abs((heights.get(id) ?? 0) - height) < 0.5) continue
      heights.set(id, height)
      isChanged = true
    }
    if (!isChanged) return
    const measured = Array.from(heights.values()).sort((a, b) => a - b)
    // It stays as it is while the list has this width: rows above the viewport would move.
    setLines((before) =>
      readLines(element, isResized ? (measured[measured.length >> 1] ?? before.estimate) : before.estimate),
    )
  })
  useLayoutEffect(() => measure())
  useEffect(() => {
    if (!list.current) return undefined
    const observer = new ResizeObserver(() => setLines((before) => ({ ...before })))
    observer.observe(list.current.parentElement ?? list.current)
    return () => observer.disconnect()
  }, [list])

  const { columns, gap } = lines
  const total = lineCount(ids.length, columns)
  return {
    first: first * columns,
    end: Math.min(end * columns, ids.length),
    before: first > 0 ? tops[first]! - gap : 0,
    after: end < total ? tops[total]! - tops[end]! - gap : 0,
  }
}

interface Anchor {
  row: HTMLElement
  /** In the document, in CSS pixels. */
  top: number
}

/** The first row in the viewport; null while the start of the list is visible. */
function anchorIn(list: HTMLElement | null): Anchor | null {
  if (!list || list.getBoundingClientRect().top >= 0) return null
  for (const row of rowsIn(list)) {
    const { top, bottom } = row.getBoundingClientRect()
    if (bottom > 0) return { row, top: top + window.scrollY }
  }
  return null
}

/**
 * Scroll anchoring: keeps the visible rows in place when rows before them are inserted or turn out to have another height. The styles
 * disable the browser's own (overflow-anchor), which not all browsers have.
 */
export function useScrollAnchor(list: RefObject<HTMLElement | null>): void {
  const anchor = useRef<Anchor | null>(null)
  useEffect(() => {
    const updateAnchor = (): void => {
      anchor.current = anchorIn(list.current)
    }
    updateAnchor()
    return subscribeToViewport(updateAnchor)
  }, [list])
  useLayoutEffect(() => {
    const before = anchor.current
    if (before?.row.isConnected) {
      const rowShift = before.row.getBoundingClientRect().top + window.scrollY - before.top
      if (Math.abs(rowShift) >= 1) window.scrollBy({ top: rowShift, behavior: 'instant' })
    }
    anchor.current = anchorIn(list.current)
  })
}
