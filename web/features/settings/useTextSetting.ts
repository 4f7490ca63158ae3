import type { User } from '@keepsnap/contract/accounts.ts'
import { updateSettings } from '@keepsnap/contract/settings.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../lib/app-services.tsx'
import { currentUserQuery } from '../../lib/current-user.ts'
import { errorMessage } from '../../lib/error-message.ts'
import { useTemporaryMessage, type TemporaryMessage } from '../../lib/temporary-message.ts'

export interface TextSetting {
  /** `onSettled` is called after success or failure, unless a later value is being saved. */
  save: (value: string, onSettled?: () => void) => void
  isSaving: boolean
  /** Why the last value was not saved, until `clearError`. */
  error: string | undefined
  clearError: () => void
  /** That it was saved, for three seconds. */
  message: TemporaryMessage | null
}

/** A setting that is a text. An empty brand name or time zone is none. */
export function useTextSetting(
  name: 'username' | 'brand_name' | 'time_zone',
  text: { saved: string; failed: string },
): TextSetting {
  const api = useApi()
  const queryClient = useQueryClient()
  const [message, showMessage] = useTemporaryMessage()
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (value: string) =>
      api.call(updateSettings, { body: { [name]: value === '' && name !== 'username' ? null : value } }),
    scope: { id: 'settings' },
    onMutate: () => queryClient.cancelQueries(currentUserQuery(api)),
    onSuccess(saved) {
      queryClient.setQueryData<User>(currentUserQuery(api).queryKey, (before) => ({ ...before, ...saved }))
      showMessage({ tone: 'ok', text: text.saved })
    },
  })
  return {
    save: (value, onSettled) => mutate(value, { ...(onSettled && { onSettled }) }),
    isSaving: isPending,
    error: error === null ? undefined : errorMessage(error, text.failed),
    // Not during a save, which has no error: `reset` would clear its pending state.
    clearError() {
      if (error !== null) reset()
    },
    message,
  }
}
