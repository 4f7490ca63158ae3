import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ExternalLink, Plus, Printer, RefreshCw, Trash2 } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { Link } from 'react-router'
import { createEventCodes, type EventCode, eventCodeImage, revokeEventCode } from '@keepsnap/contract/event-guests.ts'
import type { Event } from '@keepsnap/contract/events.ts'
import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import { useApi, useMediaUrl } from '../../lib/app-services.tsx'
import { useText } from '../../lib/i18n.tsx'
import { printOfEvent } from '../../lib/paths.ts'
import { useServerSentence } from '../../lib/server-sentences.ts'
import { eventCodes } from '../../messages/en/event-guests.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { ConfirmAction } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Note } from '../../ui/Note.tsx'
import { LoadFailedNote, QueryView, Skeleton } from '../../ui/QueryView.tsx'
import { Section } from '../../ui/SectionLinks.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { eventCodesQuery } from './codes.ts'
import './event-codes.css'

/** The codes of an event, for its owner: its own with its picture, and those of tables. */
export function EventCodes({ event }: { event: Event }) {
  const text = useText({ eventCodes })
  const query = useQuery(eventCodesQuery(useApi(), event.id))
  return (
    <Section id="codes" title={text.heading}>
      <QueryView
        query={query}
        loading={<Skeleton height="14rem" />}
        failed={text.errors.load}
        renderFailed={(failure) => <LoadFailedNote {...failure} />}
      >
        {(codes) => (
          <div className="event-codes">
            <OwnCode event={event} code={codes[0]} />
            <Tables event={event} codes={codes.slice(1)} />
          </div>
        )}
      </QueryView>
    </Section>
  )
}

/** Changes the codes; the answer is the new list. */
function useCodesChange<Change>(id: string, send: (change: Change) => Promise<{ codes: EventCode[] }>) {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: send,
    async onSuccess({ codes }) {
      const { queryKey } = eventCodesQuery(api, id)
      await queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData(queryKey, codes)
      // Its address is that of the code.
      void queryClient.invalidateQueries({ queryKey: ['events'] })
    },
  })
}

const useProblem = (): ((error: Error) => string) => {
  const { errors } = useText({ eventCodes })
  const translate = useServerSentence()
  return (error) => translate(errorMessage(error, errors.change)) ?? errors.change
}

function OwnCode({ event, code }: { event: Event; code: EventCode | undefined }) {
  const text = useText({ eventCodes })
  const api = useApi()
  const media = useMediaUrl()
  const toast = useToast()
  const problemOf = useProblem()
  const address = useRef<HTMLElement>(null)
  const [isAsking, setIsAsking] = useState(false)
  const renewal = useCodesChange(event.id, () =>
    api.call(createEventCodes, { params: { id: event.id }, body: { kind: 'event' } }),
  )
  if (!code) return null
  return (
    <div className="event-codes__own">
      <img src={media(eventCodeImage(code.url)) ?? undefined} width="41" height="41" alt={text.alt} />
      <div className="stack">
        <p>{text.lead}</p>
        {event.gallery === 'off' && event.guest_photos === 'off' && <Note tone="warn">{text.off}</Note>}
        <p className="event-codes__address">
          <code className="code" ref={address} translate="no">
            {code.url}
          </code>
          <CopyButton text={code.url} label={text.heading} shownIn={address} />
        </p>
        <div className="row">
          <Link className={buttonClass({ tone: 'primary' })} to={printOfEvent(event.id)}>
            <Printer className="icon" />
            {text.print}
          </Link>
          <a className={buttonClass({})} href={code.url} target="_blank" rel="noreferrer">
            <ExternalLink className="icon" />
            {text.open}
          </a>
          <Button tone="ghost" onClick={() => setIsAsking(true)}>
            <RefreshCw className="icon" />
            {text.renew}
          </Button>
        </div>
      </div>
      <ConfirmAction
        open={isAsking}
        title={text.confirmRenew.title}
        question={text.confirmRenew.question}
        confirm={text.confirmRenew.confirm}
        action={renewal}
        input={undefined}
        problemOf={problemOf}
        onDone={() => toast({ text: text.confirmRenew.done })}
        onClose={() => setIsAsking(false)}
      />
    </div>
  )
}

