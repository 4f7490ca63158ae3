import { LayoutGrid, Monitor, Plus, SlidersHorizontal, Undo2 } from 'lucide-react'
import { useId, useState } from 'react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from 'react-router'
import type { User } from '@keepsnap/contract/accounts.ts'
import { type Event, undoDeleteEvent } from '@keepsnap/contract/events.ts'
import { eventNameProblem, nameChars, normalizeName } from '@keepsnap/contract/form-rules.ts'
import { refusalMessage } from '../../lib/api-errors.ts'
import { useApi, useMediaUrl, userKey } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { eventPath, pageOfEvent, paths } from '../../lib/paths.ts'
import { keepScroll } from '../../lib/viewport.ts'
import { eventMenu, events as messages } from '../../messages/en/events.ts'
import { states } from '../../messages/en/frame.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { LogoMark } from '../../ui/Logo.tsx'
import { PageHeading, usePageTitle } from '../../ui/PageHeading.tsx'
import { EmptyState, QueryView } from '../../ui/QueryView.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { daysOf, eventsQuery, isOpen, useRefetchEvents, useSetCurrentEvent } from './events.ts'
import { useCreateEvent } from './MovePhotos.tsx'
import { ReviewLink } from './ReviewLink.tsx'
import { StateBadge } from './StateBadge.tsx'
import './events.css'

/** The events of the account, the newest first, and how to get a new one. */
export function EventsPage() {
  const text = useText({ events: messages })
  usePageTitle(text.title)
  const query = useQuery(eventsQuery(useApi()))
  const [isCreating, setCreating] = useCreating()
  const { data } = query
  const hasAny = data !== undefined && data.length > 0
  const open = data?.filter(isOpen) ?? []
  return (
    <div className="wrap">
      <header className="page-head">
        <div>
          <PageHeading>{text.title}</PageHeading>
          {open.length > 0 && <Counts events={open} />}
          {query.isPending && <p className="skeleton events__counts" aria-hidden="true" />}
        </div>
        {(hasAny || !data) && (
          <Button tone="primary" onClick={() => setCreating(true)}>
            <Plus className="icon" />
            {text.create}
          </Button>
        )}
      </header>
      <QueryView query={query} loading={<EventsSkeleton />} failed={text.loadFailed} stale={text.stale}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState sentence={text.empty}>
              <Button tone="primary" large onClick={() => setCreating(true)}>
                <Plus className="icon" />
                {text.first}
              </Button>
              <p className="events__optional small muted">{text.optional}</p>
            </EmptyState>
          ) : (
            <Events list={list} />
          )
        }
      </QueryView>
      <Dialog open={isCreating} onClose={() => setCreating(false)} title={text.creation.title}>
        <NewEventForm onClose={() => setCreating(false)} />
      </Dialog>
    </div>
  )
}

/** Whether the dialog for a new event is open; links from other pages open it, too. */
function useCreating(): [boolean, (open: boolean) => void] {
  const state = useLocation().state as { create?: boolean } | null
  const navigate = useNavigate()
  const setCreating = (create: boolean): void =>
    void navigate('.', { replace: true, state: { ...keepScroll, ...(create && { create }) } })
  return [state?.create === true, setCreating]
}

/** One on now, two coming, twelve past. */
function Counts({ events }: { events: readonly Event[] }) {
  const text = useText({ events: messages })
  const format = useFormat()
  const count = (...states: Event['state'][]): number => events.filter(({ state }) => states.includes(state)).length
  const counts = { onNow: count('on_now'), coming: count('coming'), past: count('past', 'closed') }
  const parts = (['onNow', 'coming', 'past'] as const)
    .filter((part) => counts[part] > 0)
    .map((part) => text[part](format.count(counts[part])))
  return (
    <p className="tabular-numbers">
      {parts.length > 0 ? text.counts(parts) : text.total(events.length, format.count(events.length))}
    </p>
  )
}

