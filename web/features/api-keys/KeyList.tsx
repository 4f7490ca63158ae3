import type { ApiKey } from '@keepsnap/contract/api-keys.ts'
import { KeyRound, Trash2 } from 'lucide-react'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { apiKeys } from '../../messages/en/api-keys.ts'
import { Button } from '../../ui/Button.tsx'
import { lastUseOf } from './last-use.ts'

interface Props {
  keys: readonly ApiKey[]
  /** The key that was just created. */
  newKeyId: string | undefined
  /** When the list was fetched, in milliseconds. */
  now: number
  onDelete: (key: ApiKey) => void
}

export function KeyList({ keys, newKeyId, now, onDelete }: Props) {
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
