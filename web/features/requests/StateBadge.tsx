import type { PhotoRequest } from '@keepsnap/contract/requests.ts'
import { Check, Clock, Hourglass, TriangleAlert } from 'lucide-react'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { requests } from '../../messages/en/requests.ts'
import { reasonsOf } from './messages.ts'

const looks = {
  queued: { Icon: Clock, tone: 'badge--warn' },
  sent: { Icon: Check, tone: 'badge--ok' },
  failed: { Icon: TriangleAlert, tone: 'badge--bad' },
  waiting: { Icon: Hourglass, tone: 'badge--warn' },
}

/** What became of a request's letter, and why. */
export function StateBadge({ request }: { request: PhotoRequest }) {
  const text = useText({ requests })
  const { Icon, tone } = looks[request.state]
  const { ours, theirs } = reasonsOf(request, text, useFormat())
  return (
    <>
      <span className={`badge ${tone}`}>
        <Icon className="i" />
        {text.states[request.state]}
      </span>
      {theirs && (
        <span className="tiny muted rq-why" translate="no">
          {theirs}
        </span>
      )}
      {ours && <span className="tiny muted rq-why">{ours}</span>}
    </>
  )
}
