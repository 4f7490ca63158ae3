import type { ApiKey } from '@keepsnap/contract/api-keys.ts'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../lib/app-services.tsx'
import { useText } from '../../lib/i18n.tsx'
import { hasFailed } from '../../lib/query-failure.ts'
import { apiKeys } from '../../messages/en/api-keys.ts'
import { states } from '../../messages/en/states.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { CreateKeyDialog } from './CreateKeyDialog.tsx'
import { DeleteKeyDialog } from './DeleteKeyDialog.tsx'
import { KeyList } from './KeyList.tsx'
import { NewKey } from './NewKey.tsx'
import { apiKeysQuery } from './queries.ts'
import './api-keys.css'

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
