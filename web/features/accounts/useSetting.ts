import { updateSettings, type User } from '@keepsnap/contract/accounts.ts'
import type { Input } from '@keepsnap/contract/endpoint.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { currentUserQuery, useApi, useCurrentUser } from '../../lib/app-services.tsx'
import { type TemporaryMessage, useTemporaryMessage } from '../../ui/SaveStatus.tsx'
import { errorMessage } from '../../lib/api-errors.ts'

export type SettingName =
  | 'use_logo_as_watermark'
  | 'ask_email_to_receive_photo'
  | 'allow_marketing_emails'
  | 'allow_promotional_emails'
  | 'allow_request_removal_emails'
  | 'watermark_size'
  | 'watermark_corner'
  | 'watermark_strength'

export interface Setting<Value = boolean> {
  /** The last choice of the user, also while it is being saved. */
  value: Value
  change: (value: Value) => void
  /** The outcome of the last change, for three seconds. */
  message: TemporaryMessage | null
}

/** One setting of the signed-in user, updated optimistically: it is reset when it cannot be saved. */
export function useSetting<Name extends SettingName>(
  name: Name,
  text: { saved: string; failed: string },
  /** Until the user is known. */
  initial: User[Name],
): Setting<User[Name]> {
  const api = useApi()
  const queryClient = useQueryClient()
  const { user } = useCurrentUser()
  const [message, showMessage] = useTemporaryMessage()
  // Not taken from the mutation, which reports the pending value one task later: the switch would flicker.
  const [pendingValue, setPendingValue] = useState<User[Name] | null>(null)
  const { mutate } = useMutation({
    mutationFn: (value: User[Name]) => {
      const user = queryClient.getQueryData<User>(currentUserQuery(api).queryKey)
      return api.call(updateSettings, { body: settingsBodyOf(name, value, user) })
    },
    // Changes are sent one after the other, so that the last choice is the one that remains.
    scope: { id: 'settings' },
    onMutate: () => queryClient.cancelQueries(currentUserQuery(api)),
    onSuccess(saved, value) {
      // With the choice, for servers that answer with the success only.
      queryClient.setQueryData(currentUserQuery(api).queryKey, (before) => ({ ...before, [name]: value, ...saved }))
      showMessage({ tone: 'ok', text: text.saved })
    },
    onError: (error) => showMessage({ tone: 'bad', text: errorMessage(error, text.failed) }),
  })
  const changeSetting = (value: User[Name]): void => {
    setPendingValue(value)
    // While several changes are pending, only the callback of the last one is called.
    mutate(value, { onSettled: () => setPendingValue(null) })
  }
  return { value: pendingValue ?? user?.[name] ?? initial, change: changeSetting, message }
}

/** The two email preferences are always sent together. */
function settingsBodyOf(
  name: SettingName,
  value: User[SettingName],
  user: User | undefined,
): Input<typeof updateSettings>['body'] {
  if (!user || (name !== 'allow_marketing_emails' && name !== 'allow_promotional_emails')) return { [name]: value }
  const { allow_marketing_emails, allow_promotional_emails } = user
  return { allow_marketing_emails, allow_promotional_emails, [name]: value }
}
