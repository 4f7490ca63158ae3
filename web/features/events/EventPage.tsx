import { ArrowLeft, ChartColumn, LayoutGrid, Monitor, Undo2 } from 'lucide-react'
import { type SubmitEvent, useId, useRef, useState } from 'react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from 'react-router'
import { deleteEvent, type Event } from '@keepsnap/contract/events.ts'
import { eventNameProblem, nameChars, normalizeName } from '@keepsnap/contract/form-rules.ts'
import { errorMessage, refusalMessage } from '../../lib/api-errors.ts'
import { useApi, useCurrentUser } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { pageOfEvent, paths } from '../../lib/paths.ts'
import { event as messages, eventMenu, events as listMessages } from '../../messages/en/events.ts'
import { states } from '../../messages/en/frame.ts'
import { ActionRow } from '../../ui/ActionRow.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Choices } from '../../ui/Choices.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Note } from '../../ui/Note.tsx'
import { PageHeading, usePageTitle } from '../../ui/PageHeading.tsx'
import { ErrorState, Loading, QueryView } from '../../ui/QueryView.tsx'
import { SaveStatus, useTemporaryMessage } from '../../ui/SaveStatus.tsx'
import { Section } from '../../ui/SectionLinks.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import {
  insightsOfEvent,
  daysOf,
  eventsQuery,
  isOpen,
  useChangeEvent,
  useEventName,
  useRefetchEvents,
  useSavedOfEvent,
  useSetCurrentEvent,
} from './events.ts'
import { dayIn, insightsTimeZone } from '../insights/measures.ts'
import { DaysFields, problemOfDays, useUndoDelete } from './EventsPage.tsx'
import { EventArchive } from './EventArchive.tsx'
import { EventCodes } from './EventCodes.tsx'
import { GuestGallerySettings } from './GuestGallerySettings.tsx'
import { GuestPhotosSettings } from './GuestPhotosSettings.tsx'
import { Helpers } from './Helpers.tsx'
import { ReviewButton } from './ReviewLink.tsx'
import { StateBadge } from './StateBadge.tsx'
import '../accounts/settings.css'
import './events.css'

/** One event: what it has, and its settings. */
export function EventPage() {
  const { id } = useParams()
  const text = useText({ event: messages })
  const { title, loadFailed } = useText({ events: listMessages })
  const query = useQuery(eventsQuery(useApi()))
  const event = query.data?.find((one) => one.id === id)
  usePageTitle(event?.name ?? title)
  return (
    <div className="wrap">
      <QueryView query={query} loading={<Loading />} failed={loadFailed}>
        {() =>
          event ? (
            <EventDetails key={event.id} event={event} />
          ) : (
            <ErrorState sentence={text.notFound}>
              <Link className={buttonClass({})} to={paths.events}>
                {text.back}
              </Link>
            </ErrorState>
          )
        }
      </QueryView>
    </div>
  )
}

function EventDetails({ event }: { event: Event }) {
  const text = useText({ event: messages })
  const { photos } = useText({ eventMenu })
  const { waiting, noPhotos } = useText({ events: listMessages })
  const format = useFormat()
  const { id, name, photo_count: count, waiting_count: waitingCount } = event
  const timeZone = insightsTimeZone(useCurrentUser().user?.time_zone)
  const [today] = useState(() => dayIn(timeZone, new Date()))
  const facts = [
    daysOf(event, format) ?? text.noDate,
    count === 0 ? noPhotos : photos(count, format.count(count)),
    waitingCount > 0 && waiting(waitingCount, format.count(waitingCount)),
  ]
  return (
    <>
      <header className="page-head event-head">
        <div>
          <Link className="link small" to={paths.events}>
            <ArrowLeft className="icon" />
            {text.back}
          </Link>
          <div className="event-head__name">
            <PageHeading translate="no">{name}</PageHeading>
            <StateBadge event={event} />
          </div>
          <p className="tabular-numbers">{facts.filter(Boolean).join(' · ')}</p>
        </div>
        {event.deleted_at === null && (
          <div className="row">
            <Link className={buttonClass({})} to={pageOfEvent(paths.gallery, id)}>
              <LayoutGrid className="icon" />
              {text.open.gallery}
            </Link>
            <Link className={buttonClass({})} to={insightsOfEvent(event, today)}>
              <ChartColumn className="icon" />
              {text.open.insights}
            </Link>
            <ReviewButton event={event} />
            {event.is_current && (
              <Link className={buttonClass({})} to={paths.latest}>
                <Monitor className="icon" />
                {text.open.screen}
              </Link>
            )}
          </div>
        )}
      </header>
      {event.deleted_at !== null ? <DeletedNote event={event} /> : <Settings event={event} />}
    </>
  )
}

