import { changePassword, endOneSession, endSessions, listSessions } from '@keepsnap/contract/security.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { isTransient } from '../../lib/api-errors.ts'
import type { Api } from '../../lib/api.ts'
import { useApi, useSession } from '../../lib/app-services.tsx'

const sessionsKey = ['user', 'sessions'] as const

/** The user's sessions, last used first, and when the password was set. */
export const sessionsQuery = (api: Api) =>
  queryOptions({
    queryKey: sessionsKey,
    queryFn: ({ signal }) => api.call(listSessions, {}, { signal }),
    retry: (failures, error) => failures < 1 && isTransient(error),
  })

export function useEndSession() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.call(endOneSession, { params: { id } }),
    async onSuccess(_, id) {
      await queryClient.cancelQueries({ queryKey: sessionsKey })
      queryClient.setQueryData(
        sessionsQuery(api).queryKey,
        (list) => list && { ...list, sessions: list.sessions.filter((session) => session.id !== id) },
      )
    },
    onError: () => queryClient.invalidateQueries({ queryKey: sessionsKey }),
  })
}

/** Ends every session, including the one of this browser, after `before`: `onEnded` ends it here. */
export function useEndAllSessions({ before, onEnded }: { before: () => Promise<unknown>; onEnded: () => void }) {
  const api = useApi()
  const session = useSession()
  return useMutation({
    mutationFn: () =>
      session.whileReplacing(async () => {
        await before()
        await api.call(endSessions, {})
        onEnded()
      }),
  })
}

/** Changes the password: this session continues with a new token, the others end. `onDone` is called before that. */
export function useChangePassword(onDone: () => void) {
  const api = useApi()
  const session = useSession()
  return useMutation({
    mutationFn: (body: { current_password: string; new_password: string }) =>
      session.whileReplacing(async () => {
        const { token } = session.state()
        const { access_token } = await api.call(changePassword, { body })
        onDone()
        if (token !== null) session.renew(token, access_token)
      }),
  })
}
