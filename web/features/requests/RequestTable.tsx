import type { PhotoRequest } from '@keepsnap/contract/requests.ts'
import { useEffect, useMemo, useRef } from 'react'
import { useText } from '../../lib/i18n.tsx'
import { requests as messages } from '../../messages/en/requests.ts'
import { RequestRow } from './RequestRow.tsx'
import { useRowWindow, useScrollAnchor } from './row-window.ts'

const columns = ['requester', 'photo', 'requested', 'state', 'action'] as const

/** More requests are loaded this many rows before the end. */
const loadMoreRows = 40

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
    <div className="card requests" aria-busy={isOutdated}>
      <table className="table" aria-label={text.heading} aria-rowcount={total + 1}>
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

/** Stands for rows that are not rendered. */
const Space = ({ height }: { height: number }) => (
  <tr className="requests__space" aria-hidden="true">
    <td colSpan={columns.length} style={{ height }}>
      {'\u00A0'}
    </td>
  </tr>
)
