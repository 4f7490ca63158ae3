import type { User } from '@keepsnap/contract/accounts.ts'
import type { Input } from '@keepsnap/contract/endpoint.ts'
import { updateSettings } from '@keepsnap/contract/settings.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { currentUserQuery, useCurrentUser } from '../../lib/current-user.ts'
import { useApi } from '../../lib/app-services.tsx'
import { useTemporaryMessage, type TemporaryMessage } from '../../lib/temporary-message.ts'
import { errorMessage } from '../../lib/error-message.ts'

export type SettingName =
  | 'use_logo_as_watermark'
  | 'ask_email_to_receive_photo'
  | 'allow_marketing_emails'
  | 'allow_promotional_emails'

export interface Setting {
  /** As it is, or as it will be once the change on its way is saved. */
  value: boolean
  change: (value: boolean) => void
  /** What became of the last change, for three seconds. */
  message: TemporaryMessage | null
}

/** One setting of the signed-in user: shown as chosen at once, saved, and put back when that fails. */
export function useSetting(name: SettingName, text: { saved: string; failed: string }): Setting {
  const api = useApi()
  const queries = useQueryClient()
  const { user } = useCurrentUser()
  const [note, say] = useTemporaryMessage()
  // Of our own: the mutation tells what is pending a task later, and until then a switch would spring back.
  const [chosen, choose] = useState<boolean | null>(null)
  const { mutate } = useMutation({
    mutationFn: (value: boolean) => {
      const now = queries.getQueryData<User>(currentUserQuery(api).queryKey)
      return api.call(updateSettings, { body: bodyOf(name, value, now) })
    },
    // One after the other, so that the last choice is the one that stays.
    scope: { id: 'settings' },
    onMutate: () => queries.cancelQueries(currentUserQuery(api)),
    onSuccess(saved) {
      queries.setQueryData<User>(currentUserQuery(api).queryKey, saved)
      say({ tone: 'ok', text: text.saved })
    },
    onError: (error) => say({ tone: 'bad', text: errorMessage(error, text.failed) }),
  })
  const change = (value: boolean): void => {
    choose(value)
    // Called for the last change only, when several are on their way.
    mutate(value, { onSettled: () => choose(null) })
  }
  return { value: chosen ?? user?.[name] ?? false, change, message: note }
}

/** The two e-mail preferences travel together, spec section 7. */
function bodyOf(name: SettingName, value: boolean, now: User | undefined): Input<typeof updateSettings>['body'] {
  if (!now || (name !== 'allow_marketing_emails' && name !== 'allow_promotional_emails')) return { [name]: value }
  const { allow_marketing_emails, allow_promotional_emails } = now
  return { allow_marketing_emails, allow_promotional_emails, [name]: value }
}
