import type { ApiKey } from '@keepsnap/contract/api-keys.ts'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '../../lib/app-services.tsx'
import { errorMessage } from '../../lib/error-message.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { hasFailed } from '../../lib/query-failure.ts'
import { apiKeys } from '../../messages/en/api-keys.ts'
import { states } from '../../messages/en/states.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Note } from '../../ui/Note.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { CreateKeyDialog } from './CreateKeyDialog.tsx'
import './api-keys.css'
import { lastUseOf } from './last-use.ts'
import { apiKeysQuery, useDeleteKey } from './queries.ts'
import { uploadCommand } from './upload-command.ts'

/** The API keys of the account: list, create and delete. */
export function ApiKeys() {
  const text = useText({ apiKeys })
  const toast = useToast()
  const query = useQuery(apiKeysQuery(useApi()))
  const { data: keys, isFetching, refetch, dataUpdatedAt } = query
  const [isCreating, setIsCreating] = useState(false)
  const [newKey, setNewKey] = useState<ApiKey | null>(null)
  const [keyToDelete, setKeyToDelete] = useState<ApiKey | null>(null)
  return (
    <>
      {newKey && <NewKey apiKey={newKey} onDone={() => setNewKey(null)} />}
      {!keys && (hasFailed(query) ? <LoadFailed busy={isFetching} onRetry={() => void refetch()} /> : <Loading />)}
      {keys?.length === 0 && <Empty onCreate={() => setIsCreating(true)} />}
      {keys && keys.length > 0 && (
        <>
          <KeyList keys={keys} newKeyId={newKey?.id} now={dataUpdatedAt} onDelete={setKeyToDelete} />
          <div className="row row--between">
            <Button onClick={() => setIsCreating(true)}>
              <Plus className="icon" />
              {text.create}
            </Button>
            <p className="small muted">{text.scope}</p>
          </div>
        </>
      )}
      <CreateKeyDialog
        open={isCreating}
        onClose={() => setIsCreating(false)}
        onCreated={(key) => {
          setIsCreating(false)
          setNewKey(key)
          toast({ text: text.creation.created })
        }}
      />
      <DeleteKeyDialog
        apiKey={keyToDelete}
        onClose={() => setKeyToDelete(null)}
        onDeleted={(id) => {
          setKeyToDelete(null)
          if (newKey?.id === id) setNewKey(null)
          toast({ text: text.deletion.deleted })
        }}
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

function LoadFailed({ busy, onRetry }: { busy: boolean; onRetry: () => void }) {
  const text = useText({ apiKeys })
  const { tryAgain } = useText({ states })
  return (
    <>
      <Note tone="bad">{text.loadFailed}</Note>
      <div className="row">
        <Button busy={busy} onClick={onRetry}>
          {tryAgain}
        </Button>
      </div>
    </>
  )
}

function Empty({ onCreate }: { onCreate: () => void }) {
  const text = useText({ apiKeys })
  return (
    <div className="card api-keys__empty">
      <KeyRound className="icon" />
      <p>{text.empty}</p>
      <Button tone="primary" onClick={onCreate}>
        <Plus className="icon" />
        {text.createFirst}
      </Button>
      <p className="small muted">{text.scope}</p>
    </div>
  )
}

interface Props {
  /** Null: closed. */
  apiKey: ApiKey | null
  onClose: () => void
  onDeleted: (id: string) => void
}

/** Asks before a key is deleted. */
function DeleteKeyDialog({ apiKey, onClose, onDeleted }: Props) {
  const text = useText({ apiKeys }).deletion
  const deletion = useDeleteKey(onDeleted)
  return (
    <ConfirmDialog
      open={apiKey !== null}
      title={text.title}
      question={text.question(apiKey?.name ?? '')}
      confirm={text.confirm}
      dismiss={text.keep}
      problem={deletion.error && errorMessage(deletion.error, text.failed)}
      busy={deletion.isPending}
      onConfirm={() => apiKey && deletion.mutate(apiKey.id)}
      onClose={() => {
        deletion.reset()
        onClose()
      }}
    />
  )
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

interface KeyListProps {
  keys: readonly ApiKey[]
  /** The key that was just created. */
  newKeyId: string | undefined
  /** When the list was fetched, in milliseconds. */
  now: number
  onDelete: (key: ApiKey) => void
}

function KeyList({ keys, newKeyId, now, onDelete }: KeyListProps) {
  const text = useText({ apiKeys })
  return (
    <ul className="api-keys" aria-label={text.list}>
      {keys.map((key) => (
        <li key={key.id} className={key.id === newKeyId ? 'api-keys__new' : undefined}>
          <KeyRound className="icon" />
          <KeyDetails apiKey={key} now={now} />
          <LastUse lastUsedAt={key.last_used_at} now={now} />
          <Button tone="ghost" icon aria-label={text.deleteOne(key.name)} onClick={() => onDelete(key)}>
            <Trash2 className="icon" />
          </Button>
        </li>
      ))}
    </ul>
  )
}

function KeyDetails({ apiKey, now }: { apiKey: ApiKey; now: number }) {
  const text = useText({ apiKeys })
  const format = useFormat()
  const { name, key, created_at: createdAt, expires_at: expiresAt } = apiKey
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= now
  return (
    <div className="api-keys__key">
      <b translate="no">{name}</b>
      <span className="small muted tabular-numbers">
        <code translate="no">{key}</code>, {text.createdOn(format.date(createdAt))}
      </span>
      {isExpired && <span className="badge badge--bad">{text.expired}</span>}
      {expiresAt !== null && !isExpired && (
        <span className="small muted tabular-numbers">{text.expiresOn(format.date(expiresAt))}</span>
      )}
    </div>
  )
}

function LastUse({ lastUsedAt, now }: { lastUsedAt: string | null; now: number }) {
  const text = useText({ apiKeys })
  const format = useFormat()
  const lastUse = lastUseOf(lastUsedAt, now)
  const sentences = {
    never: () => text.neverUsed,
    now: () => text.usedNow,
    minutes: () => text.usedMinutesAgo(format.count('minutes' in lastUse ? lastUse.minutes : 0)),
    today: () => text.usedToday(format.time(lastUsedAt ?? '')),
    before: () => text.notUsedSince(format.date(lastUsedAt ?? '')),
  }
  return <span className="api-keys__use small muted tabular-numbers">{sentences[lastUse.kind]()}</span>
}
