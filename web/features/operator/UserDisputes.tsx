import type { OperatorDispute } from '@keepsnap/contract/operator-users.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { operatorUsers } from '../../messages/en/operator-users.ts'

const toneOf = { open: 'badge--warn', won: 'badge--ok', lost: 'badge--bad' } as const

/** The payments of an account that were disputed at the bank; nothing without one. */
export function UserDisputes({ disputes }: { disputes: readonly OperatorDispute[] }) {
  const text = useText({ operatorUsers }).detail
  const format = useFormat()
  if (disputes.length === 0) return null
  return (
    <>
      <h3>{text.disputes}</h3>
      <ul className="operator-disputes small tabular-numbers">
        {disputes.map(({ id, state, amount_cents, opened_at, reason, respond_by }) => (
          <li key={id}>
            <span className={`badge ${toneOf[state]}`}>{text.disputeStates[state]}</span>
            <span>
              {text.dispute(format.price(amount_cents), format.date(opened_at), reason.replaceAll('_', ' '))}
              {respond_by !== null && <span className="muted"> {text.respondBy(format.dateTime(respond_by))}</span>}
              {state === 'lost' && <span className="muted"> {text.lostHint}</span>}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
