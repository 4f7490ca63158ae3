import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link2, Plus, Smartphone, Trash2, Undo2, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import {
  allowHelperDevice,
  createHelper,
  endHelper,
  type Helper,
  type HelperWithLink,
  removeHelper,
  renewHelperLink,
  undoHelper,
} from '@keepsnap/contract/event-helpers.ts'
import type { Event } from '@keepsnap/contract/events.ts'
import { contributorNameProblem, nameChars, normalizeName } from '@keepsnap/contract/form-rules.ts'
import { confirmPassword } from '@keepsnap/contract/security.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import { useApi } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { helpers as messages } from '../../messages/en/event-helpers.ts'
import { security } from '../../messages/en/settings.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { ConfirmAction, Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Note } from '../../ui/Note.tsx'
import { LoadFailedNote, QueryView, Skeleton } from '../../ui/QueryView.tsx'
import { Section } from '../../ui/SectionLinks.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { usePasswordConfirmation } from '../../ui/usePasswordConfirmation.tsx'
import { useLive } from '../live/live-context.ts'
import { helpersOfEventQuery } from './event-grants.ts'
import './helpers.css'

type Asked = 'undo' | 'end' | 'remove' | 'link'

/** Who reviews the photos of an event for its owner, and what they did. */
export function Helpers({ event: { id } }: { event: Event }) {
  const text = useText({ helpers: messages })
  const api = useApi()
  const queryClient = useQueryClient()
  const query = useQuery(helpersOfEventQuery(api, id))
  const [asked, setAsked] = useState<{ what: Asked; helper: Helper } | 'new' | null>(null)
  const [made, setMade] = useState<HelperWithLink | null>(null)
  const refetch = (): void => void queryClient.invalidateQueries({ queryKey: helpersOfEventQuery(api, id).queryKey })
  useRefetchOfCounts(id)
  const toast = useToast()
  const allowance = useMutation({
    mutationFn: ({ id: helperId, asked_at: askedAt }: Helper) =>
      api.call(allowHelperDevice, {
        params: { id, helper_id: helperId },
        body: { asked_at: askedAt ?? '' },
      }),
    onSuccess: () => toast({ text: text.allowed }),
    onError: (error) => toast({ text: errorMessage(error, text.failed), tone: 'bad' }),
    onSettled: refetch,
  })
  const close = (): void => setAsked(null)
  const onMade = (helper: HelperWithLink): void => {
    close()
    setMade(helper)
    refetch()
  }
  const helper = asked === 'new' ? null : asked?.helper
  return (
    <Section id="helpers" title={text.heading} lead={text.lead}>
      <QueryView
        query={query}
        loading={<Skeleton height="3rem" />}
        failed={text.loadFailed}
        renderFailed={(failure) => <LoadFailedNote {...failure} />}
      >
        {({ helpers }) => (
          <>
            {helpers.length === 0 ? (
              <p className="muted">{text.none}</p>
            ) : (
              <ul className="helpers" aria-label={text.list}>
                {helpers.map((one) => (
                  <HelperItem
                    key={one.id}
                    helper={one}
                    busy={allowance.isPending && allowance.variables.id === one.id}
                    onAllow={() => allowance.mutate(one)}
                    onAsk={(what) => setAsked({ what, helper: one })}
                  />
                ))}
              </ul>
            )}
            <div className="row">
              <Button onClick={() => setAsked('new')}>
                <Plus className="icon" />
                {text.add}
              </Button>
            </div>
          </>
        )}
      </QueryView>
      <Dialog
        open={asked === 'new' || (asked !== null && asked.what === 'link')}
        onClose={close}
        title={helper ? text.renewal.title(helper.name) : text.add}
      >
        <LinkForm eventId={id} helper={helper ?? null} onMade={onMade} onClose={close} />
      </Dialog>
      <LinkDialog made={made} onClose={() => setMade(null)} />
      {asked !== null && asked !== 'new' && asked.what !== 'link' && (
        <Question eventId={id} what={asked.what} helper={asked.helper} onSettled={refetch} onClose={close} />
      )}
    </Section>
  )
}

/** What helpers do changes the review, not the events. */
function useRefetchOfCounts(id: string): void {
  const live = useLive()
  const queryClient = useQueryClient()
  const { queryKey } = helpersOfEventQuery(useApi(), id)
  useEffect(
    () =>
      live?.onMessage((message) => {
        if (message.action === 'review_changed' && message.event_id === id)
          void queryClient.invalidateQueries({ queryKey })
      }),
    [live, queryClient, queryKey, id],
  )
}

interface ItemProps {
  helper: Helper
  busy: boolean
  onAllow: () => void
  onAsk: (what: Asked) => void
}