function DeletedNote({ event }: { event: Event }) {
  const text = useText({ event: messages })
  const { bringBack } = useText({ events: listMessages })
  const format = useFormat()
  const { mutate, isPending } = useUndoDelete()
  return (
    <div className="stack event-deleted">
      <Note tone="warn">{text.deletedNote(event.gone_at === null ? '' : format.dateTime(event.gone_at))}</Note>
      <div className="row">
        <Button busy={isPending} onClick={() => mutate(event)}>
          {!isPending && <Undo2 className="icon" />}
          {bringBack}
        </Button>
      </div>
    </div>
  )
}

function Settings({ event }: { event: Event }) {
  const text = useText({ event: messages })
  const { about, current, gate, gallery, guests, end } = text
  return (
    <div className="settings__list">
      <Section id="new-photos" title={current.name} lead={current.lead}>
        <CurrentSetting event={event} />
      </Section>
      <Section id="about" title={about.name} lead={about.lead}>
        <AboutForm event={event} />
      </Section>
      <EventCodes event={event} />
      <Section id="gallery" title={gallery.name} lead={gallery.lead}>
        <GuestGallerySettings event={event} />
      </Section>
      <Section id="guests" title={guests.name} lead={guests.lead}>
        <GuestPhotosSettings event={event} />
      </Section>
      <Helpers event={event} />
      <Section id="gate" title={gate.name} lead={gate.lead}>
        <GateSetting event={event} />
      </Section>
      <EventArchive event={event} />
      <Section id="end" title={end.name}>
        <div className="security-actions">
          <ArchiveSetting event={event} />
          <DeleteSetting event={event} />
        </div>
      </Section>
    </div>
  )
}

