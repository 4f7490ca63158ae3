import { listPhotoRequests, resendPhotoRequest, type PhotoRequest } from '@keepsnap/contract/requests.ts'
import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../lib/api.ts'
import { useApi } from '../../lib/app-services.tsx'
import { findRequest, mergeRequests, type RequestListPage, type RequestListPages } from './request-pages.ts'

const requestsPageSize = 50
const nextHeader = 'x-next-before'

export const requestKeys = { list: ['requests', 'list'] as const }

/** Requests for the user's photos, newest first, page by page. */
export const requestsQuery = (api: Api) =>
  infiniteQueryOptions({
    queryKey: requestKeys.list,
    async queryFn({ pageParam, signal }): Promise<RequestListPage> {
      const query = { limit: requestsPageSize, ...(pageParam !== null && { before: pageParam }) }
      const { reply, headers } = await api.send(listPhotoRequests, { query }, { signal })
      const { requests, ...counts } = reply
      return { requests, counts, next: headers.get(nextHeader) }
    },
    initialPageParam: null as string | null, // widens the type of the first page's parameter
    getNextPageParam: ({ next }) => next,
  })

/** Sends a failed email again. An optimistic update shows it as queued, and an error shows it as failed again. */
export function useResend() {
  const api = useApi()
  const queryClient = useQueryClient()
  const storeRequest = (request: PhotoRequest): void =>
    void queryClient.setQueryData<RequestListPages>(
      requestKeys.list,
      (list) => list && mergeRequests(list, [request]).list,
    )
  /** Ends the optimistic update, unless the live connection has delivered something newer. */
  const finishResend = (request: PhotoRequest): void => {
    const currentRequest = findRequest(queryClient.getQueryData<RequestListPages>(requestKeys.list), request.id)
    if (currentRequest?.state === 'queued') storeRequest(request)
  }
  return useMutation({
    mutationFn: ({ id }: PhotoRequest) => api.call(resendPhotoRequest, { params: { id } }),
    async onMutate(request) {
      await queryClient.cancelQueries({ queryKey: requestKeys.list })
      storeRequest({ ...request, state: 'queued', failure: null, due_at: null })
    },
    onSuccess: finishResend,
    onError: (_, request) => finishResend(request),
  })
}