function HelperItem({ helper, busy, onAllow, onAsk }: ItemProps) {
  const text = useText({ helpers: messages })
  const format = useFormat()
  const { name, state, approved, rejected, hidden, begun_at: begunAt, asked_at: askedAt, last_seen_at: seenAt } = helper
  const done = approved + rejected + hidden
  const counts = text.counts(format.count(approved), format.count(rejected), format.count(hidden))
  const facts = [
    state !== 'ended' && begunAt !== null && text.since(format.dateTime(begunAt)),
    seenAt !== null && text.lastSeen(format.dateTime(seenAt)),
    state !== 'ended' && text.until(format.dateTime(helper.expires_at)),
  ].filter(Boolean)
  const button = (label: string, Icon: typeof X, act: () => void) => (
    <Button tone="ghost" aria-label={text.of(label, name)} onClick={act}>
      <Icon className="icon" />
      {label}
    </Button>
  )
  return (
    <li>
      <div className="helpers__details">
        <p>
          <b translate="no" dir="auto">
            {name}
          </b>{' '}
          <span className={state === 'asks' ? 'badge badge--warn' : state === 'begun' ? 'badge badge--ok' : 'badge'}>
            {text.states[state]}
          </span>
        </p>
        {facts.length > 0 && <p className="small muted tabular-numbers">{facts.join(' · ')}</p>}
        <p className="small tabular-numbers">{done === 0 ? text.nothing : counts}</p>
      </div>
      {state === 'asks' && askedAt !== null && (
        <Note tone="warn">
          <span>{text.asked(format.dateTime(askedAt))}</span>
          <Button busy={busy} aria-label={text.of(text.allow, name)} onClick={onAllow}>
            {!busy && <Smartphone className="icon" />}
            {text.allow}
          </Button>
        </Note>
      )}
      <div className="row helpers__actions">
        {done > 0 && button(text.undo, Undo2, () => onAsk('undo'))}
        {state !== 'ended' && button(text.newLink, Link2, () => onAsk('link'))}
        {state !== 'ended'
          ? button(text.end, X, () => onAsk('end'))
          : button(text.remove, Trash2, () => onAsk('remove'))}
      </div>
    </li>
  )
}

interface QuestionProps {
  eventId: string
  what: Exclude<Asked, 'link'>
  helper: Helper
  onSettled: () => void
  onClose: () => void
}

/** Asks before everything of a helper is undone, or the helper is ended or removed. */
function Question({ eventId, what, helper, onSettled, onClose }: QuestionProps) {
  const text = useText({ helpers: messages })
  const api = useApi()
  const format = useFormat()
  const toast = useToast()
  const queryClient = useQueryClient()
  const [input] = useState({ params: { id: eventId, helper_id: helper.id } })
  const words = { undo: text.undoing, end: text.ending, remove: text.removal }[what]
  const action = useMutation({
    mutationFn: async (of: typeof input): Promise<string> => {
      if (what === 'undo') {
        const { waiting, shown } = await api.call(undoHelper, of)
        return text.undoing.done(format.count(waiting), format.count(shown))
      }
      await api.call(what === 'end' ? endHelper : removeHelper, of)
      return what === 'end' ? text.ending.done : text.removal.done
    },
    onSettled() {
      onSettled()
      if (what === 'undo') void queryClient.invalidateQueries({ queryKey: ['review'] })
    },
  })
  const question =
    what === 'undo'
      ? text.undoing.question(format.count(helper.approved + helper.rejected), format.count(helper.hidden))
      : (what === 'end' ? text.ending : text.removal).question
  return (
    <ConfirmAction
      open
      title={words.title(helper.name)}
      question={question}
      details={what === 'undo' && helper.state !== 'ended' && <p>{text.undoing.open}</p>}
      confirm={words.confirm}
      action={action}
      input={input}
      problemOf={(error) => errorMessage(error, text.failed)}
      onDone={(done) => toast({ text: done })}
      onClose={onClose}
    />
  )
}

interface LinkFormProps {
  eventId: string
  /** Whose link is replaced; null for a new helper. */
  helper: Helper | null
  onMade: (helper: HelperWithLink) => void
  onClose: () => void
}

/** Asks for the name of a new helper, and for the password where the server does. */
function LinkForm({ eventId, helper, onMade, onClose }: LinkFormProps) {
  const text = useText({ helpers: messages })
  const api = useApi()
  const [written, setWritten] = useState('')
  const name = normalizeName(written)
  const problem = helper ? null : contributorNameProblem(name)
  const confirmation = usePasswordConfirmation(useText({ security }).confirmation, (password) =>
    api.call(confirmPassword, { body: { password } }),
  )
  const creation = useMutation({
    mutationFn: () =>
      confirmation.run(() =>
        helper
          ? api.call(renewHelperLink, { params: { id: eventId, helper_id: helper.id } })
          : api.call(createHelper, { params: { id: eventId }, body: { name } }),
      ),
    onSuccess: onMade,
  })
  const failure = confirmation.problemOf(creation.error)
  return (
    <DialogForm
      errors={problem === null ? {} : { name: text.names[problem] }}
      problem={failure ? errorMessage(failure, text.failed) : undefined}
      submit={helper ? text.renewal.submit : text.create}
      busy={creation.isPending}
      onSubmit={() => !confirmation.isMissing() && creation.mutate()}
      onClose={onClose}
    >
      {(shown) => (
        <>
          {helper ? (
            <p>{text.renewal.question}</p>
          ) : (
            <Field
              name="name"
              label={text.name}
              autoComplete="off"
              translate="no"
              maxLength={2 * nameChars.contributor}
              value={written}
              error={shown['name']}
              onChange={({ target }) => setWritten(target.value)}
            >
              <p className="small muted">{text.nameHint}</p>
            </Field>
          )}
          {confirmation.field}
        </>
      )}
    </DialogForm>
  )
}

/** The link, which is shown once. */
function LinkDialog({ made, onClose }: { made: HelperWithLink | null; onClose: () => void }) {
  const text = useText({ helpers: messages }).link
  const address = useRef<HTMLElement>(null)
  return (
    <Dialog open={made !== null} onClose={onClose} title={made ? text.title(made.helper.name) : ''}>
      {made && (
        <div className="stack helper-link">
          <p>{text.lead}</p>
          <img src={`data:image/svg+xml,${encodeURIComponent(made.qr_svg)}`} width="240" height="240" alt={text.qr} />
          <p className="helper-link__address">
            <code className="code" ref={address} translate="no">
              {made.link}
            </code>
            <CopyButton text={made.link} label={text.label} shownIn={address} />
          </p>
          <div className="dialog__actions">
            <Button tone="primary" onClick={onClose}>
              {text.close}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  )
}