const usualTables = 10

function Tables({ event, codes }: { event: Event; codes: EventCode[] }) {
  const text = useText({ eventCodes })
  const words = text.tables
  const api = useApi()
  const toast = useToast()
  const problemOf = useProblem()
  const [count, setCount] = useState(String(usualTables))
  const [label, setLabel] = useState('')
  const [revoked, setRevoked] = useState<EventCode | null>(null)
  const room = eventLimits.codesMax - 1 - codes.length
  const addition = useCodesChange(event.id, (labels: string[]) =>
    api.call(createEventCodes, { params: { id: event.id }, body: { kind: 'table', labels } }),
  )
  const revocation = useCodesChange(event.id, (code: string) =>
    api.call(revokeEventCode, { params: { id: event.id, code } }),
  )
  const addTables = (submit: FormEvent): void => {
    submit.preventDefault()
    const first = 1 + Math.max(0, ...codes.map((code) => numberIn(code.label)))
    const wanted = Math.min(Math.max(Math.floor(Number(count)) || 0, 0), room)
    if (wanted > 0) addition.mutate(Array.from({ length: wanted }, (_, at) => words.name(first + at)))
  }
  const addOne = (submit: FormEvent): void => {
    submit.preventDefault()
    if (label.trim() !== '') addition.mutate([label], { onSuccess: () => setLabel('') })
  }
  return (
    <div className="stack">
      <h3>{words.heading}</h3>
      <p className="small muted">{words.lead}</p>
      {codes.length > 0 && (
        <ul className="event-codes__tables">
          {codes.map((code) => (
            <li key={code.code}>
              <span className="ellipsis" translate="no">
                {code.label}
              </span>
              <Link
                className={buttonClass({ tone: 'ghost', icon: true })}
                to={printOfEvent(event.id, code.code)}
                aria-label={text.printLabel(code.label)}
              >
                <Printer className="icon" />
              </Link>
              <Button tone="ghost" icon aria-label={words.revokeLabel(code.label)} onClick={() => setRevoked(code)}>
                <Trash2 className="icon" />
              </Button>
            </li>
          ))}
        </ul>
      )}
      {addition.error && <Note tone="bad">{problemOf(addition.error)}</Note>}
      <div className="event-codes__add">
        <form onSubmit={addTables}>
          <Field
            label={words.count}
            type="number"
            inputMode="numeric"
            min={1}
            max={Math.max(room, 1)}
            value={count}
            onChange={({ target }) => setCount(target.value)}
          />
          <Button type="submit" busy={addition.isPending}>
            <Plus className="icon" />
            {words.add}
          </Button>
        </form>
        <form onSubmit={addOne}>
          <Field
            label={words.label}
            value={label}
            maxLength={120}
            autoComplete="off"
            onChange={({ target }) => setLabel(target.value)}
          />
          <Button type="submit">
            <Plus className="icon" />
            {words.addOne}
          </Button>
        </form>
      </div>
      <ConfirmAction
        open={revoked !== null}
        title={text.confirmRevoke.title(revoked?.label ?? '')}
        question={text.confirmRevoke.question}
        confirm={text.confirmRevoke.confirm}
        action={revocation}
        input={revoked?.code ?? ''}
        problemOf={problemOf}
        onDone={() => toast({ text: text.confirmRevoke.done })}
        onClose={() => setRevoked(null)}
      />
    </div>
  )
}

/** The number at the end of a label, so that more tables go on from there; 0 without one. */
const numberIn = (label: string): number => Number(/(\d{1,6})$/.exec(label)?.[1] ?? 0)
