import type { PhotoRequest } from '@keepsnap/contract/requests.ts'
import { useRef } from 'react'
import { useText } from '../../lib/i18n.tsx'
import { requests as words } from '../../messages/en/requests.ts'
import { RequestRow } from './RequestRow.tsx'
import { useHeldPlace } from './useHeldPlace.ts'

const columns = ['requester', 'photo', 'requested', 'state', 'action'] as const

/** A table where there is room, cards where there is not. */
export function RequestTable({ requests }: { requests: readonly PhotoRequest[] }) {
  const text = useText({ requests: words })
  const body = useRef<HTMLTableSectionElement>(null)
  useHeldPlace(body)
  return (
    <div className="card rq">
      <table className="table" aria-label={text.heading}>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col" className={`rq-col--${name}`}>
                {name === 'action' ? <span className="sr">{text.columns[name]}</span> : text.columns[name]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {requests.map((request) => (
            <RequestRow key={request.id} request={request} />
          ))}
        </tbody>
      </table>
    </div>
  )
}
