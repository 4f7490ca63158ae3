import { KeyRound, Plus, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ApiKey, createApiKey, deleteApiKey } from '@keepsnap/contract/integrations.ts'
import { apiKeyNameProblem, normalizeName } from '@keepsnap/contract/form-rules.ts'
import { confirmPassword } from '@keepsnap/contract/security.ts'
import { planIds, plans } from '@keepsnap/contract/plans.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { eventMenu } from '../../messages/en/events.ts'
import { apiKeys } from '../../messages/en/integrations.ts'
import { names, security } from '../../messages/en/settings.ts'
import { ConfirmAction, Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { Field, SelectField } from '../../ui/Field.tsx'
import { useApi, useCurrentUser } from '../../lib/app-services.tsx'
import { QueryView, Skeleton } from '../../ui/QueryView.tsx'
import { states } from '../../messages/en/frame.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Note } from '../../ui/Note.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import type { Format } from '../../lib/format.ts'
import type { Catalogue } from '../../messages/en.ts'
import type { UserPlan } from '../plans/plan-status.ts'
import { usage } from '../../messages/en/plans.ts'
import { Upsell } from '../../ui/Upsell.tsx'
import { usePasswordConfirmation } from '../../ui/usePasswordConfirmation.tsx'
import { EventField } from '../events/EventField.tsx'
import { hasEvents, useEventName, useEvents } from '../events/events.ts'
import { apiKeysQuery, refetchApiKeys } from './api-keys.ts'
import './api-keys.css'

/** The cheapest plan with API keys. */
const planWithKeys = planIds.map((id) => plans[id]).find(({ features }) => features.api_access)

/** API keys; for plans that do not include them, an upgrade prompt. */
export const ApiKeysCard = ({ plan }: { plan: UserPlan }) =>
  plan.features.api_access ? <ApiKeys /> : <ApiKeysPrompt plan={plan} />

function ApiKeysPrompt({ plan }: { plan: UserPlan }) {
  const text = useText({ apiKeys })
  const { yourPlan } = useText({ usage })
  const format = useFormat()
  const api = useApi()
  const { data: keys = [] } = useQuery(apiKeysQuery(api))
  const art = (
    <code className="code upsell__code" aria-hidden="true" translate="no">
      {uploadCommand(api.origin, '…')}
    </code>
  )
  return (
    <Upsell
      art={art}
      heading={text.heading}
      lead={`${text.partOf(planWithKeys?.name ?? '')} ${yourPlan(plan.name)}`}
      {...(keys.length > 0 && { note: text.waiting(format.count(keys.length), keys.length === 1) })}
      action={text.action}
      line
    />
  )
}

/** The command that uploads a photo with a key. */
const uploadCommand = (origin: string, key: string): string =>
  `curl -H "X-API-Key: ${key}" \\\n  -F "file=@photo.jpg" \\\n  ${origin}/api/upload`

/** The API keys of the account: list, create and delete. */
function ApiKeys() {
  const text = useText({ apiKeys })
  const { tryAgain } = useText({ states })
  const toast = useToast()
  const api = useApi()
  const queryClient = useQueryClient()
  const query = useQuery(apiKeysQuery(api))
  const [isCreating, setIsCreating] = useState(false)
  const [newKey, setNewKey] = useState<ApiKey | null>(null)
  const [keyToDelete, setKeyToDelete] = useState<ApiKey | null>(null)
  const { queryKey } = apiKeysQuery(api)
  const deletion = useMutation({
    mutationFn: (id: string) => api.call(deleteApiKey, { params: { id } }),
    async onSuccess(_, id) {
      await queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData(queryKey, (list) => list?.filter((key) => key.id !== id))
    },
    onError: () => refetchApiKeys(queryClient),
  })
  return (
    <>
      {newKey && <NewKey apiKey={newKey} onDone={() => setNewKey(null)} />}
      <QueryView
        query={query}
        loading={<Loading />}
        failed={text.loadFailed}
        renderFailed={({ sentence, busy, onRetry }) => (
          <>
            <Note tone="bad">{sentence}</Note>
            <div className="row">
              <Button busy={busy} onClick={onRetry}>
                {tryAgain}
              </Button>
            </div>
          </>
        )}
      >
        {(keys) =>
          keys.length === 0 ? (
            <div className="card api-keys__empty">
              <KeyRound className="icon" />
              <p>{text.empty}</p>
              <Button tone="primary" onClick={() => setIsCreating(true)}>
                <Plus className="icon" />
                {text.createFirst}
              </Button>
              <p className="small muted">{text.scope}</p>
            </div>
          ) : (
            <>
              <ul className="api-keys" aria-label={text.list}>
                {keys.map((key) => (
                  <li key={key.id} className={key.id === newKey?.id ? 'api-keys__new' : undefined}>
                    <KeyRound className="icon" />
                    <KeyDetails apiKey={key} now={query.dataUpdatedAt} />
                    <Button tone="ghost" icon aria-label={text.deleteOne(key.name)} onClick={() => setKeyToDelete(key)}>
                      <Trash2 className="icon" />
                    </Button>
                  </li>
                ))}
              </ul>
              <div className="row row--between">
                <Button onClick={() => setIsCreating(true)}>
                  <Plus className="icon" />
                  {text.create}
                </Button>
                <p className="small muted">{text.scope}</p>
              </div>
            </>
          )
        }
      </QueryView>
      <Dialog open={isCreating} onClose={() => setIsCreating(false)} title={text.creation.title}>
        <p>{text.creation.lead}</p>
        <CreateKeyForm
          onClose={() => setIsCreating(false)}
          onCreated={(key) => {
            setIsCreating(false)
            setNewKey(key)
            toast({ text: text.creation.created })
          }}
        />
      </Dialog>
      <ConfirmAction
        open={keyToDelete !== null}
        title={text.deletion.title}
        question={text.deletion.question(keyToDelete?.name ?? '')}
        confirm={text.deletion.confirm}
        dismiss={text.deletion.keep}
        action={deletion}
        input={keyToDelete?.id ?? ''}
        problemOf={(error) => errorMessage(error, text.deletion.failed)}
        onDone={() => {
          if (newKey?.id === keyToDelete?.id) setNewKey(null)
          toast({ text: text.deletion.deleted })
        }}
        onClose={() => setKeyToDelete(null)}
      />
    </>
  )
}

function Loading() {
  const { loading } = useText({ states })
  return (
    <div className="card api-keys__loading">
      <output className="visually-hidden">{loading}</output>
      <Skeleton height="3rem" />
      <Skeleton height="3rem" />
    </div>
  )
}

/** `now`: when the list was fetched, in milliseconds. */
function KeyDetails({ apiKey, now }: { apiKey: ApiKey; now: number }) {
  const text = useText({ apiKeys })
  const format = useFormat()
  const { onlyEvent, keyGone } = useText({ eventMenu })
  const nameOf = useEventName()
  const events = useEvents()
  const { name, key, created_at: createdAt, expires_at: expiresAt, event_id: event } = apiKey
  const isGone = event != null && events?.every(({ id, deleted_at }) => id !== event || deleted_at !== null)
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= now
  return (
    <>
      <div className="api-keys__key">
        <b translate="no">{name}</b>
        <span className="small muted tabular-numbers">
          <code translate="no">{key}</code>, {text.createdOn(format.date(createdAt))}
        </span>
        {event != null && <span className="small muted">{isGone ? keyGone : onlyEvent(nameOf(event))}</span>}
        {isExpired && <span className="badge badge--bad">{text.expired}</span>}
        {expiresAt !== null && !isExpired && (
          <span className="small muted tabular-numbers">{text.expiresOn(format.date(expiresAt))}</span>
        )}
      </div>
      <span className="api-keys__use small muted tabular-numbers">
        {lastUseText(apiKey.last_used_at, now, text, format)}
      </span>
    </>
  )
}

const minuteMs = 60_000

/**
 * When a key was last used, with useful precision: in minutes, as a time of today, or as a date. A time after `now`, in
 * milliseconds, counts as now: this device's clock may be behind the server's.
 */
export function lastUseText(iso: string | null, now: number, text: Catalogue['apiKeys'], format: Format): string {
  if (iso === null) return text.neverUsed
  const minutes = Math.floor((now - Date.parse(iso)) / minuteMs)
  // The server updates the time of the last use at most once a minute.
  if (minutes < 2) return text.usedNow
  if (minutes < 60) return text.usedMinutesAgo(format.count(minutes))
  const isToday = new Date(iso).toDateString() === new Date(now).toDateString()
  return isToday ? text.usedToday(format.time(iso)) : text.notUsedSince(format.date(iso))
}

/** The full key, which can be shown only once, and how to use it. Takes the focus, so that it is not missed. */
function NewKey({ apiKey: { name, key }, onDone }: { apiKey: ApiKey; onDone: () => void }) {
  const text = useText({ apiKeys }).newKey
  const { origin } = useApi()
  const box = useRef<HTMLElement>(null)
  const shownKey = useRef<HTMLElement>(null)
  const shownCommand = useRef<HTMLElement>(null)
  const command = uploadCommand(origin, key)
  useEffect(() => box.current?.focus(), [])
  return (
    <section className="new-key" aria-label={text.title(name)} tabIndex={-1} ref={box}>
      <Note tone="ok">{text.copyNow}</Note>
      <div className="new-key__value">
        <code className="tabular-numbers" translate="no" ref={shownKey}>
          {key}
        </code>
        <CopyButton text={key} label={text.key} shownIn={shownKey} tone="quiet" />
      </div>
      <p className="small muted">{text.example}</p>
      <div className="new-key__value">
        <code className="code" translate="no" ref={shownCommand}>
          {command}
        </code>
        <CopyButton text={command} label={text.command} shownIn={shownCommand} tone="quiet" />
      </div>
      <div className="row">
        <Button onClick={onDone}>{text.done}</Button>
      </div>
    </section>
  )
}

/** Asks for the name of a new key and when it expires. */
function CreateKeyForm({ onClose, onCreated }: { onClose: () => void; onCreated: (key: ApiKey) => void }) {
  const format = useFormat()
  const text = useText({ apiKeys }).creation
  const { apiKey: messages } = useText({ names })
  const [name, setName] = useState('')
  const [wasTyped, setWasTyped] = useState(false)
  const [expiresInDays, setExpiresInDays] = useState<number | null>(null)
  const [event, setEvent] = useState<string | null>(null)
  const events = useText({ eventMenu })
  const { user } = useCurrentUser()
  const api = useApi()
  const queryClient = useQueryClient()
  const confirmation = usePasswordConfirmation(useText({ security }).confirmation, (password) =>
    api.call(confirmPassword, { body: { password } }),
  )
  const creation = useMutation({
    // The full key must not stay in the mutation cache.
    gcTime: 0,
    mutationFn() {
      const body = {
        name: normalizedName,
        ...(expiresInDays !== null && { expires_in_days: expiresInDays }),
        ...(event !== null && { event_id: event }),
      }
      return confirmation.run(() => api.call(createApiKey, { body }))
    },
    onSuccess(key) {
      refetchApiKeys(queryClient)
      onCreated(key)
    },
  })
  const failure = confirmation.problemOf(creation.error)
  const normalizedName = normalizeName(name)
  const problem = apiKeyNameProblem(normalizedName)
  const message = problem === null ? undefined : messages[problem]
  return (
    <DialogForm
      errors={message === undefined ? {} : { name: message }}
      problem={failure ? errorMessage(failure, text.failed) : undefined}
      submit={text.submit}
      disabled={normalizedName === ''}
      busy={creation.isPending}
      onSubmit={() => !confirmation.isMissing() && creation.mutate()}
      onClose={onClose}
    >
      {(shown) => (
        <>
          <Field
            name="name"
            label={text.label}
            placeholder={text.placeholder}
            autoComplete="off"
            value={name}
            // A blank name cannot be submitted, so this error is shown before.
            error={shown['name'] ?? (wasTyped && problem === 'missing' ? message : undefined)}
            onChange={({ target }) => {
              setName(target.value)
              setWasTyped(true)
            }}
          />
          <SelectField
            label={text.expiry}
            value={expiresInDays ?? ''}
            choices={[
              { value: '', label: text.expiryNever },
              { value: 30, label: text.expiryDays(format.count(30)) },
              { value: 90, label: text.expiryDays(format.count(90)) },
              { value: 365, label: text.expiryYear },
            ]}
            onChange={({ target }) => setExpiresInDays(target.value === '' ? null : Number(target.value))}
          />
          {hasEvents(user) && (
            <EventField
              label={events.keyEvent}
              value={event}
              none={events.keyAny}
              onChange={setEvent}
              below={<p className="tiny muted">{events.keyHint}</p>}
            />
          )}
          {confirmation.field}
        </>
      )}
    </DialogForm>
  )
}
