import type { User } from '@keepsnap/contract/accounts.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import { updateSettings } from '@keepsnap/contract/settings.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { currentUserQuery, useCurrentUser } from '../../lib/current-user.ts'
import { useApi } from '../../lib/parts.tsx'
import { settingMessage } from './messages.ts'

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
  note: { tone: 'ok' | 'bad'; text: string } | null
}

/** One setting of the signed-in user: shown as chosen at once, saved, and put back when that fails. */
export function useSetting(name: SettingName, text: { saved: string; failed: string }): Setting {
  const api = useApi()
  const queries = useQueryClient()
  const { user } = useCurrentUser()
  const [note, setNote] = useState<Setting['note']>(null)
  useEffect(() => {
    if (!note) return
    const timer = setTimeout(() => setNote(null), limits.messageMs)
    return () => clearTimeout(timer)
  }, [note])
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (value: boolean) => api.call(updateSettings, { body: { [name]: value } }),
    // One after the other, so that the last choice is the one that stays.
    scope: { id: 'settings' },
    onMutate: () => queries.cancelQueries(currentUserQuery(api)),
    onSuccess(saved) {
      queries.setQueryData<User>(currentUserQuery(api).queryKey, saved)
      setNote({ tone: 'ok', text: text.saved })
    },
    onError: (error) => setNote({ tone: 'bad', text: settingMessage(error, text.failed) }),
  })
  return { value: isPending ? variables : (user?.[name] ?? false), change: mutate, note }
}
