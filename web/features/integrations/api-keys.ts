import { type ApiKey, createApiKey, deleteApiKey, listApiKeys } from '@keepsnap/contract/integrations.ts'
import { confirmPassword } from '@keepsnap/contract/security.ts'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../lib/api.ts'
import { useApi } from '../../lib/app-services.tsx'
import { refetchQueries } from '../../lib/refetch-query.ts'
import { usePasswordConfirmation } from '../../ui/usePasswordConfirmation.tsx'

const apiKeysKey = ['api-keys'] as const
/** The time of the last use has a precision of one minute. */
const refetchMs = 60_000

/** The user's API keys, newest first. */
export const apiKeysQuery = (api: Api) =>
  queryOptions({
    queryKey: apiKeysKey,
    queryFn: ({ signal }) => api.call(listApiKeys, {}, { signal }),
    refetchInterval: refetchMs,
  })

/** Fetches the keys again: one was created or deleted, or messages about that may have been missed. */
export const refetchApiKeys = (queryClient: QueryClient): void => refetchQueries(queryClient, apiKeysKey)

export interface NewKeyInput {
  name: string
  /** Null: it does not expire. */
  expiresInDays: number | null
}

/** Creates a key, for which the server may ask for the password; `onCreated` is called with the only copy of the whole key. */
export function useCreateKey(text: Parameters<typeof usePasswordConfirmation>[0], onCreated: (key: ApiKey) => void) {
  const api = useApi()
  const queryClient = useQueryClient()
  const confirmation = usePasswordConfirmation(text, (password) => api.call(confirmPassword, { body: { password } }))
  const mutation = useMutation({
    // The full key must not stay in the mutation cache.
    gcTime: 0,
    mutationFn: ({ name, expiresInDays }: NewKeyInput) => {
      const body = { name, ...(expiresInDays !== null && { expires_in_days: expiresInDays }) }
      return confirmation.run(() => api.call(createApiKey, { body }))
    },
    onSuccess(key) {
      refetchApiKeys(queryClient)
      onCreated(key)
    },
  })
  return { ...mutation, confirmation, problem: confirmation.problemOf(mutation.error) }
}

/** Deletes a key; `onDeleted` is called with its id. */
export function useDeleteKey(onDeleted: (id: string) => void) {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.call(deleteApiKey, { params: { id } }),
    async onSuccess(_, id) {
      await queryClient.cancelQueries({ queryKey: apiKeysKey })
      queryClient.setQueryData<ApiKey[]>(apiKeysKey, (keys) => keys?.filter((key) => key.id !== id))
      onDeleted(id)
    },
    onError: () => refetchApiKeys(queryClient),
  })
}
