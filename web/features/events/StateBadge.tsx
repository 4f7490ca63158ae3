import type { Event } from '@keepsnap/contract/events.ts'
import { useText } from '../../lib/i18n.tsx'
import { eventMenu, events } from '../../messages/en/events.ts'

/** What an event is by its dates, or that it is archived. */
export function StateBadge({ event: { state, archived_at } }: { event: Event }) {
  const { states } = useText({ eventMenu })
  const { archived } = useText({ events })
  if (archived_at !== null) return <span className="badge">{archived}</span>
  if (state === null) return null
  return <span className={state === 'on_now' ? 'badge badge--ok' : 'badge'}>{states[state]}</span>
}
