import type { PhotoRequest } from '@keepsnap/contract/requests.ts'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useText } from '../../lib/i18n.tsx'
import { requests as messages } from '../../messages/en/requests.ts'
import { RequestRow } from './RequestRow.tsx'

const columns = ['requester', 'photo', 'requested', 'state', 'action'] as const

/** The list of requests: a table on wide screens, cards on narrow ones. */
export function RequestTable({ requests }: { requests: readonly PhotoRequest[] }) {
  const text = useText({ requests: messages })
  const rows = useRef<HTMLTableSectionElement>(null)
  useScrollAnchor(rows)
  return (
    <div className="card requests">
      <table className="table" aria-label={text.heading}>
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
          {requests.map((request) => (
            <RequestRow key={request.id} request={request} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface Anchor {
  requestRow: Element
  top: number
}

/** The first row in the viewport; null while the start of the list is visible. */
function anchorIn(list: HTMLElement | null): Anchor | null {
  if (!list || list.getBoundingClientRect().top >= 0) return null
  for (const requestRow of list.children) {
    const { top, bottom } = requestRow.getBoundingClientRect()
    if (bottom > 0) return { requestRow, top }
  }
  return null
}

/**
 * Scroll anchoring: keeps the visible rows in place when rows are inserted before them. The styles disable the browser's
 * own (overflow-anchor), which not all browsers have.
 */
function useScrollAnchor(list: RefObject<HTMLElement | null>): void {
  const anchor = useRef<Anchor | null>(null)
  useEffect(() => {
    const updateAnchor = (): void => {
      anchor.current = anchorIn(list.current)
    }
    updateAnchor()
    window.addEventListener('scroll', updateAnchor, { passive: true })
    window.addEventListener('resize', updateAnchor)
    return () => {
      window.removeEventListener('scroll', updateAnchor)
      window.removeEventListener('resize', updateAnchor)
    }
  }, [list])
  useLayoutEffect(() => {
    const before = anchor.current
    if (before?.requestRow.isConnected) {
      const rowShift = before.requestRow.getBoundingClientRect().top - before.top
      if (rowShift !== 0) window.scrollBy({ top: rowShift, behavior: 'instant' })
    }
    anchor.current = anchorIn(list.current)
  })
}
