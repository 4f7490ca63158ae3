import {
  changeSupportMessage,
  deleteSupportMessage,
  getSupportMessage,
  listSupportMessages,
  type SupportState,
} from '@keepsnap/contract/operator-support.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../lib/api.ts'
import { useApi } from '../../lib/app-services.tsx'
import { operatorKey } from './queries.ts'

const refetchInterval = 30_000
export const messagesPageSize = 10

export const messagesQuery = (api: Api, { state, skip }: { state: SupportState; skip: number }) =>
  queryOptions({
    queryKey: [...operatorKey, 'support', { state, skip }],
    queryFn: ({ signal }) =>
      api.call(listSupportMessages, { query: { state, skip, limit: messagesPageSize } }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval,
  })

export const messageQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: [...operatorKey, 'support-message', id],
    queryFn: ({ signal }) => api.call(getSupportMessage, { params: { id } }, { signal }),
  })

/** Moves a message to another list. */
export function useChangeMessage(id: string, onDone: (state: SupportState) => void) {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (state: SupportState) => api.call(changeSupportMessage, { params: { id }, body: { state } }),
    onSuccess(message) {
      queryClient.setQueryData(messageQuery(api, id).queryKey, message)
      onDone(message.state)
    },
    // Without waiting for it: the next change can follow at once.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: operatorKey }),
  })
}

export const deleteMessage = (api: Api, id: string, reason: string) =>
  api.call(deleteSupportMessage, { params: { id }, body: { reason } })