function Events({ list }: { list: readonly Event[] }) {
  const text = useText({ events: messages })
  const format = useFormat()
  const [showsArchived, setShowsArchived] = useState(false)
  const deleted = list.filter(({ deleted_at }) => deleted_at !== null)
  const archived = list.filter((event) => event.archived_at !== null && event.deleted_at === null)
  const open = list.filter(isOpen)
  const shown = showsArchived ? [...open, ...archived] : open
  return (
    <>
      {shown.length > 0 ? (
        <ul className="events">
          {shown.map((event) => (
            <EventCard key={event.id} event={event} />
          ))}
        </ul>
      ) : (
        archived.length > 0 && <p className="muted">{text.onlyArchived}</p>
      )}
      {archived.length > 0 && (
        <div className="events__archived">
          <Switch
            label={text.showArchived(format.count(archived.length))}
            checked={showsArchived}
            onChange={setShowsArchived}
          />
        </div>
      )}
      {deleted.length > 0 && <DeletedEvents events={deleted} />}
      <p className="events__without small">
        <Link to={pageOfEvent(paths.gallery, 'none')}>{text.without}</Link>
      </p>
    </>
  )
}

function EventCard({ event }: { event: Event }) {
  const text = useText({ events: messages })
  const { photos } = useText({ eventMenu })
  const format = useFormat()
  const { id, name, photo_count: count } = event
  const facts = [
    count === 0 ? text.noPhotos : photos(count, format.count(count)),
    event.gallery === 'link' && text.guestGallery,
    event.guest_photos !== 'off' && text.guestPhotos,
  ]
  const titleId = useId()
  return (
    <li className="event-card">
      <Link className="print event-card__print" to={eventPath(id)} aria-labelledby={titleId}>
        <Pictures event={event} />
        <div className="print__strip">
          <div id={titleId}>
            <strong className="print__line" translate="no">
              {name}
            </strong>
            <span className="print__meta">{daysOf(event, format) ?? '\u00A0'}</span>
          </div>
        </div>
      </Link>
      <div className="event-card__about">
        <p className="small tabular-numbers">{facts.filter(Boolean).join(' · ')}</p>
        <StateBadge event={event} />
      </div>
      <ReviewLink event={event} />
      {event.is_current && (
        <p className="small event-card__current">
          <span className="dot" aria-hidden="true" />
          {text.current}
        </p>
      )}
      <div className="row event-card__actions">
        <Link className={buttonClass({})} to={pageOfEvent(paths.gallery, id)} aria-label={text.galleryOf(name)}>
          <LayoutGrid className="icon" />
          {text.gallery}
        </Link>
        {event.is_current && (
          <Link className={buttonClass({})} to={paths.latest}>
            <Monitor className="icon" />
            {text.screen}
          </Link>
        )}
        <Link
          className={buttonClass({ tone: 'ghost', icon: true })}
          to={eventPath(id)}
          aria-label={text.settingsOf(name)}
          title={text.settings}
        >
          <SlidersHorizontal className="icon" />
        </Link>
      </div>
    </li>
  )
}

/** The newest photos of an event, or a blank print. */
function Pictures({ event: { thumbnails } }: { event: Event }) {
  const media = useMediaUrl()
  const urls = thumbnails.flatMap(({ url }) => media(url) ?? [])
  return (
    <div className="print__photo event-card__pictures" data-count={urls.length}>
      {urls.map((url) => (
        <img key={url} src={url} alt="" loading="lazy" decoding="async" />
      ))}
      {urls.length === 0 && (
        <span className="event-card__blank" aria-hidden="true">
          <LogoMark />
        </span>
      )}
    </div>
  )
}

function DeletedEvents({ events }: { events: readonly Event[] }) {
  const text = useText({ events: messages })
  const heading = useId()
  return (
    <section className="events__deleted" aria-labelledby={heading}>
      <h2 id={heading}>{text.deleted}</h2>
      <ul className="card">
        {events.map((event) => (
          <DeletedEvent key={event.id} event={event} />
        ))}
      </ul>
    </section>
  )
}

function DeletedEvent({ event }: { event: Event }) {
  const text = useText({ events: messages })
  const { photos } = useText({ eventMenu })
  const format = useFormat()
  const { mutate, isPending } = useUndoDelete()
  const { id, name, photo_count: count, gone_at: goneAt } = event
  return (
    <li>
      <p>
        <b translate="no">{name}</b>
        <span className="small muted tabular-numbers">
          {text.deletedUntil(photos(count, format.count(count)), goneAt === null ? '' : format.dateTime(goneAt))}
        </span>
      </p>
      <Button busy={isPending} aria-label={text.bringBackNamed(name)} onClick={() => mutate({ id, name })}>
        {!isPending && <Undo2 className="icon" />}
        {text.bringBack}
      </Button>
    </li>
  )
}

