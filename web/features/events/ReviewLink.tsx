import { ListChecks } from 'lucide-react'
import { Link } from 'react-router'
import type { Event } from '@keepsnap/contract/events.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { eventReviewPath } from '../../lib/paths.ts'
import { reviewCount } from '../../messages/en/event-review.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { isOpen, useCurrentEventId, useEvents } from './events.ts'
import './review-link.css'

interface Props {
  event: Pick<Event, 'id' | 'waiting_count'>
}

/** Leads to the review of an event, with the number of photos that wait for it; nothing when none do. */
export function ReviewLink({ event: { id, waiting_count: count } }: Props) {
  const text = useText({ reviewCount })
  const format = useFormat()
  if (count === 0) return null
  return (
    <Link className="badge badge--warn review-link tabular-numbers" to={eventReviewPath(id)}>
      <ListChecks className="icon" />
      <span>{text.waiting(count, format.count(count))}</span>
    </Link>
  )
}

/** The same as a button, also while none wait: what was decided is there, too. Nothing where guests add no photos. */
export function ReviewButton({ event }: { event: Pick<Event, 'id' | 'waiting_count' | 'guest_photos'> }) {
  const text = useText({ reviewCount })
  const format = useFormat()
  const { id, waiting_count: count } = event
  if (event.guest_photos === 'off' && count === 0) return null
  return (
    <Link className={buttonClass({})} to={eventReviewPath(id)}>
      <ListChecks className="icon" />
      <span>{text.review}</span>
      {count > 0 && <span className="badge badge--warn tabular-numbers">{format.count(count)}</span>}
    </Link>
  )
}

/** Events with photos that wait, the current one first. */
function useEventsToReview(): Event[] {
  const current = useCurrentEventId()
  const waiting = (useEvents() ?? []).filter((event) => isOpen(event) && event.waiting_count > 0)
  return [...waiting.filter(({ id }) => id === current), ...waiting.filter(({ id }) => id !== current)]
}

const maxMenuLinks = 3

/** In the account menu: a link for each event with photos that wait. */
export function ReviewMenuLinks() {
  const text = useText({ reviewCount })
  const format = useFormat()
  const events = useEventsToReview()
  return events.slice(0, maxMenuLinks).map(({ id, name, waiting_count: count }) => (
    <Link key={id} to={eventReviewPath(id)}>
      <ListChecks className="icon" />
      <span className="ellipsis" translate="no">
        {text.of(name)}
      </span>
      <span className="badge badge--warn tabular-numbers menu__count">
        <span aria-hidden="true">{format.count(count)}</span>
        <span className="visually-hidden">{text.waiting(count, format.count(count))}</span>
      </span>
    </Link>
  ))
}

/** On Latest, beside its controls: small, and without a word that guests could read from where they stand. */
export function ReviewIndicator() {
  const text = useText({ reviewCount })
  const format = useFormat()
  const [event] = useEventsToReview()
  if (!event) return null
  return (
    <Link className="review-sign on-photo tabular-numbers" to={eventReviewPath(event.id)}>
      <ListChecks className="icon" />
      <span aria-hidden="true">{format.count(event.waiting_count)}</span>
      <span className="review-sign__text">{text.review}</span>
      <span className="visually-hidden">{text.waiting(event.waiting_count, format.count(event.waiting_count))}</span>
    </Link>
  )
}