/** Whether new photos go here, which nothing but this button changes. */
function CurrentSetting({ event }: { event: Event }) {
  const text = useText({ event: messages }).current
  const { mutate, isPending } = useSetCurrentEvent()
  const nameOf = useEventName()
  const current = useCurrentUser().user?.current_event_id ?? null
  const sentence = event.is_current ? text.here : current === null ? text.nowhere : text.elsewhere(nameOf(current))
  return (
    <div className="event-current">
      <p>
        <span className={event.is_current ? 'dot' : 'dot dot--warn'} aria-hidden="true" />{' '}
        <span key={sentence}>{sentence}</span>
      </p>
      <p className="small muted">{text.hint}</p>
      {isOpen(event) && (
        <div className="row">
          <Button
            tone={event.is_current ? 'quiet' : 'primary'}
            busy={isPending}
            onClick={() => mutate(event.is_current ? null : event)}
          >
            {event.is_current ? text.stop : text.start}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Name and days, saved together with a button. */
function AboutForm({ event }: { event: Event }) {
  const text = useText({ event: messages })
  const { names, days: dayMessages } = useText({ events: listMessages })
  const saved = { name: event.name, from: event.starts_on ?? '', to: event.ends_on ?? '' }
  const [draft, setDraft] = useState<Partial<typeof saved>>({})
  const [isChecked, setChecked] = useState(false)
  const [message, showMessage] = useTemporaryMessage()
  const form = useRef<HTMLFormElement>(null)
  const values = { ...saved, ...draft }
  const name = normalizeName(values.name)
  const nameProblem = eventNameProblem(name)
  const days = problemOfDays(values)
  const errors: Partial<Record<string, string>> = {
    ...(nameProblem !== null && { name: names[nameProblem] }),
    ...(days && { [days.field]: dayMessages[days.why] }),
  }
  const shown = isChecked ? errors : {}
  const change = (fields: Partial<typeof saved>): void => setDraft((before) => ({ ...before, ...fields }))
  const { mutate, isPending } = useMutation({
    mutationFn: useChangeEvent(event.id),
    onSuccess() {
      setDraft({})
      setChecked(false)
      showMessage({ tone: 'ok', text: text.saved })
    },
    onError: (error) => showMessage({ tone: 'bad', text: errorMessage(error, text.failed) }),
  })
  const submit = (submitted: SubmitEvent): void => {
    submitted.preventDefault()
    setChecked(true)
    const [first] = Object.keys(errors)
    if (first) form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus()
    else if (!isPending) mutate({ name, starts_on: values.from || null, ends_on: values.to || null })
  }
  return (
    <form className="stack event-about" ref={form} onSubmit={submit} noValidate>
      <Field
        name="name"
        label={text.about.label}
        autoComplete="off"
        translate="no"
        maxLength={2 * nameChars.event}
        value={values.name}
        error={shown['name']}
        onChange={({ target }) => change({ name: target.value })}
      />
      <DaysFields days={values} errors={shown} onChange={change} />
      <div className="row">
        <Button type="submit" busy={isPending}>
          {text.save}
        </Button>
      </div>
      <SaveStatus message={message} />
    </form>
  )
}

/** Whether guests give an email address: as the account says, or an answer of its own. */
function GateSetting({ event }: { event: Event }) {
  const text = useText({ event: messages })
  const asks = useCurrentUser().user?.ask_email_to_receive_photo ?? false
  const { value, change, message } = useSavedOfEvent(event, 'ask_email', text)
  const values = { account: null, on: true, off: false }
  const chosen = value === null ? 'account' : value ? 'on' : 'off'
  return (
    <Choices
      legend={text.gate.label}
      options={[
        { value: 'account', label: text.gate.account(asks) },
        { value: 'on', label: text.gate.on },
        { value: 'off', label: text.gate.off },
      ]}
      setting={{ value: chosen, message, change: (next) => change(values[next]) }}
    />
  )
}

function ArchiveSetting({ event }: { event: Event }) {
  const text = useText({ event: messages })
  const toast = useToast()
  const isArchived = event.archived_at !== null
  const { mutate, isPending } = useMutation({
    mutationFn: useChangeEvent(event.id),
    onSuccess: (_, { archived }) =>
      toast({
        text: archived ? text.end.archivedToast(event.name) : text.saved,
        ...(archived && { action: { label: text.end.undo, run: () => mutate({ archived: false }) } }),
      }),
    onError: (error) => toast({ text: refusalMessage(error, text.failed), tone: 'bad' }),
  })
  return (
    <ActionRow name={text.end.archive} hint={isArchived ? text.archivedNote : text.end.archiveHint}>
      <Button busy={isPending} onClick={() => mutate({ archived: !isArchived })}>
        {isArchived ? text.unarchive : text.end.archiveAction}
      </Button>
    </ActionRow>
  )
}

function DeleteSetting({ event }: { event: Event }) {
  const text = useText({ event: messages }).end
  const [isAsking, setIsAsking] = useState(false)
  return (
    <ActionRow name={text.delete} hint={text.deleteHint}>
      <Button tone="danger" onClick={() => setIsAsking(true)}>
        {text.deleteAction}
      </Button>
      <DeleteDialog event={event} open={isAsking} onClose={() => setIsAsking(false)} />
    </ActionRow>
  )
}

/** Says how many photos go with the event, and offers to keep them. */
function DeleteDialog({ event, open, onClose }: { event: Event; open: boolean; onClose: () => void }) {
  const text = useText({ event: messages }).end
  const { bringBack } = useText({ events: listMessages })
  const { cancel } = useText({ states })
  const format = useFormat()
  const api = useApi()
  const queryClient = useQueryClient()
  const { queryKey } = eventsQuery(api)
  const refetch = useRefetchEvents()
  const navigate = useNavigate()
  const toast = useToast()
  const undo = useUndoDelete()
  const id = useId()
  const [keeps, setKeeps] = useState(false)
  const count = event.photo_count + event.waiting_count
  const written = format.count(count)
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => api.call(deleteEvent, { params: { id: event.id }, query: { photos: keeps ? 'keep' : 'delete' } }),
    onSuccess(deleted) {
      queryClient.setQueryData(queryKey, (list) => list?.map((one) => (one.id === deleted.id ? deleted : one)))
      refetch()
      toast({
        id: 'event',
        text: text.deleted(event.name),
        action: { label: bringBack, run: () => undo.mutate(event) },
      })
      void navigate(paths.events)
    },
  })
  const close = (): void => {
    reset()
    setKeeps(false)
    onClose()
  }
  return (
    <Dialog role="alertdialog" open={open} onClose={close} title={text.title(event.name)} aria-describedby={id}>
      <div id={id} className="stack dialog__question">
        <p>{keeps ? text.keepQuestion : text.question(count, written)}</p>
        {count > 0 && (
          <label className="event-delete__keep">
            <input type="checkbox" checked={keeps} onChange={({ target }) => setKeeps(target.checked)} />
            <span>{text.keep(count, written)}</span>
          </label>
        )}
        <p className="small muted">{keeps ? text.undoKeepHint : text.undoHint}</p>
      </div>
      {error && <Note tone="bad">{errorMessage(error, text.deleteFailed)}</Note>}
      <div className="dialog__actions">
        <Button onClick={close}>{cancel}</Button>
        <Button tone="danger" busy={isPending} onClick={() => mutate()}>
          {keeps ? text.confirmKeep : text.confirm}
        </Button>
      </div>
    </Dialog>
  )
}
