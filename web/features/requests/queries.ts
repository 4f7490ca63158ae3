import {
  listPhotoRequests,
  resendFailedRequests,
  resendPhotoRequest,
  type PhotoRequest,
} from '@keepsnap/contract/requests.ts'
import { infiniteQueryOptions, keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../lib/api.ts'
import { useApi } from '../../lib/app-services.tsx'
import {
  findRequest,
  mergeRequests,
  type RequestFilter,
  type RequestListPage,
  type RequestListPages,
} from './request-pages.ts'

export const requestsPageSize = 200
const nextHeader = 'x-next-before'

export const requestKeys = {
  /** Of the lists with every filter. */
  lists: ['requests', 'list'] as const,
  list: (filter: RequestFilter) => ['requests', 'list', filter] as const,
}

/** Requests for the user's photos that match a filter, newest first, page by page. */
export const requestsQuery = (api: Api, filter: RequestFilter) =>
  infiniteQueryOptions({
    queryKey: requestKeys.list(filter),
    async queryFn({ pageParam, signal }): Promise<RequestListPage> {
      const query = {
        limit: requestsPageSize,
        ...(pageParam !== null && { before: pageParam }),
        ...(filter.email !== '' && { email: filter.email }),
        ...(filter.state !== null && { state: filter.state }),
      }
      const { reply, headers } = await api.send(listPhotoRequests, { query }, { signal })
      const { requests, all, next_removal, ...found } = reply
      return {
        requests,
        // While servers are updated, one of the version before may answer.
        counts: all ?? found,
        found: found.total,
        next: headers.get(nextHeader),
        nextRemoval: next_removal ?? null,
      }
    },
    initialPageParam: null as string | null, // widens the type of the first page's parameter
    getNextPageParam: ({ next }) => next,
    // Until those of another filter are loaded.
    placeholderData: keepPreviousData,
  })

/** Sends a failed email again. An optimistic update shows it as queued, and an error shows it as failed again. */
export function useResend() {
  const api = useApi()
  const queryClient = useQueryClient()
  const { lists: queryKey } = requestKeys
  const storeRequest = (request: PhotoRequest): void =>
    void queryClient.setQueriesData<RequestListPages>(
      { queryKey },
      (list) => list && (findRequest(list, request.id) ? mergeRequests(list, [request]).list : list),
    )
  /** Ends the optimistic update, unless the live connection or a fetch has delivered something newer. */
  const finishResend = (request: PhotoRequest): void => {
    const current = queryClient
      .getQueriesData<RequestListPages>({ queryKey })
      .map(([, list]) => findRequest(list, request.id))
      .find((found) => found !== undefined)
    if (current?.state === 'queued') storeRequest(request)
    else void queryClient.invalidateQueries({ queryKey })
  }
  return useMutation({
    mutationFn: ({ id }: PhotoRequest) => api.call(resendPhotoRequest, { params: { id } }),
    // A fetch in progress goes on: pages that load would be lost.
    onMutate: (request) => storeRequest({ ...request, state: 'queued', failure: null, due_at: null }),
    onSuccess: finishResend,
    onError: (_, request) => finishResend(request),
  })
}

/** Sends all failed emails again. */
export function useResendFailed() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => api.call(resendFailedRequests, {}),
    // Also after an error: some may have been queued.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: requestKeys.lists }),
  })
}
