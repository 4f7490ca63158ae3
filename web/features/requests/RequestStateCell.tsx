import type { PhotoRequest } from '@keepsnap/contract/requests.ts'
import { Check, Clock, Hourglass, TriangleAlert } from 'lucide-react'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { useServerSentence } from '../../lib/server-sentences.ts'
import { requests } from '../../messages/en/requests.ts'
import { stateDetails } from './messages.ts'

const styles = {
  queued: { Icon: Clock, tone: 'badge--warn' },
  sent: { Icon: Check, tone: 'badge--ok' },
  failed: { Icon: TriangleAlert, tone: 'badge--bad' },
  waiting: { Icon: Hourglass, tone: 'badge--warn' },
}

/** The state of a request's email, with the reason. */
export function RequestStateCell({ request }: { request: PhotoRequest }) {
  const text = useText({ requests })
  const { Icon, tone } = styles[request.state]
  const translate = useServerSentence()
  const { next, reason } = stateDetails(request, text, useFormat())
  return (
    <>
      <span className={`badge ${tone}`}>
        <Icon className="icon" />
        {text.states[request.state]}
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
