import type { ApiKey } from '@keepsnap/contract/api-keys.ts'
import { errorMessage } from '../../lib/error-message.ts'
import { useText } from '../../lib/i18n.tsx'
import { apiKeys } from '../../messages/en/api-keys.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useDeleteKey } from './queries.ts'

interface Props {
  /** Null: closed. */
  apiKey: ApiKey | null
  onClose: () => void
  onDeleted: (id: string) => void
}

/** Asks before a key is deleted. */
export function DeleteKeyDialog({ apiKey, onClose, onDeleted }: Props) {
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
