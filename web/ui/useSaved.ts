import { updateSettings, type User } from '@keepsnap/contract/accounts.ts'
import type { Input } from '@keepsnap/contract/endpoint.ts'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '../lib/api-errors.ts'
import { currentUserQuery, useApi, useCurrentUser } from '../lib/app-services.tsx'
import { type TemporaryMessage, useTemporaryMessage } from './SaveStatus.tsx'

type SettingsBody = Input<typeof updateSettings>['body']
export type SettingName = keyof SettingsBody & keyof User

export interface Saved<Value> {
  /** The last choice of the user, also while it is being saved; what is saved, if it could not be. */
  value: Value
  /** `onSettled` is called after success or failure, unless a later value is being saved. */
  change: (value: Value, onSettled?: () => void) => void
  isSaving: boolean
  /** That it was saved, or why not, for three seconds. */
  message: TemporaryMessage | null
  /** Why the last value was not saved, until `clearError`. */
  error: string | undefined
  clearError: () => void
}

interface SavedOptions<Value> {
  /** What is saved. */
  saved: Value
  save: (value: Value) => Promise<unknown>
  /** Changes with the same one are sent one after the other, so that the last choice is the one that remains. */
  scope: string
  /** What is read again before and after a change. */
  queryKey: QueryKey
  text: { saved?: string; failed: string }
}

/** A value that is saved when it is changed, updated optimistically. */
export function useSavedValue<Value>({ saved, save, scope, queryKey, text }: SavedOptions<Value>): Saved<Value> {
  const queryClient = useQueryClient()
  const [message, showMessage] = useTemporaryMessage()
  // Not taken from the mutation, which reports the pending value one task later: the switch would flicker.
  const [pending, setPending] = useState<{ value: Value } | null>(null)
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: save,
    scope: { id: scope },
    onMutate: () => queryClient.cancelQueries({ queryKey }),
    onSuccess() {
      if (text.saved !== undefined) showMessage({ tone: 'ok', text: text.saved })
    },
    onError: (error) => showMessage({ tone: 'bad', text: errorMessage(error, text.failed) }),
  })
  return {
    value: pending ? pending.value : saved,
    change(value, onSettled) {
      setPending({ value })
      // While several changes are pending, only the callback of the last one is called.
      mutate(value, {
        onSettled() {
          setPending(null)
          onSettled?.()
        },
      })
    },
    isSaving: isPending,
    message,
    error: error === null ? undefined : errorMessage(error, text.failed),
    // Not during a save, which has no error: `reset` would clear its pending state.
    clearError() {
      if (error !== null) reset()
    },
  }
}

/** One setting of the signed-in user. `initial`: until the user is known. */
export function useSaved<Name extends SettingName>(
  name: Name,
  text: { saved?: string; failed: string },
  initial: User[Name],
): Saved<User[Name]> {
  const api = useApi()
  const queryClient = useQueryClient()
  const { user } = useCurrentUser()
  const { queryKey } = currentUserQuery(api)
  return useSavedValue<User[Name]>({
    saved: user?.[name] ?? initial,
    async save(value) {
      const body = settingsBodyOf(name, value, queryClient.getQueryData<User>(queryKey))
      const saved = await api.call(updateSettings, { body })
      // With the choice, for servers that answer with the success only.
      queryClient.setQueryData<User>(queryKey, (before) => ({ ...before, [name]: value, ...saved }))
    },
    scope: 'settings',
    queryKey,
    text,
  })
}

/** The two email preferences are always sent together. */
function settingsBodyOf(name: SettingName, value: User[SettingName], user: User | undefined): SettingsBody {
  if (!user || (name !== 'allow_marketing_emails' && name !== 'allow_promotional_emails')) return { [name]: value }
  const { allow_marketing_emails, allow_promotional_emails } = user
  return { allow_marketing_emails, allow_promotional_emails, [name]: value }
}
