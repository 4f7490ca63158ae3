import { CalendarDays, Check, ChevronDown, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import type { User } from '@keepsnap/contract/accounts.ts'
import type { Event } from '@keepsnap/contract/events.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { eventParameter, eventPath, paths } from '../../lib/paths.ts'
import { keepScroll } from '../../lib/viewport.ts'
import { eventMenu } from '../../messages/en/events.ts'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import {
  chooseEvent,
  daysOf,
  daysUntil,
  isOpen,
  useChosenEvent,
  useEventName,
  useEvents,
  useSetCurrentEvent,
} from './events.ts'
import './event-switcher.css'

interface Props {
  user: User
  /** On Latest, which shows the current event: a choice changes that. */
  onScreen: boolean
}

/** Chooses the event whose photos the pages show, and says where new photos go, which is not the same. */
export function EventSwitcher({ user, onScreen }: Props) {
  const text = useText({ eventMenu })
  const nameOf = useEventName()
  const chosen = useChosenEvent() ?? null
  const events = useEvents()
  const current = user.current_event_id ?? null
  const shown = onScreen ? current : chosen
  const [asked, setAsked] = useState<{ event: Event | null } | null>(null)
  const setCurrent = useSetCurrentEvent()
  const choose = useChoose(user)
  const onChoose = (event: Event | null): void => {
    if ((event?.id ?? null) === shown) return
    if (onScreen) setAsked({ event })
    else choose(event)
  }
  const goTo = current === null ? text.goToNone : text.goTo(nameOf(current))
  const listed = (events ?? []).filter((event) => isOpen(event) || event.id === shown)
  const chosenEvent = listed.find((event) => event.id === chosen && isOpen(event))
  return (
    <div className="event-switcher">
      <Menu
        label={(onScreen ? text.screenLabel : text.label)(nameOf(shown))}
        buttonClassName="event-switcher__button"
        icon={
          <>
            {shown !== null && <Dot isOn={shown === current} />}
            <span className="ellipsis" translate={shown === null ? undefined : 'no'}>
              {nameOf(shown)}
            </span>
            <ChevronDown className="icon" />
          </>
        }
      >
        <div className="event-switcher__list">
          <Entry name={text.all} isChosen={shown === null} onChoose={() => onChoose(null)} />
          {listed.map((event) => (
            <Entry
              key={event.id}
              event={event}
              name={event.name}
              isChosen={event.id === shown}
              onChoose={() => onChoose(event)}
            />
          ))}
        </div>
        <hr />
        <p className="event-switcher__current small">{goTo}</p>
        {!onScreen && chosenEvent && chosenEvent.id !== current && (
          <button type="button" onClick={() => setCurrent.mutate(chosenEvent)}>
            <Check className="icon" />
            {text.goHere}
          </button>
        )}
        <Link to={paths.events}>
          <CalendarDays className="icon" />
          {text.allEvents}
        </Link>
        <Link to={paths.events} state={{ create: true }}>
          <Plus className="icon" />
          {text.create}
        </Link>
      </Menu>
      <ConfirmDialog
        open={asked !== null}
        title={asked?.event ? text.screenTitle(asked.event.name) : text.screenAllTitle}
        question={asked?.event ? text.screenQuestion : text.screenAllQuestion}
        confirm={text.screenConfirm}
        tone="primary"
        busy={setCurrent.isPending}
        onConfirm={() => setCurrent.mutate(asked?.event ?? null, { onSettled: () => setAsked(null) })}
        onClose={() => setAsked(null)}
      />
    </div>
  )
}

const Dot = ({ isOn }: { isOn: boolean }) => <span className={isOn ? 'dot' : 'dot dot--off'} aria-hidden="true" />

interface EntryProps {
  event?: Event
  name: string
  isChosen: boolean
  onChoose: () => void
}

function Entry({ event, name, isChosen, onChoose }: EntryProps) {
  const about = useAbout()
  return (
    <button type="button" aria-current={isChosen || undefined} onClick={onChoose}>
      {event && <Dot isOn={event.is_current} />}
      <span className="event-switcher__entry">
        <b className="ellipsis" translate={event && 'no'}>
          {name}
        </b>
        {event && <span className="tiny muted tabular-numbers">{about(event)}</span>}
      </span>
      {isChosen && <Check className="icon event-switcher__check" />}
    </button>
  )
}

/** State or date of an event, and its photos: `On now · 248 photos`. */
function useAbout(): (event: Event) => string {
  const text = useText({ eventMenu })
  const format = useFormat()
  return (event) => {
    const { state, photo_count: count } = event
    const days = daysUntil(event)
    const when =
      state === 'coming' ? text.inDays(days, format.count(days)) : state === 'on_now' ? text.states.on_now : null
    const parts = [
      when ?? daysOf(event, format),
      (count > 0 || state !== 'coming') && text.photos(count, format.count(count)),
    ]
    return parts.filter(Boolean).join(' · ')
  }
}

/** Shows the photos of an event, and offers to send new photos there, too. */
function useChoose(user: User): (event: Event | null) => void {
  const text = useText({ eventMenu })
  const toast = useToast()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const [search, setSearch] = useSearchParams()
  const nameOf = useEventName()
  const { mutate: setCurrent } = useSetCurrentEvent()
  const current = user.current_event_id ?? null
  return (event) => {
    const id = event?.id ?? null
    // What the URL says counts.
    if (search.has(eventParameter)) {
      const next = new URLSearchParams(search)
      next.set(eventParameter, id ?? '')
      setSearch(next, { replace: true, state: keepScroll })
    } else chooseEvent(user, id)
    if (event && pathname.startsWith(`${paths.events}/`)) void navigate(eventPath(event.id))
    if (id === current) return
    const goTo = current === null ? text.goToNone : text.goTo(nameOf(current))
    toast({
      id: 'event',
      text: event ? text.shown(event.name, goTo) : text.shownAll(goTo),
      ...(event && isOpen(event) && { action: { label: text.goHere, run: () => setCurrent(event) } }),
    })
  }
}
