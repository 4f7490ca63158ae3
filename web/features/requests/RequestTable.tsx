import type { PhotoRequest } from '@keepsnap/contract/requests.ts'
import { useRef } from 'react'
import { useText } from '../../lib/i18n.tsx'
import { requests as messages } from '../../messages/en/requests.ts'
import { RequestRow } from './RequestRow.tsx'
import { useScrollAnchor } from './useScrollAnchor.ts'

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
