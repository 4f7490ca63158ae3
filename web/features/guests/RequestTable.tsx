import { Check, Clock, Hourglass, RotateCw, TriangleAlert } from 'lucide-react'
import {
  memo,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { Link } from 'react-router'
import type { PhotoRequest } from '@keepsnap/contract/guests.ts'
import { Thumbnail } from '../../ui/Thumbnail.tsx'
import { refusalMessage } from '../../lib/api-errors.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { galleryPhoto, paths } from '../../lib/paths.ts'
import { useServerSentence } from '../../lib/server-sentences.ts'
import { requests as messages } from '../../messages/en/guests.ts'
import { Button } from '../../ui/Button.tsx'
import { EmailAddress } from '../../ui/EmailAddress.tsx'
import { subscribeToViewport } from '../../lib/viewport.ts'
import { stateDetails, useResend } from './requests.ts'

interface Props {
  requests: readonly PhotoRequest[]
  /** How many there are, also those that are not loaded. */
  total: number
  /** Those of another search are shown until these are loaded. */
  isOutdated: boolean
  /** Null when there are no more, or they cannot be loaded now. */
  loadMore: (() => void) | null
}

/**
 * The list of requests: a table on wide screens, cards on narrow ones. Virtualized: only rows in and near the viewport are rendered.
 */
export function RequestTable({ requests, total, isOutdated, loadMore }: Props) {
  const text = useText({ requests: messages })
  const rows = useRef<HTMLTableSectionElement>(null)
  const ids = useMemo(() => requests.map(({ id }) => id), [requests])
  const { first, end, before, after } = useRowWindow(rows, ids)
  useScrollAnchor(rows)
  useEffect(() => {
    if (loadMore && end >= requests.length - loadMoreRows) loadMore()
  }, [loadMore, end, requests.length])
  return (
    <div className="card card-table requests" aria-busy={isOutdated}>
      <table className="table" aria-label={text.title} aria-rowcount={total + 1}>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col" className={`requests__col--${name}`}>
                {name === 'action' ? <span className="visually-hidden">{text.columns[name]}</span> : text.columns[name]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={rows}>
          {before > 0 && <Space height={before} />}
          {requests.slice(first, end).map((request, n) => (
            // The first row is that of the headings.
            <RequestRow key={request.id} request={request} rowIndex={first + n + 2} />
          ))}
          {after > 0 && <Space height={after} />}
        </tbody>
      </table>
    </div>
  )
}

/** One request: a row of the table. On narrow screens the styles turn it into a card. */
const RequestRow = memo(function RequestRow({ request, rowIndex }: { request: PhotoRequest; rowIndex: number }) {
  return (
    <tr data-request={request.id} aria-rowindex={rowIndex}>
      <td>
        <span className="request-email">
          <EmailAddress email={request.requester_email} />
        </span>
      </td>
      <td>
        <RequestedPhoto request={request} />
      </td>
      <td className="tabular-numbers">
        <RequestedAt time={request.requested_at} />
      </td>
      <td>
        <RequestStateCell request={request} />
      </td>
      <td className="request-actions">
        <RequestActions request={request} />
      </td>
    </tr>
  )
})

function RequestedAt({ time }: { time: string }) {
  const format = useFormat()
  return (
    <time className="request-time" dateTime={time} translate="no">
      <span>{format.date(time)}</span>
      <span className="muted">{format.time(time)}</span>
    </time>
  )
}

function RequestedPhoto({ request: { photo } }: { request: PhotoRequest }) {
  const text = useText({ requests: messages })
  return (
    <Link className="request-photo" to={galleryPhoto(photo.id)}>
      <Thumbnail url={photo.thumbnail_url} />
      <span className="request-photo__name" translate="no">
        <span className="ellipsis file-name">{photo.filename}</span>
        <span className="tiny muted ellipsis">
          <code>{photo.id}</code>
        </span>
      </span>
      <span className="visually-hidden">{text.inGallery}</span>
    </Link>
  )
}

function RequestActions({ request }: { request: PhotoRequest }) {
  const text = useText({ requests: messages })
  const { mutate, isPending, isError, error } = useResend()
  const viewLink = useRef<HTMLAnchorElement>(null)
  const resendButton = useRef<HTMLButtonElement>(null)
  // The button disappears once the email is queued again: its focus moves to the link beside it.
  const moveFocus = (): void => {
    if (document.activeElement === resendButton.current) viewLink.current?.focus()
  }
  return (
    <>
      <Link ref={viewLink} className="link" to={paths.latest}>
        {text.view}
      </Link>
      {(request.state === 'failed' || isPending) && (
        <Button
          ref={resendButton}
          busy={isPending}
          aria-label={text.resendTo(request.requester_email)}
          onClick={() => mutate(request, { onSuccess: moveFocus })}
        >
          {!isPending && <RotateCw className="icon" />}
          {text.resend}
        </Button>
      )}
      {isError && request.state === 'failed' && (
        <span className="tiny error-text" role="alert">
          {refusalMessage(error, text.errors.resend)}
        </span>
      )}
    </>
  )
}

const styles = {
  queued: { Icon: Clock, tone: 'badge--warn' },
  sent: { Icon: Check, tone: 'badge--ok' },
  failed: { Icon: TriangleAlert, tone: 'badge--bad' },
  waiting: { Icon: Hourglass, tone: 'badge--warn' },
}

/** The state of a request's email, with the reason. */
function RequestStateCell({ request }: { request: PhotoRequest }) {
  const text = useText({ requests: messages })
  const { Icon, tone } = styles[request.state]
  const translate = useServerSentence()
  const { next, reason } = stateDetails(request, text, useFormat())
  return (
    <>
      <span className={`badge ${tone}`}>
        <Icon className="icon" />
        <span>{text.states[request.state]}</span>
      </span>
      {reason && (
        <span className="tiny muted request-detail" translate="no">
          {translate(reason)}
        </span>
      )}
      {next && <span className="tiny muted request-detail">{next}</span>}
    </>
  )
}

/** Rows that are side by side have one line: cards have several columns on wide phones and tablets. */
interface Lines {
  columns: number
  /** Between lines, in CSS pixels. */
  gap: number
  /** Of a line that was not measured yet. */
  estimate: number
}

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

/**
 * Which rows to render: those in the viewport, and half of its height above and below. Rows may differ in height. `before` and
 * `after`: heights of what stands for the other rows, in CSS pixels.
 */
function useRowWindow(list: RefObject<HTMLElement | null>, ids: readonly string[]) {
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
  const total = Math.ceil(ids.length / columns)
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
function useScrollAnchor(list: RefObject<HTMLElement | null>): void {
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

const columns = ['requester', 'photo', 'requested', 'state', 'action'] as const

/** More requests are loaded this many rows before the end. */
const loadMoreRows = 40

/** Stands for rows that are not rendered. */
const Space = ({ height }: { height: number }) => (
  <tr className="requests__space" aria-hidden="true">
    <td colSpan={columns.length} style={{ height }}>
      {'\u00A0'}
    </td>
  </tr>
)