/** Brings a deleted event back with its photos. If no event is the current one, as when this one was, it can be that again. */
export function useUndoDelete() {
  const api = useApi()
  const queryClient = useQueryClient()
  const { queryKey } = eventsQuery(api)
  const refetch = useRefetchEvents()
  const toast = useToast()
  const text = useText({ events: messages })
  const { failed, goToNone, goHere } = useText({ eventMenu })
  const setCurrent = useSetCurrentEvent()
  return useMutation({
    mutationFn: ({ id }: Pick<Event, 'id' | 'name'>) => api.call(undoDeleteEvent, { params: { id } }),
    onSuccess(event) {
      queryClient.setQueryData(queryKey, (list) => list?.map((one) => (one.id === event.id ? event : one)))
      const hasCurrent = queryClient.getQueryData<User>(userKey)?.current_event_id != null
      toast({
        id: 'event',
        ...(hasCurrent || !isOpen(event)
          ? { text: text.broughtBack(event.name) }
          : {
              text: `${text.broughtBack(event.name)} ${goToNone}`,
              action: { label: goHere, run: () => setCurrent.mutate(event) },
            }),
      })
    },
    onError: (error) => toast({ text: refusalMessage(error, failed), tone: 'bad' }),
    onSettled: refetch,
  })
}

/** A name alone is enough. */
function NewEventForm({ onClose }: { onClose: () => void }) {
  const text = useText({ events: messages })
  const { creation, names } = text
  const navigate = useNavigate()
  const toast = useToast()
  const [name, setName] = useState('')
  const [days, setDays] = useState({ from: '', to: '' })
  const { mutate, isPending, error } = useCreateEvent()
  const newName = normalizeName(name)
  const problem = eventNameProblem(newName)
  const daysProblem = problemOfDays(days)
  return (
    <DialogForm
      errors={{
        ...(problem !== null && { name: names[problem] }),
        ...(daysProblem && { [daysProblem.field]: text.days[daysProblem.why] }),
      }}
      problem={error ? refusalMessage(error, creation.failed) : undefined}
      submit={creation.submit}
      busy={isPending}
      onSubmit={() =>
        mutate(
          { name: newName, starts_on: days.from || null, ends_on: days.to || null },
          {
            onSuccess(event) {
              toast({ text: creation.created(event.name) })
              void navigate(eventPath(event.id))
            },
          },
        )
      }
      onClose={onClose}
    >
      {(shown) => (
        <>
          <Field
            name="name"
            label={creation.name}
            placeholder={creation.placeholder}
            autoComplete="off"
            maxLength={2 * nameChars.event}
            value={name}
            error={shown['name']}
            onChange={({ target }) => setName(target.value)}
          />
          <DaysFields days={days} errors={shown} onChange={setDays} />
        </>
      )}
    </DialogForm>
  )
}

interface Days {
  from: string
  to: string
}

/** Why these cannot be the days of an event. */
export function problemOfDays({ from, to }: Days): { field: 'from' | 'to'; why: 'first' | 'order' } | null {
  if (to !== '' && from === '') return { field: 'from', why: 'first' }
  return to !== '' && to < from ? { field: 'to', why: 'order' } : null
}

interface DaysProps {
  days: Days
  errors: Partial<Record<string, string>>
  onChange: (days: Days) => void
}

/** The first and the last day of an event, which may both be left out. */
export function DaysFields({ days, errors, onChange }: DaysProps) {
  const text = useText({ events: messages }).creation
  const hint = useId()
  return (
    <div className="event-days">
      {(['from', 'to'] as const).map((name) => (
        <Field
          key={name}
          name={name}
          type="date"
          label={
            <>
              {text[name]} <span className="muted event-days__optional">{text.optional}</span>
            </>
          }
          min="2000-01-01"
          max="2199-12-31"
          value={days[name]}
          error={errors[name]}
          aria-describedby={hint}
          onChange={({ target }) => onChange({ ...days, [name]: target.value })}
        />
      ))}
      <p className="tiny muted" id={hint}>
        {text.hint}
      </p>
    </div>
  )
}

const skeletonCount = 3

function EventsSkeleton() {
  return (
    <>
      <output className="visually-hidden">{useText({ states }).loading}</output>
      <div className="events" aria-hidden="true">
        {Array.from({ length: skeletonCount }, (_, index) => (
          <div key={index} className="event-card">
            <div className="print event-card__print">
              <div className="print__photo event-card__pictures skeleton" />
              <div className="print__strip">
                <span className="skeleton event-card__skeleton-line" />
              </div>
            </div>
          </div>
        ))}
      </div>
    </>
  )
}
