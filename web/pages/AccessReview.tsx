import { deleteApiKeys, type ApiKey } from '@keepsnap/contract/api-keys.ts'
import { deleteWebhooks, type Webhook } from '@keepsnap/contract/webhooks.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { apiKeysQuery } from '../features/api-keys/queries.ts'
import { sessionsQuery } from '../features/security/queries.ts'
import { webhooksQuery } from '../features/webhooks/queries.ts'
import { useApi } from '../lib/app-services.tsx'
import { errorMessage } from '../lib/error-message.ts'
import { useFormat, useText } from '../lib/i18n.tsx'
import { security } from '../messages/en/security.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { useToast } from '../ui/Toasts.tsx'

/** Something that opens the account without a password. */
interface Access {
  id: string
  kind: 'key' | 'webhook'
  /** Name of the key, or host of the webhook. */
  name: string
  createdAt: string
  lastUsedAt: string | null
}

const accessOf = (keys: readonly ApiKey[], webhooks: readonly Webhook[]): Access[] =>
  [
    ...keys.map(({ id, name, created_at, last_used_at }) => {
      return { id, kind: 'key' as const, name, createdAt: created_at, lastUsedAt: last_used_at }
    }),
    ...webhooks.map(({ id, url, url_set_at, last_used_at }) => {
      return { id, kind: 'webhook' as const, name: new URL(url).host, createdAt: url_set_at, lastUsedAt: last_used_at }
    }),
  ].sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))

/**
 * The keys and webhooks of the account, and which of them are to be deleted. What was created since a password was set that may
 * have leaked is selected at first: the present one, or the one before it when it has just been replaced.
 */
export function useAccessReview(leaked: 'present password' | 'previous password') {
  const api = useApi()
  const queryClient = useQueryClient()
  const { data: keys } = useQuery(apiKeysQuery(api))
  const { data: webhooks } = useQuery(webhooksQuery(api))
  const { data: sessions } = useQuery(sessionsQuery(api))
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null)
  const since = leaked === 'present password' ? sessions?.password_set_at : sessions?.previous_password_set_at
  const all = keys && webhooks && since !== undefined ? accessOf(keys, webhooks) : []
  const isSuspect = ({ createdAt }: Access): boolean => Date.parse(createdAt) >= Date.parse(since ?? '')
  const isSelected = (one: Access): boolean => (chosen ? chosen.has(one.id) : isSuspect(one))
  const selected = all.filter(isSelected)
  const idsOf = (kind: Access['kind']): string[] => selected.flatMap((one) => (one.kind === kind ? one.id : []))
  return {
    all,
    isSelected,
    count: selected.length,
    toggle(one: Access) {
      const ids = new Set(selected.map(({ id }) => id))
      if (!ids.delete(one.id)) ids.add(one.id)
      setChosen(ids)
    },
    async deleteSelected() {
      const [keyIds, webhookIds] = [idsOf('key'), idsOf('webhook')]
      if (keyIds.length > 0) await api.call(deleteApiKeys, { body: { ids: keyIds } })
      if (webhookIds.length > 0) await api.call(deleteWebhooks, { body: { ids: webhookIds } })
      for (const query of [apiKeysQuery(api), webhooksQuery(api)])
        void queryClient.invalidateQueries({ queryKey: query.queryKey })
    },
  }
}
type Review = ReturnType<typeof useAccessReview>

/** The keys and webhooks, each with a box to select it. */
export function AccessList({ all, isSelected, toggle }: Review) {
  const { access: text } = useText({ security })
  const format = useFormat()
  const id = useId()
  return (
    <ul className="session-list access-list" aria-label={text.list}>
      {all.map((one) => (
        <li key={one.id}>
          <input
            type="checkbox"
            id={`${id}-${one.id}`}
            checked={isSelected(one)}
            aria-describedby={`${id}-${one.id}-times`}
            onChange={() => toggle(one)}
          />
          <div className="session-list__device">
            <label htmlFor={`${id}-${one.id}`}>
              <b>{one.kind === 'key' ? text.key(one.name) : text.webhook(one.name)}</b>
            </label>
            <span className="session-list__times small muted tabular-numbers" id={`${id}-${one.id}-times`}>
              <span>{text.created(format.date(one.createdAt))}</span>
              <span>{one.lastUsedAt === null ? text.neverUsed : text.used(format.dateTime(one.lastUsedAt))}</span>
            </span>
          </div>
        </li>
      ))}
    </ul>
  )
}

/** After a password reset: shows what still opens the account. Not shown where there is nothing. */
export function AccessReviewDialog({ onClose }: { onClose: () => void }) {
  const { access: text } = useText({ security })
  const toast = useToast()
  const format = useFormat()
  const review = useAccessReview('previous password')
  const deletion = useMutation({
    mutationFn: review.deleteSelected,
    onSuccess() {
      toast({ text: text.done })
      onClose()
    },
  })
  const isAnySelected = review.count > 0
  return (
    <ConfirmDialog
      open={review.all.length > 0}
      title={text.title}
      question={text.lead}
      details={<AccessList {...review} />}
      confirm={isAnySelected ? text.delete(format.count(review.count)) : text.keepAll}
      tone={isAnySelected ? 'danger' : 'primary'}
      {...(isAnySelected && { dismiss: text.keepAll })}
      problem={deletion.error && errorMessage(deletion.error, text.failed)}
      busy={deletion.isPending}
      onConfirm={() => (isAnySelected ? deletion.mutate() : onClose())}
      onClose={onClose}
    />
  )
}
